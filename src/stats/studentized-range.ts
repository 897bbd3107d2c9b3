import { normalBelow } from "./normal.js";
import { logGamma } from "./log-gamma.js";

/** Nodes and weights of Gauss and Legendre on [-1, 1], found by Newton's method. */
function gaussLegendre(count: number): readonly (readonly [node: number, weight: number])[] {
  return Array.from({ length: count }, (_, index) => {
    let x = Math.cos((Math.PI * (index + 0.75)) / (count + 0.5));
    for (;;) {
      let [before, value] = [0, 1];
      for (let n = 1; n <= count; n++) [before, value] = [value, ((2 * n - 1) * x * value - (n - 1) * before) / n];
      const slope = (count * (x * value - before)) / (x * x - 1);
      const step = value / slope;
      x -= step;
      if (Math.abs(step) < 1e-15) return [x, 2 / ((1 - x * x) * slope * slope)] as const;
    }
  });
}

const NODES = 32;
let nodes: ReturnType<typeof gaussLegendre> | null = null;

/** The integral of a smooth function, in pieces of one rule each. */
function integral(of: (x: number) => number, from: number, to: number, pieces: number): number {
  nodes ??= gaussLegendre(NODES);
  const half = (to - from) / pieces / 2;
  let sum = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const middle = from + (2 * piece + 1) * half;
    for (const [node, weight] of nodes) sum += weight * of(middle + half * node);
  }
  return sum * half;
}

/** Beyond so many deviations a normal density is below the last digit of a double. */
const FAR = 8.5;
const WIDTH_PIECES = 3;
const SCALE_PIECES = 8;
/** Above so many degrees of freedom the scale is known. */
const MANY_DEGREES = 1e6;

/** The probability that the range of k standard normal variables is at most w. */
function rangeBelow(w: number, k: number): number {
  const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  // The highest of the k is at z, all others within w below it.
  return k * integral((z) => density(z) * (normalBelow(z) - normalBelow(z - w)) ** (k - 1), -FAR, FAR, WIDTH_PIECES);
}

/**
 * The probability that the studentized range of k means is at least q.
 *
 * @param k number of means, from 2.
 * @param degrees of freedom of the deviation.
 */
export function studentizedRangeAbove(q: number, k: number, degrees: number): number {
  if (q <= 0) return 1;
  if (degrees > MANY_DEGREES) return Math.max(0, 1 - rangeBelow(q, k));
  // s^2 * degrees is chi-square: the density of s.
  const log = Math.log(2) + (degrees / 2) * Math.log(degrees / 2) - logGamma(degrees / 2);
  const density = (s: number): number => Math.exp(log + (degrees - 1) * Math.log(s) - (degrees * s * s) / 2);
  const spread = FAR / Math.sqrt(2 * degrees);
  const from = Math.max(0, 1 - spread * 2);
  const below = integral((s) => (s <= 0 ? 0 : density(s) * rangeBelow(q * s, k)), from, 1 + spread * 2, SCALE_PIECES);
  return Math.min(1, Math.max(0, 1 - below));
}
