import { ascending } from "../foundation/numbers/index.js";
import {
  doesFollow,
  isSignificant,
  type ComparisonSettings,
  type ScoreComparison,
} from "../records/index.js";
import { compactLetters, pairedTests, type PairedDifferences } from "../stats/index.js";
import { alignScores, type AlignedScores } from "./aligned-scores.js";
import { checkTables } from "./check-tables.js";
import { resolveSettings, type StatisticsOptions } from "./comparison-settings.js";
import { adjustWithin, finite, pairOf, roundMean } from "./metric-differences.js";
import { asIntents, lessSureP, groupedMeanIntervals } from "./wordings.js";
import type { ScoredMetric, ScoreTable } from "./score-table.js";
import type { DoubtOfRuns } from "./other-depths.js";
import { punishUnanswered } from "./unanswered-scores.js";

/** Runs by metrics: means, and letters of groups that do not differ. */
export type Leaderboard = NonNullable<ScoreComparison["leaderboard"]>;

type Score = Leaderboard[number]["scores"][number];

/**
 * Runs beside each other by every metric, with letters: two runs share one exactly where they do not differ
 * significantly, by the paired t test over the queries that all runs have (by sign flips where all differ by
 * the same), adjusted over all pairs of a metric. What `compareScores` says of several runs besides, without
 * its tests against the baseline.
 *
 * @throws InputError `ARGUMENT` for a setting that is not possible.
 */
export function leaderboardOf(given: readonly ScoreTable[], options: StatisticsOptions = {}): Leaderboard {
  checkTables(given);
  const tables = punishUnanswered(given);
  const aligned = alignScores(tables);
  const settings = resolveSettings(
    { ...options, primary: null, guards: [] },
    aligned.metrics,
    aligned.queryIds.length,
  );
  return leaderboard(
    aligned,
    tables.map(({ run }) => run),
    settings,
    { pairs: null },
  );
}

/**
 * Every run by every metric: the mean, and letters for groups that do not differ. The pairs of one metric are
 * one family; groups are over the queries that all runs have a score for, and runs whose difference says
 * nothing are in one. The primary metric has an interval, too.
 *
 * @param pairs the tests of the primary metric, which are not made twice.
 */
export function leaderboard(
  aligned: AlignedScores,
  names: readonly string[],
  settings: ComparisonSettings,
  {
    pairs,
    undecided,
  }: { readonly pairs: ScoreComparison["all_pairs"]; readonly undecided?: DoubtOfRuns | undefined },
): Leaderboard {
  const columns = aligned.metrics.map((metric, column) => {
    const isPrimary = metric.name === settings.primary && pairs !== null;
    // Student's t has no p value where all differ by the same.
    const isTested = isPrimary && settings.test !== "t";
    const differs = isTested ? pairsOf(pairs, names, settings) : testPairs(aligned, column, settings);
    return scoresOf(aligned, column, metric, { differs, undecided, interval: isPrimary ? settings : null });
  });
  return names.map((run, at) => ({
    run,
    scores: columns.map((scores) => scores[at] as (typeof scores)[number]),
  }));
}

type Differs = (x: number, y: number) => boolean;

function scoresOf(
  { columns, exact, wordings }: AlignedScores,
  column: number,
  { name, card }: ScoredMetric,
  {
    differs,
    undecided,
    interval: settings,
  }: {
    readonly differs: Differs;
    readonly undecided: DoubtOfRuns | undefined;
    readonly interval: ComparisonSettings | null;
  },
): Score[] {
  const ofRuns = columns.map((run) => run[column] as Float64Array);
  const scores = ofRuns.map((run) => run.filter((score) => !Number.isNaN(score)));
  const intervals =
    settings === null
      ? []
      : groupedMeanIntervals(ofRuns, wordings, {
          ...settings,
          least: scores.map(() => card.range[0] ?? -Infinity),
          most: scores.map(() => card.range[1] ?? Infinity),
        });
  const means = scores.map((score, run) => exact[run]?.[column]?.mean ?? roundMean(score));
  const measured = [...scores.keys()].filter((run) => means[run] !== null);
  const sign = card.higher_is_better ? -1 : 1;
  const byMean = measured.sort((x, y) => ascending(sign * (means[x] as number), sign * (means[y] as number)));
  const letters = compactLetters(byMean.length, (first, second) => {
    const [better, worse] = [byMean[first] as number, byMean[second] as number];
    return differs(better, worse) && doesFollow(undecided?.(name, better, worse), "worse");
  });
  return scores.map((_, run) => ({
    metric: name,
    mean: means[run] ?? null,
    interval: intervals[run] ?? null,
    groups: letters === null ? null : (letters[byMean.indexOf(run)] ?? []),
  }));
}

/** From the tests that the comparison has already. */
function pairsOf(
  pairs: NonNullable<ScoreComparison["all_pairs"]>,
  names: readonly string[],
  settings: ComparisonSettings,
): Differs {
  return isAmong(
    pairs
      .filter((pair) => isSignificant(pair, settings))
      .map(({ run_a, run_b }) => [names.indexOf(run_a), names.indexOf(run_b)]),
  );
}

/**
 * By Student's t, in closed form: of sign flips so many would be needed that the smallest p value, times all
 * pairs, is below alpha.
 */
function testPairs(
  { columns, queryIds, wordings }: AlignedScores,
  column: number,
  settings: ComparisonSettings,
): Differs {
  const measured = [...columns.entries()].flatMap(([run, of]) => {
    const scores = of[column] as Float64Array;
    return scores.some((score) => !Number.isNaN(score)) ? [{ run, scores }] : [];
  });
  const complete = [...queryIds.keys()].filter((row) =>
    measured.every(({ scores }) => !Number.isNaN(scores[row])),
  );
  const byQuery = measured.map(({ scores }) => Float64Array.from(complete, (row) => scores[row] as number));
  const byIntent = asIntents(byQuery, complete, wordings);
  const pairs = measured.flatMap(({ run: x }, first) =>
    measured.slice(first + 1).map(({ run: y }, at) => ({ x, y, places: [first, first + 1 + at] as const })),
  );
  const testsOf = (scores: readonly Float64Array[]): (number | null)[] => {
    const differences = pairs.map(({ places: [a, b] }) =>
      pairOf(scores[a] as Float64Array, scores[b] as Float64Array),
    );
    const tests = pairedTests.t.test(differences, settings);
    return tests.map(
      ({ p }, at) => finite(p) ?? flipsOfOne((differences[at] as PairedDifferences).differences),
    );
  };
  const ofIntents = byIntent === null ? [] : testsOf(byIntent.scores);
  const adjusted = adjustWithin(
    testsOf(byQuery).map((p, at) => ({
      p: lessSureP(p, byIntent, ofIntents[at] ?? null),
      p_adjusted: null,
    })),
    settings,
  );
  return isAmong(
    pairs.flatMap(({ x, y }, at) => {
      const p = adjusted[at]?.p_adjusted ?? null;
      return p !== null && p < settings.alpha ? [[x, y] as const] : [];
    }),
  );
}

/**
 * Where all differ by the same, Student's t has no p value, and sign flips need not be counted: only all of
 * them, and none, are as far from 0. Null where nothing differs.
 */
function flipsOfOne(differences: ArrayLike<number>): number | null {
  return differences.length === 0 || differences[0] === 0 ? null : 2 ** (1 - differences.length);
}

function isAmong(pairs: readonly (readonly (number | undefined)[])[]): Differs {
  const known = new Set(pairs.flatMap(([x = -1, y = -1]) => [`${x} ${y}`, `${y} ${x}`]));
  return (x, y) => known.has(`${x} ${y}`);
}
