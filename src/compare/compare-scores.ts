import {
  checkOptions,
  type ComparedQuery,
  type ComparisonSettings,
  type CorrectedScore,
  type GivenWarning,
  type JudgeNext,
  type KnownQuery,
  type LabelTrust,
  type MetricDifference,
  queryWarning,
  RELEVANT_FROM,
  type RunComparison,
  type ScoreComparison,
  type Undecided,
  type UnjudgedDoubt,
  type Verdict,
  type Warning,
} from "../records/index.js";
import { alignScores, type AlignedScores } from "./aligned-scores.js";
import { overAnsweredByBoth, worseVerdict, type AnsweredByBoth } from "./answered-by-both.js";
import { checkTables } from "./check-tables.js";
import type { DoubtOfRuns } from "./other-depths.js";
import { severalRuns, type SeveralRuns } from "./several-runs.js";
import { resolveSettings, type StatisticsOptions } from "./comparison-settings.js";
import { adjustFamilies, finite, metricDifferences, roundMean } from "./metric-differences.js";
import { warnOfSaturatedPrimary } from "./warn-of-saturated-primary.js";
import { findLostScores, warnOfUnevenScores } from "./uneven-scores.js";
import { hasMetric, type ScoreTable } from "./score-table.js";
import { slicesOf } from "./slices.js";
import { punishUnanswered } from "./unanswered-scores.js";
import { verdictOf, type VerdictGrounds } from "./verdict.js";
import { whyIncomparable } from "./why-incomparable.js";
import { wordingsOf } from "./wordings.js";
import { countOf } from "../foundation/numbers/index.js";
import { ownValue } from "../foundation/checks/index.js";

/** How scores are compared, and what reports show beside them. */
export interface CompareScoresOptions extends StatisticsOptions {
  /** By query id. */
  readonly known?: ReadonlyMap<string, KnownQuery> | undefined;
}

/** What rankings add to a query's scores. */
export type RankedQuery = Pick<
  ComparedQuery,
  "rankings" | "overlap" | "expected" | "first_relevant" | "errors"
>;

/** Of a query that no rankings are known of. */
export const UNRANKED: RankedQuery = { rankings: null, overlap: null, expected: null };

/** What rankings and judgments add to scores. */
export interface RankingEvidence {
  readonly relevantFrom: number;
  query(queryId: string): RankedQuery;
  /**
   * @param run its position; the baseline is 0.
   * @param primary the metric that decides, the same for all runs.
   */
  listUnjudged(
    run: number,
    primary: string,
  ): { readonly doubt: UnjudgedDoubt | null; readonly judgeNext: readonly JudgeNext[] };
}

/**
 * Compares the scores of runs with those of the first one, the baseline: differences with intervals and
 * tests, slices, a verdict.
 *
 * The primary metric's tests are one family, over all runs; those of all other metrics are another.
 *
 * @throws InputError `ARGUMENT` for fewer than two runs, two of one name, or a setting that is not possible.
 */
export function compareScores(
  tables: readonly ScoreTable[],
  options: CompareScoresOptions = {},
): ScoreComparison {
  checkOptions(options);
  return comparisonOf(tables, options, { several: severalRuns });
}

/** What a comparison of scores can have besides. */
interface Additions {
  readonly evidence?: RankingEvidence | undefined;
  /** For more than two runs. Handed in, so that a bundle that compares two has no studentized range in it. */
  readonly several?: SeveralRuns | undefined;
  readonly undecided?: DoubtOfRuns | undefined;
  /** Whose labels the scores rest on. Handed in like the above. */
  readonly audit?: ((settings: ComparisonSettings) => AuditFindings) | undefined;
}

/** Whose labels a comparison rests on, and what people's labels make of its differences. */
export interface AuditFindings {
  readonly trust: LabelTrust;
  /** By run but the first; null where the labels are not audited. */
  readonly corrected: readonly (CorrectedDifferences | null)[];
}

/** What people's labels make of a run's differences from the baseline. */
export interface CorrectedDifferences {
  readonly scores: readonly CorrectedScore[];
  /** As the verdict wants them. */
  readonly differences: readonly MetricDifference[];
  /** What the people's queries are worth, in one sentence. */
  readonly sentence: string;
  /** Why nothing follows from the primary metric's. */
  readonly undecided: Undecided | undefined;
}

/** {@link compareScores}, with what rankings and judgments add. */
export function comparisonOf(
  given: readonly ScoreTable[],
  options: CompareScoresOptions,
  { evidence, several, audit, undecided }: Additions,
): ScoreComparison {
  checkTables(given);
  const tables = punishUnanswered(given);
  const alone = alignScores(tables);
  const known = alone.queryIds.map((id) => options.known?.get(id) ?? {});
  const aligned = { ...alone, wordings: wordingsOf(known) };
  const settings = settle(tables, aligned, options);
  const differences = adjustFamilies(metricDifferences(aligned, settings), settings);
  const labels = known.map(({ labels: ofQuery = {} }) => ofQuery);
  const slices = slicesOf(aligned, labels, settings, options.slices);
  const [baseline] = tables as readonly [ScoreTable];
  const how = { settings, only: options.slices };
  const answered = overAnsweredByBoth(aligned, tables, labels, differences, how);
  const metric_cards = Object.fromEntries(aligned.metrics.map(({ name, card }) => [name, card]));
  const audited = audit?.(settings);
  const corrected = correctWithin(audited, settings);
  const names = tables.map(({ run }) => run);
  const comparisons = tables.slice(1).map((table, at): RunComparison => {
    const metrics = withDoubts(differences[at] as MetricDifference[], (metric) =>
      undecided?.(metric, 0, at + 1),
    );
    const { doubt, judgeNext } =
      settings.primary === null || evidence === undefined
        ? { doubt: null, judgeNext: [] }
        : evidence.listUnjudged(at + 1, settings.primary);
    const byPeople = corrected[at] ?? null;
    const primary = metrics.find(({ metric }) => metric === settings.primary);
    const grounds: VerdictGrounds = {
      settings,
      metrics,
      slices: slices[at] ?? [],
      lost: findLostScores(aligned, at + 1),
      cards: metric_cards,
      differs: whyIncomparable(baseline, table, settings),
      unjudged: doubt,
      undecided: primary?.undecided,
      trust: audited?.trust,
      ...sidesOf(baseline, table, settings.primary),
    };
    const { verdict, answered_by_both } =
      byPeople === null || audited === undefined
        ? decide(grounds, answered[at] ?? null)
        : { verdict: verdictByPeople(grounds, byPeople, audited, at), answered_by_both: undefined };
    return {
      run: table.run,
      verdict,
      metrics,
      ...(answered_by_both && { answered_by_both }),
      slices: [...grounds.slices],
      judge_next: [...judgeNext],
      ...(audited && { corrected: withAdjusted(audited.corrected[at]?.scores, byPeople) }),
    };
  });
  return {
    schema_version: 2,
    kind: "score_comparison",
    runs: tables.map(runRecord),
    metrics: aligned.metrics.map(({ name }) => name),
    metric_cards,
    relevant_from: evidence?.relevantFrom ?? RELEVANT_FROM,
    conventions: baseline.conventions ?? null,
    settings,
    comparisons,
    ...(audited && { trust: audited.trust }),
    // Tests of all pairs would be tests of a model's opinion.
    ...(tables.length > 2 && several !== undefined && !isOfModel(audited?.trust)
      ? several(aligned, names, settings, undecided)
      : { all_pairs: null, leaderboard: null }),
    per_query: aligned.queryIds.map((query_id, row) => ({
      ...scoresOfQuery(aligned, row, known[row]),
      ...(evidence?.query(query_id) ?? UNRANKED),
    })),
    warnings: warningsOf(tables, aligned, settings),
  };
}

function withDoubts(
  rows: readonly MetricDifference[],
  doubtOf: (metric: string) => Undecided | undefined,
): MetricDifference[] {
  return rows.map((row) => {
    const undecided = doubtOf(row.metric);
    return undecided === undefined ? row : { ...row, undecided };
  });
}

/**
 * By what people's labels make of the differences, over the queries that the baseline answered: tested by
 * Student's t, without slices and unjudged hits, which are the model's alone.
 */
function verdictByPeople(
  grounds: VerdictGrounds,
  metrics: readonly MetricDifference[],
  { trust, corrected }: AuditFindings,
  at: number,
): Verdict {
  return verdictOf({
    ...grounds,
    settings: { ...grounds.settings, test: "t" },
    metrics,
    slices: [],
    unjudged: null,
    undecided: corrected[at]?.undecided,
    trust: { ...trust, sentence: corrected[at]?.sentence ?? trust.sentence },
  });
}

/**
 * The settings of a comparison. Unless it is named, the first metric that all runs have decides. One that
 * only some have can be named, and is not measured in the others.
 */
function settle(
  tables: readonly ScoreTable[],
  aligned: AlignedScores,
  options: CompareScoresOptions,
): ComparisonSettings {
  const common = aligned.metrics.filter(({ name }) => tables.every((table) => hasMetric(table, name)));
  const shared = aligned.metrics.filter(({ name }) => hasMetric(tables[0] as ScoreTable, name));
  return resolveSettings(
    options,
    [...common, ...shared, ...tables.flatMap(({ metrics }) => metrics)],
    aligned.queryIds.length,
  );
}

/** What the differences come to, over all queries and over those that the baseline answered. */
function decide(
  grounds: VerdictGrounds,
  both: AnsweredByBoth | null,
): Pick<RunComparison, "verdict" | "answered_by_both"> {
  const verdict = verdictOf(grounds);
  if (both === null) return { verdict };
  const { queries, metrics, slices } = both;
  const ofBoth = verdictOf({ ...grounds, metrics, slices, unanswered: { a: 0, b: 0 } });
  const { primary } = grounds.settings;
  const sign = ownValue(grounds.cards, primary ?? "")?.higher_is_better === false ? -1 : 1;
  const gains = [grounds.metrics, metrics].map(
    (rows) => sign * (rows.find(({ metric }) => metric === primary)?.difference ?? 0),
  ) as [number, number];
  const { decides, verdict: worse } = worseVerdict(verdict, ofBoth, both, gains);
  return { verdict: worse, answered_by_both: { queries, decides, metrics, slices } };
}

function warningsOf(
  tables: readonly ScoreTable[],
  aligned: AlignedScores,
  settings: ComparisonSettings,
): Warning[] {
  return [
    ...tables.flatMap(ownWarnings),
    ...absentWarnings(tables, aligned),
    ...warnOfUnevenScores(
      aligned,
      tables.map(({ run }) => run),
    ),
    ...warnOfSaturatedPrimary(aligned, settings),
  ];
}

function scoresOfQuery(
  { queryIds, columns }: AlignedScores,
  row: number,
  { query = null, labels }: KnownQuery = {},
): Pick<ComparedQuery, "query_id" | "query" | "labels" | "scores"> {
  return {
    query_id: queryIds[row] as string,
    query,
    labels: { ...labels },
    scores: columns.map((run) => run.map((column) => finite(column[row] as number))),
  };
}

function runRecord({
  run,
  facts,
  latency = null,
  failedResults = null,
  queryIds,
  leftOut = [],
  ...table
}: ScoreTable): ScoreComparison["runs"][number] {
  return {
    run,
    ...facts,
    means: ownMeans(table),
    queries: queryIds.length - leftOut.length,
    latency_ms: latency,
    failed_results: failedResults,
    ...(leftOut.length > 0 && { left_out: [...leftOut] }),
  };
}

/** The warnings that a run came with, with its name before each. */
function ownWarnings({ run, warnings = [] }: ScoreTable): Warning[] {
  return warnings.map((warning) => ({ ...warning, message: `${run}: ${warning.message}` }));
}

/** Whether labels are a model's, corrected or not. */
function isOfModel(trust: LabelTrust | undefined): boolean {
  return trust?.status === "audited" || trust?.status === "not_audited";
}

function withAdjusted(
  scores: readonly CorrectedScore[] | undefined,
  differences: readonly MetricDifference[] | null,
): CorrectedScore[] | null {
  const byMetric = new Map((differences ?? []).map(({ metric, p_adjusted }) => [metric, p_adjusted]));
  return scores?.map((score) => ({ ...score, p_adjusted: byMetric.get(score.metric) ?? null })) ?? null;
}

/** The corrected differences with their adjusted p values; null for a run that has none. */
function correctWithin(
  audited: AuditFindings | undefined,
  settings: ComparisonSettings,
): readonly (MetricDifference[] | null)[] {
  const all = audited?.corrected ?? [];
  const families = adjustFamilies(
    all.map((run) => run?.differences ?? []),
    settings,
  );
  return all.map((run, at) => (run === null ? null : (families[at] ?? null)));
}

function ownMeans({
  metrics,
  columns,
  means = {},
  overall,
}: Pick<ScoreTable, "metrics" | "columns" | "means" | "overall">): Record<string, number | null> {
  const scores = (at: number): Float64Array =>
    Float64Array.from(columns[at] as ArrayLike<number>).filter((score) => !Number.isNaN(score));
  const ofMetrics = metrics.map(({ name }, at): [string, number | null] => [
    name,
    ownValue(overall, name) ?? ownValue(means, name) ?? roundMean(scores(at)),
  ]);
  return { ...Object.fromEntries(ofMetrics), ...overall };
}

function sidesOf(
  a: ScoreTable,
  b: ScoreTable,
  primary: string | null,
): Pick<VerdictGrounds, "latency" | "unanswered"> {
  // By the checks of answers a query without a result has no score at all.
  const countUnanswered = ({ metrics, columns, queryIds, unanswered = [] }: ScoreTable): number => {
    const without = new Set(unanswered);
    const column = columns[metrics.findIndex(({ name }) => name === primary)];
    return queryIds.filter((id, row) => without.has(id) && !Number.isNaN(column?.[row])).length;
  };
  return {
    latency: { a: a.latency ?? null, b: b.latency ?? null },
    unanswered: { a: countUnanswered(a), b: countUnanswered(b) },
  };
}

function absentWarnings(tables: readonly ScoreTable[], { absent }: AlignedScores): GivenWarning[] {
  return tables.flatMap(({ run }, at) => {
    const ids = absent[at] ?? [];
    return queryWarning(
      "RUN_LACKS_QUERIES",
      `${run} was not scored on ${countOf(ids.length, "query")} of the ` +
        `other runs, which ${ids.length === 1 ? "counts" : "count"} as the worst score`,
      ids,
    );
  });
}
