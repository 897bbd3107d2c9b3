import { exactSum } from "../foundation/numbers/index.js";
import { fAbove } from "./f-distribution.js";
import { mean } from "./moments.js";
import { checkFinite, checkScores, type ScoreLists, type ScoresByRun } from "./scores-by-run.js";

/** An analysis of variance. */
export interface Anova {
  /**
   * The mean square between runs divided by that of what is left over: Infinity when nothing is, null when
   * there are no degrees of freedom.
   */
  readonly f: number | null;
  /** Of freedom of the numerator. */
  readonly degreesBetween: number;
  /** Of freedom of the denominator. */
  readonly degreesWithin: number;
  /**
   * How probable so large an F is when all runs are equally good; null when F is infinite, of which p = 0
   * would say too much, and as above.
   */
  readonly p: number | null;
  /**
   * The mean square of what is left over: what differences of means are measured with; null without degrees
   * of freedom.
   */
  readonly meanSquareWithin: number | null;
}

/**
 * Do the means of several groups of scores differ, the groups having nothing to do with each other?
 *
 * Formula: F = (sum of n_g (mean_g - mean)^2 / (k - 1)) / (sum of (x - mean_g)^2 / (N - k)). Edges: fewer
 * than two groups or no more scores than groups: null. All scores equal: F = 0, p = 1; equal within each
 * group only: F is Infinity and p null. Empty groups are left out. For runs over the same queries use
 * `repeatedMeasuresAnova`: this one counts the differences between queries as noise. Agrees with
 * `scipy.stats.f_oneway`. Paper: Fisher, Statistical Methods for Research Workers,
 * https://doi.org/10.1007/978-1-4612-4380-9_6.
 *
 * `oneWayAnova([[1, 2, 3], [2, 3, 4]]).f // => 1.5`
 *
 * @throws InputError `ARGUMENT` when a score is not finite.
 */
export function oneWayAnova(groups: ScoresByRun): Anova {
  const filled = checkFinite("oneWayAnova", groups).filter((scores) => scores.length > 0);
  const middle = mean(filled.flat());
  const means = filled.map(mean);
  const between = filled.map((scores, group) => scores.length * ((means[group] as number) - middle) ** 2);
  const within = filled.flatMap((scores, group) =>
    scores.map((score) => (score - (means[group] as number)) ** 2),
  );
  return anova(between, filled.length - 1, within, within.length - filled.length, largestOf(filled));
}

/**
 * Do the means of several runs over the same queries differ?
 *
 * Formula: F = (n * sum of (mean_run - mean)^2 / (k - 1)) / (sum of (x - mean_run - mean_query + mean)^2 /
 * ((n - 1)(k - 1))), for k runs and n queries. Edges: fewer than two runs or queries: null. All runs alike: F
 * = 0, p = 1; runs that differ by the same on every query: F is Infinity and p null. With two runs F is the
 * square of paired t, and p the same. Sphericity is assumed, as in every ANOVA of this kind. Agrees with
 * `AnovaRM` of statsmodels. Paper: Fisher, as above; for search systems: Tague-Sutcliffe, Blustein, TREC-3,
 * 1995.
 *
 * `repeatedMeasuresAnova([[1, 2, 4], [2, 3, 6]]).f // => 16`
 *
 * @throws InputError `ARGUMENT` when the runs have different numbers of scores, or a score is not finite.
 */
export function repeatedMeasuresAnova(given: ScoresByRun): Anova {
  const runs = checkScores("repeatedMeasuresAnova", given);
  const queries = runs[0]?.length ?? 0;
  const middle = mean(runs.flat());
  const ofRuns = runs.map(mean);
  const ofQueries = Array.from({ length: queries }, (_, query) =>
    mean(runs.map((scores) => scores[query] as number)),
  );
  const between = ofRuns.map((ofRun) => queries * (ofRun - middle) ** 2);
  const within = runs.flatMap((scores, run) =>
    scores.map(
      (score, query) => (score - (ofQueries[query] as number) - ((ofRuns[run] as number) - middle)) ** 2,
    ),
  );
  return anova(between, runs.length - 1, within, (queries - 1) * (runs.length - 1), largestOf(runs));
}

/**
 * A few roundings of a score of size 1: squares of less are no variation, and F would be noise divided by
 * noise.
 */
const ROUNDING = 2 ** -48;

function anova(
  between: readonly number[],
  degreesBetween: number,
  within: readonly number[],
  degreesWithin: number,
  largest: number,
): Anova {
  const none: Anova = {
    f: null,
    degreesBetween: Math.max(0, degreesBetween),
    degreesWithin: Math.max(0, degreesWithin),
    p: null,
    meanSquareWithin: null,
  };
  if (degreesBetween < 1 || degreesWithin < 1) return none;
  const nothing = within.length * (ROUNDING * largest) ** 2;
  const [squaresBetween, squaresWithin] = [between, within].map((squares) => clearSum(squares, nothing)) as [
    number,
    number,
  ];
  const meanSquareWithin = squaresWithin / degreesWithin;
  const f = squaresBetween === 0 ? 0 : squaresBetween / degreesBetween / meanSquareWithin;
  return {
    ...none,
    f,
    p: f === Infinity ? null : fAbove(f, degreesBetween, degreesWithin),
    meanSquareWithin,
  };
}

function clearSum(squares: readonly number[], nothing: number): number {
  const sum = exactSum(squares);
  return sum <= nothing ? 0 : sum;
}

function largestOf(runs: ScoreLists): number {
  return runs.reduce(
    (largest, scores) => scores.reduce((most, score) => Math.max(most, Math.abs(score)), largest),
    0,
  );
}
