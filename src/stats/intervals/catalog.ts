import { basic } from "./basic.js";
import { bca } from "./bca.js";
import type { IntervalMethod } from "./interval.js";
import { percentile } from "./percentile.js";
import { studentT } from "./student-t.js";
import { wider } from "./wider.js";

/** The intervals of a mean difference by name; reports have `wider`. */
export const intervalMethods = {
  wider,
  bca,
  percentile,
  basic,
  t: studentT,
} as const satisfies Readonly<Record<string, IntervalMethod>>;
