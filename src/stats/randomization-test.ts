import { checkKnownOptions } from "../foundation/checks/index.js";
import { InputError } from "../foundation/errors/index.js";
import { firstIndex } from "../foundation/columns/index.js";
import type { Alternative } from "./alternative.js";
import { checkDifferences } from "./check-pairs.js";
import { checkAlternative } from "./check-settings.js";
import { sumSigns, sumFlips } from "./flipped-sums.js";
import { ROUNDING_OF_DIFFERENCES } from "./packed-columns.js";

/** How signs are flipped. */
export interface RandomizationOptions {
  readonly alternative?: Alternative | undefined;
  /** Sign flips that are drawn where there are too many to enumerate. Default 100,000. */
  readonly permutations?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

/** What a randomization test found. */
export interface RandomizationTest {
  readonly p: number;
  /** Whether every sign flip was counted. */
  readonly isExact: boolean;
}

/** Up to so many differences other than 0 all 2^n sign flips are counted. */
const MOST_EXACT = 20;
/** Sums that differ by less, as a share of the sum of all sizes, are equal but for rounding. */
const EQUAL_SHARE = 1e-12;
/**
 * Standard deviations of the sum beyond which no flip is drawn: a million flips reach so far with a
 * probability below 1e-15 (Hoeffding, 1963, doi:10.1080/01621459.1963.10500830).
 */
const OUT_OF_REACH = 10;

/** {@link randomizationTests} of one column. */
export function randomizationTest(
  differences: ArrayLike<number>,
  options: RandomizationOptions = {},
): RandomizationTest {
  return randomizationTests([differences], options)[0] as RandomizationTest;
}

/**
 * Could the mean difference be chance? The paired randomization test: were both runs alike, each query's
 * difference could as well have the other sign; p is the share of sign flips whose mean is at least as far
 * out.
 *
 * Up to 20 differences other than 0 all flips are counted. Else they are drawn, and p = (b + 1) / (B + 1) for
 * b of B flips: the observed one is among them, so that p is never 0. All columns are flipped together, query
 * by query, so a column's p depends on its own differences and the seed alone. Edges: p is 1 where every
 * difference is 0. Fisher (1935); Smucker, Allan, Carterette (2007), doi:10.1145/1321440.1321528; Phipson,
 * Smyth (2010), doi:10.2202/1544-6115.1585.
 *
 * @param columns differences of one metric each, in the same order of queries; 0 where a query has none.
 * @throws InputError `ARGUMENT` for differences that are no numbers.
 */
export function randomizationTests(
  columns: readonly ArrayLike<number>[],
  options: RandomizationOptions = {},
): RandomizationTest[] {
  const { alternative = "two-sided" } = checkKnownOptions(options, ["alternative", "permutations", "seed"]);
  for (const column of columns) checkDifferences("randomizationTest", column);
  checkAlternative(alternative);
  const results = columns.map((column) => exactTest(column, alternative));
  const flipped = columns.map((column) => new FlippedColumn(column, alternative));
  const drawn = flipped.filter(({ isInReach }, index) => isInReach && results[index] === null);
  const permutations = sumFlips(
    drawn.map(({ differences }) => differences),
    { ...options, rounding: ROUNDING_OF_DIFFERENCES },
    (sums, flips) => drawn.forEach((column, at) => column.count(sums[at] as Float64Array, flips)),
  );
  return results.map(
    (result, at) => result ?? testByDraws((flipped[at] as FlippedColumn).extreme, permutations),
  );
}

/** The result of drawn flips, of which some are as far out: the observed one is among them. */
export function testByDraws(extreme: number, permutations: number): RandomizationTest {
  return { p: (extreme + 1) / (permutations + 1), isExact: false };
}

/** From which sum on a flip is as far out as what was observed, turned so that far out is high. */
export function flipLimit(differences: ArrayLike<number>, alternative: Alternative): number {
  let sum = 0;
  let sizes = 0;
  for (let i = 0; i < differences.length; i++) {
    sum += differences[i] as number;
    sizes += Math.abs(differences[i] as number);
  }
  if (!Number.isFinite(sizes))
    throw new InputError("ARGUMENT", "differences are so large that no number holds their sum; scale them");
  const observed = alternative === "two-sided" ? Math.abs(sum) : alternative === "greater" ? sum : -sum;
  return observed - EQUAL_SHARE * sizes;
}

/**
 * Counts all flips: the sums of one half of the differences, sorted, are searched for those that each sum of
 * the other half needs. Null where there are too many.
 */
export function exactTest(
  differences: ArrayLike<number>,
  alternative: Alternative,
): RandomizationTest | null {
  const moved = Array.from(differences).filter((difference) => difference !== 0);
  if (moved.length > MOST_EXACT) return null;
  const limit = flipLimit(moved, alternative);
  const half = moved.length >> 1;
  const others = sumSigns(moved.slice(half)).sort();
  let extreme = 0;
  for (const sum of sumSigns(moved.slice(0, half))) {
    // Signs are symmetric: as many sums lie at or below the negative limit.
    extreme += others.length - firstIndex(others.length, (index) => (others[index] as number) >= limit - sum);
  }
  const all = 2 ** moved.length;
  const sides = alternative === "two-sided" ? 2 : 1;
  return { p: Math.min(1, (sides * extreme) / all), isExact: true };
}

/** A column of differences, and how many of its flips are as far out. */
class FlippedColumn {
  extreme = 0;
  readonly differences: ArrayLike<number>;
  /** Whether any flip can be expected to be as far out. */
  readonly isInReach: boolean;
  readonly #limit: number;
  readonly #alternative: Alternative;

  constructor(differences: ArrayLike<number>, alternative: Alternative) {
    this.differences = differences;
    this.#alternative = alternative;
    this.#limit = flipLimit(differences, alternative);
    let squares = 0;
    for (let i = 0; i < differences.length; i++) squares += (differences[i] as number) ** 2;
    this.isInReach = this.#limit <= OUT_OF_REACH * Math.sqrt(squares);
  }

  /** Counts those of a block of flips that are as far out. */
  count(sums: Float64Array, flips: number): void {
    const [high, low] = [
      this.#alternative === "less" ? Infinity : this.#limit,
      this.#alternative === "greater" ? -Infinity : -this.#limit,
    ];
    let extreme = 0;
    for (let flip = 0; flip < flips; flip++) {
      const sum = sums[flip] as number;
      if (sum >= high || sum <= low) extreme++;
    }
    this.extreme += extreme;
  }
}
