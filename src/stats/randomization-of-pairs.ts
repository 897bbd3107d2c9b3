import { sumFlips } from "./flipped-sums.js";
import { pairsOf } from "./pairs-of.js";
import {
  testByDraws,
  exactTest,
  flipLimit,
  randomizationTest,
  type RandomizationOptions,
  type RandomizationTest,
} from "./randomization-test.js";

/** What one operation can be off by, relative to its result, twice over. */
const ROUNDING = 2 ** -52;
/** Additions for a sum besides those of words. */
const MORE_ADDITIONS = 16;

/**
 * The two-sided {@link randomizationTest} of every pair of runs, with the same results, in the order of
 * `pairsOf`.
 *
 * The sum of a pair's flipped differences is that of the second run's flipped scores less the first's,
 * so that the runs are flipped and not the pairs, which are many more. Rounding makes the two differ in their
 * last digits: a pair for which that could decide whether a flip is as far out is tested by itself.
 *
 * @param runs scores of each run, in the same order of queries.
 * @param differencesOf the second run's scores less the first's, query by query.
 */
export function randomizationTestsOfPairs(
  runs: readonly ArrayLike<number>[],
  differencesOf: (first: number, second: number) => ArrayLike<number>,
  options: Omit<RandomizationOptions, "alternative"> = {},
): RandomizationTest[] {
  const tests = pairsOf(runs.length).map(([first, second]) => {
    const differences = differencesOf(first, second);
    return exactTest(differences, "two-sided") ?? new FlippedPair(runs, first, second, differences);
  });
  const drawn = tests.filter((test) => test instanceof FlippedPair);
  const permutations = sumFlips(drawn.length === 0 ? [] : runs, options, (sums, flips) => {
    for (const pair of drawn) pair.count(sums, flips);
  });
  return tests.map((test) => {
    if (!(test instanceof FlippedPair)) return test;
    const { first, second, isDoubtful, extreme } = test;
    return isDoubtful
      ? randomizationTest(differencesOf(first, second), options)
      : testByDraws(extreme, permutations);
  });
}

/** Two runs, and how many flips of theirs are as far out. */
class FlippedPair {
  readonly first: number;
  readonly second: number;
  extreme = 0;
  /** Whether a flip was so near to the limit that rounding decides on which side it is. */
  isDoubtful = false;
  readonly #limit: number;
  readonly #doubt: number;

  constructor(
    runs: readonly ArrayLike<number>[],
    first: number,
    second: number,
    differences: ArrayLike<number>,
  ) {
    [this.first, this.second] = [first, second];
    this.#limit = flipLimit(differences, "two-sided");
    const [a, b] = [runs[first] as ArrayLike<number>, runs[second] as ArrayLike<number>];
    let sizes = 0;
    let rounded = 0;
    for (let i = 0; i < differences.length; i++) {
      const [x, y, difference] = [a[i] as number, b[i] as number, differences[i] as number];
      sizes += Math.abs(x) + Math.abs(y) + Math.abs(difference);
      rounded += Math.abs(y - x - difference);
    }
    this.#doubt = 2 * rounded + ROUNDING * (differences.length / 32 + MORE_ADDITIONS) * sizes;
  }

  count(sums: readonly Float64Array[], flips: number): void {
    if (this.isDoubtful) return;
    const [a, b] = [sums[this.first] as Float64Array, sums[this.second] as Float64Array];
    const [sure, possible] = [this.#limit + this.#doubt, this.#limit - this.#doubt];
    let surely = 0;
    let possibly = 0;
    for (let flip = 0; flip < flips; flip++) {
      const sum = Math.abs((b[flip] as number) - (a[flip] as number));
      if (sum >= sure) surely++;
      if (sum >= possible) possibly++;
    }
    this.extreme += surely;
    this.isDoubtful = surely < possibly;
  }
}
