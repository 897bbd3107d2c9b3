import { checkSeed, checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { InputError } from "../foundation/errors/index.js";
import { seededWords } from "../foundation/numbers/index.js";
import type { Alternative } from "./alternative.js";
import { checkAlternative, checkChoice } from "./check-settings.js";
import { powerOfTwo } from "./power-of-two.js";
import { checkDifferences, checkLists } from "./check-pairs.js";

/** How {@link maxT} tests. */
export interface MaxTOptions {
  /** `t` divides each mean by its standard error. Default `mean`. */
  readonly statistic?: "mean" | "t" | undefined;
  readonly alternative?: Alternative | undefined;
  /** Sign flips that are drawn where there are too many to count all. Default 10,000. */
  readonly permutations?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

/** What {@link maxT} found. */
export interface MaxT {
  /** For each variant its statistic; far out is large, small or either, by the alternative. */
  readonly observed: readonly number[];
  /** For each variant: how often the farthest of all is as far out by chance. */
  readonly pEach: readonly number[];
  /** Of the whole search: the least of them. */
  readonly p: number;
  /** The variant that is farthest out, the first of equal ones. */
  readonly best: number;
  /** Whether every sign flip was counted. */
  readonly isExact: boolean;
  /** Sign flips that were counted or drawn. */
  readonly flips: number;
}

const PERMUTATIONS = 10_000;
/** Up to so many queries that differ all 2^n flips are counted. */
export const MOST_EXACT_FLIPS = 13;
/** Rounding must not tell equal sums apart: as a share of the sum of all sizes. */
const EQUAL_SHARE = 1e-12;
const EQUAL_T = 1e-9;

/**
 * Is the best of several variants better than the current one, given that it was selected as the best? The
 * flips of signs of the paired randomization test, the same ones for all variants, and of each flip the
 * largest statistic over the variants: Westfall, Young (1993), Resampling-Based Multiple Testing; Nichols,
 * Holmes (2002), doi:10.1002/hbm.1058.
 *
 * @param given for each variant the differences from what is there, all in the same order of queries.
 * @throws InputError `ARGUMENT` for differences that are no numbers.
 */
export function maxT(given: readonly ArrayLike<number>[], options: MaxTOptions = {}): MaxT {
  const {
    statistic = "mean",
    alternative = "two-sided",
    permutations = PERMUTATIONS,
    seed = 1,
  } = checkKnownOptions(options, ["statistic", "alternative", "permutations", "seed"]);
  checkAlternative(alternative);
  checkChoice("statistic", statistic, ["mean", "t"]);
  wholeNumber("permutations", permutations);
  checkSeed(seed);
  checkLists("maxT", given);
  const n = given[0]?.length ?? 0;
  for (const column of given) {
    checkDifferences("maxT", column);
    if (column.length !== n)
      throw new InputError(
        "ARGUMENT",
        `maxT: all variants must have the same queries, got ${n} and ${column.length} differences`,
      );
  }
  // Student's t is free of scale, squares are not.
  const columns =
    statistic === "mean"
      ? given
      : given.map((column) => {
          const scale = powerOfTwo(column);
          return Float64Array.from(column, (each) => each / scale);
        });
  const towards = (value: number): number =>
    alternative === "two-sided" ? Math.abs(value) : alternative === "less" ? -value : value;
  const squares = columns.map((column) => sumOf(n, (at) => (column[at] as number) ** 2));
  const sizes = columns.map((column) => sumOf(n, (at) => Math.abs(column[at] as number)));
  const statisticOf = (variant: number, sum: number): number => {
    if (statistic === "mean") return sum / Math.max(1, n);
    const [square, size] = [squares[variant] as number, sizes[variant] as number];
    if (Math.abs(sum) <= EQUAL_SHARE * size) return 0;
    const variance = n === 1 ? 0 : (square - sum ** 2 / n) / (n - 1);
    // Differences that are all equal, or the only one, have no deviation but what rounding leaves.
    return variance <= EQUAL_SHARE * square ? Math.sign(sum) * Infinity : sum / Math.sqrt(n * variance);
  };
  const statisticsOf = (sign: (query: number) => number): Float64Array =>
    Float64Array.from(columns, (column, variant) =>
      statisticOf(
        variant,
        sumOf(n, (at) => sign(at) * (column[at] as number)),
      ),
    );
  const observed = statisticsOf(() => 1);
  const extents = observed.map(towards);
  const limits = extents.map((value, variant) =>
    value === Infinity
      ? Infinity
      : value -
        (statistic === "mean" ? (EQUAL_SHARE * (sizes[variant] as number)) / Math.max(1, n) : EQUAL_T),
  );
  const moved = Array.from({ length: n }, (_, at) => at).filter((at) =>
    columns.some((column) => column[at] !== 0),
  );
  const reached = new Float64Array(columns.length);
  const { flips, isExact } = signFlips(n, moved, permutations, seed, (signs) => {
    const most = largestOf(statisticsOf((query) => signs[query] as number).map(towards));
    limits.forEach((limit, variant) => {
      if (most >= limit) (reached[variant] as number)++;
    });
    return false;
  });
  const pEach = Array.from(reached, (count) => (isExact ? count / flips : (count + 1) / (flips + 1)));
  const best = extents.indexOf(largestOf(extents));
  return { observed: [...observed], pEach, p: Math.min(1, ...pEach), best, isExact, flips };
}

function largestOf(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

function sumOf(n: number, value: (at: number) => number): number {
  let sum = 0;
  for (let at = 0; at < n; at++) sum += value(at);
  return sum;
}

/**
 * Shows sign flips of queries, 1 or -1 for each: every one where few queries can move anything, else so many
 * that are drawn, unless `visit` says that it has seen enough.
 */
export function signFlips(
  n: number,
  moved: readonly number[],
  permutations: number,
  seed: number,
  visit: (signs: Float64Array) => boolean,
): { readonly flips: number; readonly isExact: boolean } {
  const signs = new Float64Array(n).fill(1);
  const isExact = moved.length <= MOST_EXACT_FLIPS;
  const flips = isExact ? 2 ** moved.length : permutations;
  const fill = seededWords(seed);
  const words = new Uint32Array(Math.ceil(moved.length / 32));
  for (let flip = 0; flip < flips; flip++) {
    if (isExact) words[0] = flip;
    else fill(words);
    for (let i = 0; i < moved.length; i++)
      signs[moved[i] as number] = ((words[i >>> 5] as number) >>> (i & 31)) & 1 ? -1 : 1;
    if (visit(signs)) break;
  }
  return { flips, isExact };
}
