import type { IntervalMethod } from "./interval.js";
import { percentile } from "./percentile.js";

/** The percentiles, mirrored at the mean. */
export const basic: IntervalMethod = {
  label: "basic bootstrap",
  interval: (sample, confidence) => {
    const { low, high } = percentile.interval(sample, confidence);
    return { low: 2 * sample.observed - high, high: 2 * sample.observed - low };
  },
};
