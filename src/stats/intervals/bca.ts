import { sameEverywhere } from "../../foundation/numbers/index.js";
import { normalBelow, normalQuantile } from "../normal.js";
import { powerOfTwo } from "../power-of-two.js";
import { quantile } from "../quantile.js";
import type { IntervalMethod } from "./interval.js";

/**
 * The bootstrap, corrected for bias and skewness; resamples with the mean itself count half in the bias.
 * Efron (1987), doi:10.1080/01621459.1987.10478410; Efron, Tibshirani (1993), chapter 14.
 */
export const bca: IntervalMethod = {
  label: "BCa bootstrap",
  interval: ({ differences, observed, means }, confidence) => {
    const [low, high] = bcaShares(differences, means(), observed, (1 - confidence) / 2);
    return { low: quantile(means(), low), high: quantile(means(), high) };
  },
};

/**
 * Which quantiles the ends are, corrected for the bias of the resampled means and for the skewness that the
 * jackknife shows.
 */
function bcaShares(
  differences: Float64Array,
  means: Float64Array,
  observed: number,
  tail: number,
): [number, number] {
  let squares = 0;
  let cubes = 0;
  const scale = powerOfTwo(differences);
  for (const difference of differences) {
    const distance = (difference - observed) / scale;
    squares += distance * distance;
    cubes += distance * distance * distance;
  }
  const acceleration = squares === 0 ? 0 : cubes / (6 * squares * Math.sqrt(squares));
  let below = 0;
  // Rounding must not tell equal means apart.
  const near =
    1e-12 * (differences.reduce((sum, difference) => sum + Math.abs(difference), 0) / differences.length);
  for (const mean of means) below += mean < observed - near ? 1 : mean <= observed + near ? 0.5 : 0;
  // A mean beyond all resampled ones would have no finite quantile.
  const bias = normalQuantile(Math.min(Math.max(below, 0.5), means.length - 0.5) / means.length);
  const share = (z: number): number => {
    const room = 1 - acceleration * (bias + z);
    // Towards 0 the share goes to an end; below it the formula would come back from the other one.
    return room > 0 ? normalBelow(bias + (bias + z) / room) : bias + z > 0 ? 1 : 0;
  };
  const z = normalQuantile(tail);
  return [sameEverywhere(share(z)), sameEverywhere(share(-z))];
}
