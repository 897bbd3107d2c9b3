import { chiSquareAbove } from "./chi-square.js";
import { denseRanks } from "./dense-ranks.js";
import { checkScores, type ScoresByRun } from "./scores-by-run.js";

/** Friedman's test of several runs over the same queries. */
export interface Friedman {
  /** Chi-square, corrected for ties; null without queries or with fewer than two runs. */
  readonly statistic: number | null;
  readonly degrees: number;
  /** How probable so large a statistic is when all runs are equally good; null as above. */
  readonly p: number | null;
  /**
   * Kendall's W: how far the queries agree about the order of the runs, from 0 to 1; null as above, and when
   * every query ties all runs.
   */
  readonly concordance: number | null;
  /** Each run's mean rank over the queries, 1 for the lowest score. */
  readonly meanRanks: readonly number[];
}

/**
 * Do several runs over the same queries differ, judged by their order on each query alone?
 *
 * Formula: with R_j the sum of the ranks of run j over n queries, k runs and t the sizes of ties within
 * queries: chi^2 = 12 (k - 1) * sum of (R_j - n (k + 1) / 2)^2 / (n k (k^2 - 1) - sum of (t^3 - t)); k - 1
 * degrees of freedom. Edges: equal scores share the mean of their ranks. Every query ties all runs: statistic
 * 0, p = 1. No queries or fewer than two runs: null. The chi-square approximation is poor for fewer than
 * about ten queries. Agrees with `scipy.stats.friedmanchisquare`, which refuses two runs. Paper: Friedman,
 * https://doi.org/10.1080/01621459.1937.10503522.
 *
 * `friedman([[1, 1], [2, 2], [3, 3]]).statistic // => 4`
 *
 * @throws InputError `ARGUMENT` when the runs have different numbers of scores, or a score is not finite.
 */
export function friedman(given: ScoresByRun): Friedman {
  const runs = checkScores("friedman", given);
  const queries = runs[0]?.length ?? 0;
  const count = runs.length;
  // Twice the ranks from the middle one: whole numbers, so that nothing is rounded before the division.
  const deviations = new Float64Array(count);
  let untied = queries * count * (count * count - 1);
  for (let query = 0; query < queries; query++) {
    const { ranks, counts } = denseRanks(runs.map((scores) => scores[query] as number));
    const middles: number[] = [];
    let below = 0;
    for (const tied of counts) {
      middles.push(2 * below + tied - count);
      below += tied;
      untied -= tied * (tied * tied - 1);
    }
    ranks.forEach((rank, run) => ((deviations[run] as number) += middles[rank] as number));
  }
  const degrees = Math.max(0, count - 1);
  const meanRanks = Array.from(deviations, (deviation) =>
    queries === 0 ? (count + 1) / 2 : (deviation / queries + count + 1) / 2,
  );
  if (queries === 0 || count < 2) return { statistic: null, degrees, p: null, concordance: null, meanRanks };
  if (untied === 0) return { statistic: 0, degrees, p: 1, concordance: null, meanRanks };
  const statistic =
    (3 * degrees * deviations.reduce((sum, deviation) => sum + deviation * deviation, 0)) / untied;
  return {
    statistic,
    degrees,
    p: chiSquareAbove(statistic, degrees),
    concordance: statistic / (queries * degrees),
    meanRanks,
  };
}
