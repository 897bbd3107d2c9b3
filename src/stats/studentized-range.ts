import { meanOverScale } from "./deviation-scale.js";
import { integral } from "./integral.js";
import { FAR, normalBelow } from "./normal.js";

const WIDTH_PIECES = 3;

/** The probability that the range of k standard normal variables is at most w. */
function rangeBelow(w: number, k: number): number {
  const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  // The highest of the k is at z, all others within w below it.
  return (
    k *
    integral((z) => density(z) * (normalBelow(z) - normalBelow(z - w)) ** (k - 1), -FAR, FAR, WIDTH_PIECES)
  );
}

/**
 * The probability that the studentized range of k means is at least q.
 *
 * @param k number of means, from 2.
 * @param degrees of freedom of the deviation.
 */
export function studentizedRangeAbove(q: number, k: number, degrees: number): number {
  if (q <= 0) return 1;
  const below = meanOverScale((s) => rangeBelow(q * s, k), degrees);
  return Math.min(1, Math.max(0, 1 - below));
}
