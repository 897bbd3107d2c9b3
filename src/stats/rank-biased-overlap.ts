import { InputError, quote } from "../foundation/errors/index.js";
import { overlapByDepth } from "./overlap-by-depth.js";

/** Rank-biased overlap of two rankings, each value from 0 to 1 and null when both rankings are empty. */
export interface RankBiasedOverlap {
  /** The value to look at: as if the overlap went on beyond the lists as it was in them. */
  readonly extrapolated: number | null;
  /**
   * The sum to the end of the shorter list alone. Less than 1 for equal lists; comparable only between lists
   * of one length.
   */
  readonly truncated: number | null;
  /** What the rankings have in common at least, whatever follows. */
  readonly minimum: number | null;
  /** How much more than `minimum` it could become, depending on what follows. */
  readonly residual: number | null;
}

/**
 * How alike are two rankings, of any length and with different items, when the top counts most?
 *
 * Formula: with X(d) items in common among the first d: (1 - p) * sum of p^(d - 1) * X(d) / d over all depths
 * d. `truncated` ends it; `extrapolated`, `minimum` and `residual` are equations 32, 11 and 30 of the paper,
 * for lists of unequal length, too. Edges: both rankings empty: null; one empty: nothing in common so far,
 * extrapolated 0. Ties are not known: rankings are in order. Agrees with the Python package rbo
 * (changyaochen): `rbo(p=...)` is `truncated`, `rbo_ext` is `extrapolated`. Paper: Webber, Moffat, Zobel,
 * https://doi.org/10.1145/1852102.1852106.
 *
 * `rankBiasedOverlap(["a", "b"], ["a", "b"], 0.9).extrapolated // => 1`
 *
 * @param p how likely a reader goes on to the next item, above 0 and below 1: with 0.9 the first ten items
 * have 86 % of the weight.
 * @throws InputError `ARGUMENT` when p is out of its range, or an item is duplicated in a ranking.
 */
export function rankBiasedOverlap(
  first: readonly string[],
  second: readonly string[],
  p: number = 0.9,
): RankBiasedOverlap {
  if (!(p > 0 && p < 1))
    throw new InputError(
      "ARGUMENT",
      `rankBiasedOverlap: p must be above 0 and below 1, got ${quote(p)}; for p = 1 use averageOverlap`,
    );
  const overlap = overlapByDepth("rankBiasedOverlap", first, second);
  const long = overlap.length;
  if (long === 0) return { extrapolated: null, truncated: null, minimum: null, residual: null };
  const short = Math.min(first.length, second.length);
  const shared = overlap[long - 1] as number;
  const sharedInShort = overlap[short - 1] ?? 0;
  const shareInShort = short === 0 ? 0 : sharedInShort / short;
  let truncated = 0;
  let extrapolated = 0;
  let weight = 1 - p;
  for (let d = 1; d <= long; d++, weight *= p) {
    const term = (weight * (overlap[d - 1] as number)) / d;
    if (d <= short) truncated += term;
    else extrapolated += (weight * shareInShort * (d - short)) / d;
    extrapolated += term;
  }
  extrapolated += ((shared - sharedInShort) / long + shareInShort) * power(p, long);
  const { minimum, residual } = bounds(overlap, short, p);
  return { extrapolated: Math.min(1, extrapolated), truncated, minimum, residual };
}

/**
 * What the overlap is at least and how much it could grow. In the limit of equal lists all mass that is left
 * is residual.
 */
function bounds(overlap: Uint32Array, short: number, p: number): { minimum: number; residual: number } {
  const long = overlap.length;
  const shared = overlap[long - 1] as number;
  // At this depth everything could be shared: both lists would hold every item of either.
  const full = long + short - shared;
  // (1 - p) / p * ln(1 / (1 - p)): the sum of (1 - p) p^(d - 1) / d over all depths.
  const endless = (-(1 - p) / p) * Math.log1p(-p);
  let minimum = 0;
  let within = 0;
  let toFull = 0;
  let afterShort = 0;
  let afterLong = 0;
  let weight = 1 - p;
  for (let d = 1; d <= full; d++, weight *= p) {
    const term = weight / d;
    toFull += term;
    if (d > short) afterShort += term;
    if (d > long) afterLong += term;
    if (d > long) continue;
    minimum += term * (overlap[d - 1] as number);
    within += term;
  }
  minimum += shared * Math.max(0, endless - within);
  const residual =
    power(p, short) +
    power(p, long) -
    power(p, full) -
    (short * afterShort + long * afterLong + shared * (endless - toFull));
  return { minimum: Math.min(1, minimum), residual: Math.min(1, Math.max(0, residual)) };
}

/** p^n by multiplication: `Math.pow` is not the same to the last bit everywhere. */
function power(p: number, n: number): number {
  let result = 1;
  for (let i = 0; i < n && result > 0; i++) result *= p;
  return result;
}
