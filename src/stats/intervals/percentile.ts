import { quantile } from "../quantile.js";
import type { IntervalMethod } from "./interval.js";

/** The quantiles of the resampled means. */
export const percentile: IntervalMethod = {
  label: "percentile bootstrap",
  interval: ({ means }, confidence) => {
    const tail = (1 - confidence) / 2;
    return { low: quantile(means(), tail), high: quantile(means(), 1 - tail) };
  },
};
