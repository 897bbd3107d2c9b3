import { firstIndex } from "../foundation/columns/index.js";
import { checkSeed, checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { exactSum, seededRandom } from "../foundation/numbers/index.js";
import { pairsOf } from "./pairs-of.js";
import { checkScores, type ScoreLists, type ScoresByRun } from "./scores-by-run.js";

/** How a randomised test draws. */
export interface RandomizedTukeyOptions {
  /** A whole number; the same gives the same result everywhere. 1 when absent. */
  readonly seed?: number | undefined;
  /** How often scores are shuffled, from 1; 100,000 when absent. */
  readonly permutations?: number | undefined;
}

/** Two runs of a randomised Tukey test. */
export interface RandomizedTukeyPair {
  /** Positions of the two runs in the input. */
  readonly first: number;
  readonly second: number;
  /** Mean of the first minus mean of the second. */
  readonly difference: number;
  /** How probable it is that any two of so many equally good runs differ by so much; never 0. */
  readonly p: number;
}

/** The outcome of a randomised Tukey test. */
export interface RandomizedTukey {
  readonly seed: number;
  readonly permutations: number;
  readonly queries: number;
  /** Every pair of runs, in the order of the runs. */
  readonly pairs: readonly RandomizedTukeyPair[];
}

const DEFAULT_PERMUTATIONS = 100_000;
/**
 * Sums in another order differ in their last bits; what is this near (relative to all differences) counts as
 * equal.
 */
const TIE = 1e-12;

/**
 * Which of several runs over the same queries differ, without assuming a distribution?
 *
 * Formula: shuffle each query's scores among the runs B times; p = (b + 1) / (B + 1), b the number of
 * shuffles whose largest difference of means is at least the one that was observed. Edges: for two runs it is
 * the paired randomization test. Runs alike on every query: p = 1. No queries or fewer than two runs: no
 * pairs. Paper: Carterette, https://doi.org/10.1145/2094072.2094076.
 *
 * `randomizedTukey([[1, 1], [1, 1]]).pairs[0].p // => 1`
 *
 * @throws InputError `ARGUMENT` when the runs have different numbers of scores, a score is not finite, or an
 * option is not possible.
 */
export function randomizedTukey(given: ScoresByRun, options: RandomizedTukeyOptions = {}): RandomizedTukey {
  const { seed = 1, permutations = DEFAULT_PERMUTATIONS } = checkKnownOptions(options, [
    "seed",
    "permutations",
  ]);
  const runs = checkScores("randomizedTukey", given);
  const queries = runs[0]?.length ?? 0;
  checkSeed(seed);
  wholeNumber("permutations", permutations, 1);
  if (queries === 0 || runs.length < 2) return { seed, permutations, queries, pairs: [] };
  const rows = varyRows(runs, queries);
  const ranges = shuffleRanges(rows, runs.length, seed, permutations).sort();
  const tie =
    TIE * exactSum(rows.map((row) => row.reduce((most, score) => Math.max(most, score), -Infinity)));
  const pairs = pairsOf(runs.length).map(([first, second]) => {
    const sum = exactSum(rows.map((row) => (row[first] as number) - (row[second] as number)));
    const reached =
      permutations - firstIndex(permutations, (index) => (ranges[index] as number) >= Math.abs(sum) - tie);
    return { first, second, difference: sum / queries, p: (reached + 1) / (permutations + 1) };
  });
  return { seed, permutations, queries, pairs };
}

/**
 * One row per query on which runs differ, lowest score 0: what all runs have in common moves no difference
 * and costs digits.
 */
function varyRows(runs: ScoreLists, queries: number): Float64Array[] {
  const rows = Array.from({ length: queries }, (_, query) =>
    Float64Array.from(runs, (scores) => scores[query] as number),
  );
  const lowered = rows.map((row) =>
    row.map((score) => score - row.reduce((least, other) => Math.min(least, other))),
  );
  return lowered.filter((row) => row.some((score) => score > 0));
}

/** The largest difference of sums, once per shuffle. */
function shuffleRanges(
  rows: readonly Float64Array[],
  count: number,
  seed: number,
  permutations: number,
): Float64Array {
  const random = seededRandom(seed);
  const copies = rows.map((row) => row.slice());
  const sums = new Float64Array(count);
  return new Float64Array(permutations).map(() => {
    sums.fill(0);
    for (const row of copies) addShuffled(row, sums, random);
    let least = Infinity;
    let most = -Infinity;
    for (const sum of sums) {
      if (sum < least) least = sum;
      if (sum > most) most = sum;
    }
    return most - least;
  });
}

/**
 * Shuffles a row in place (Fisher, Yates) and adds it to the sums; a shuffled row shuffled again is as
 * random.
 */
function addShuffled(row: Float64Array, sums: Float64Array, random: () => number): void {
  for (let i = row.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const score = row[j] as number;
    row[j] = row[i] as number;
    row[i] = score;
    (sums[i] as number) += score;
  }
  (sums[0] as number) += row[0] as number;
}
