import { evaluate, isRecordedRun, type Evaluation } from "../evaluate/index.js";
import { Aggregator, judgeAlone, type AggregateOptions, type AnswerVerdict } from "../golden/index.js";
import type { Metric } from "../metrics/index.js";
import {
  checkCompared,
  checkLabels,
  checkOptions,
  type EvalRun,
  type Golden,
  type MeanScore,
  type MetricCard,
  prepareQrels,
  type QrelsInput,
  type QueryLabels,
  type QueryResult,
  RELEVANT_FROM,
  type ReportedQuery,
  resultsByQuery,
  type RunReport,
} from "../records/index.js";
import { ascending } from "../foundation/numbers/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { ownValue } from "../foundation/checks/index.js";
import { tableOfSystem, type ComparedSystem } from "./compared-system.js";
import type { CompareScoresOptions, RankedQuery } from "./compare-scores.js";
import { groupedMeanIntervals, wordingsOf, type Wordings } from "./wordings.js";
import { resolveSettings, type StatisticsOptions } from "./comparison-settings.js";
import type { ChannelRuns } from "./golden-evidence.js";
import { JudgedRankings, type JudgedRankingsOptions } from "./judged-rankings.js";
import { finite, roundMean } from "./metric-differences.js";
import { RunStatistics } from "./run-statistics.js";
import type { ScoredMetric, ScoreTable } from "./score-table.js";
import { groupsOf } from "./slices.js";

/** How the intervals of a report are computed, and what its queries are sorted and sliced by. */
export type ReportStatistics = Pick<
  StatisticsOptions,
  "seed" | "resamples" | "confidence" | "primary" | "slices"
>;

/** How {@link reportRun} scores a run. */
export interface ReportRunOptions extends AggregateOptions {
  readonly statistics?: ReportStatistics | undefined;
  /** The runs of the channels that it was fused of, for the diagnosis of what was missed. */
  readonly channels?: ChannelRuns | undefined;
}

/** How {@link reportSystem} scores a run. */
export interface ReportSystemOptions
  extends ReportStatistics, Omit<JudgedRankingsOptions, "primary">, Pick<CompareScoresOptions, "known"> {}

/**
 * One run by itself, held against a golden set: its scores with intervals, slices, where the first relevant
 * hits stand, and every query with its ranking, its answer's checks and its error.
 *
 * @throws InputError as `computeAggregate` does; `ARGUMENT` for a metric or label that is not there.
 */
export function reportRun(run: EvalRun, golden: Golden, options: ReportRunOptions = {}): RunReport {
  checkOptions(options);
  const judge = judgeAlone(run, golden, options);
  const aggregator = new Aggregator(judge, options);
  const statistics = new RunStatistics(
    [run],
    [aggregator],
    { ...options, channels: [options.channels] },
    null,
  );
  const answers = new Map<string, AnswerVerdict>();
  const leftOut = new Set<string>();
  for (const query of judge.queries) {
    const judged = judge.judge(query);
    const aggregated = aggregator.add(judged);
    statistics.add([judged], [aggregated]);
    if (judged.result?.answer != null) answers.set(query.id, aggregated.answer);
    // What is left out of the means is not missed either.
    if (aggregated.scores === null) leftOut.add(query.id);
  }
  const aggregate = aggregator.result();
  const tables = statistics.tables([aggregate], true);
  return runReportOf(tables[0] as ScoreTable, statistics.settle(tables), {
    relevantFrom: RELEVANT_FROM,
    ranked: (id) => ({ ...statistics.rankQuery(id), ...(leftOut.has(id) && { first_relevant: null }) }),
    results: resultsByQuery(run),
    answer: (id) => answers.get(id) ?? null,
    further: aggregator.columns
      .filter(({ isMean }) => !isMean)
      .map(({ name, card }) => ({
        name,
        card,
        score: {
          metric: name,
          queries: ownValue(aggregate.support, name) ?? 0,
          mean: ownValue(aggregate.metrics, name) ?? null,
          interval: null,
        },
      })),
  });
}

/**
 * One run by itself, held against judgments: what {@link reportRun} says, but for answers.
 *
 * @param metrics names (`"nDCG@10"`), or metrics. Queries are sorted by the first unless `primary` names
 * another.
 * @throws InputError as `evaluate` does; `ARGUMENT` for a metric or label that is not there.
 */
export function reportSystem(
  system: ComparedSystem,
  qrels: QrelsInput,
  metrics: readonly (string | Metric)[],
  options: ReportSystemOptions = {},
): RunReport {
  checkOptions(options);
  checkCompared([system], "systems");
  const prepared = prepareQrels(qrels);
  const evaluation = evaluate(system.run, prepared, metrics, options);
  const table = tableOfSystem(system, evaluation, prepared);
  const evidence = new JudgedRankings([system], [evaluation], prepared, options);
  return runReportOf(table, options, {
    relevantFrom: evidence.relevantFrom,
    ranked: (id) => evidence.query(id),
    results: isRecordedRun(system.run) ? resultsByQuery(system.run) : null,
    answered: evaluation.answered,
    answer: () => null,
    further: listFurtherMetrics(evaluation, table),
  });
}

/** Metrics that are no means of their queries' scores, such as counts: a value, and nothing else. */
function listFurtherMetrics(
  evaluation: Evaluation,
  { metrics: kept, queryIds }: ScoreTable,
): FurtherMetric[] {
  const { metrics, metric_cards } = evaluation.record();
  const means = new Set(kept.map(({ name }) => name));
  return Object.entries(metrics)
    .filter(([name]) => !means.has(name))
    .map(([name, value]) => ({
      name,
      card: metric_cards[name] as MetricCard,
      score: { metric: name, queries: queryIds.length, mean: value, interval: null },
    }));
}

interface FurtherMetric extends ScoredMetric {
  readonly score: MeanScore;
}

/** What is known of a run besides its scores. */
interface RunEvidence {
  readonly relevantFrom: number;
  readonly ranked: (queryId: string) => RankedQuery;
  /** Null for a run that was not recorded. */
  readonly results: ReadonlyMap<string, QueryResult> | null;
  /** Queries with a result; counted among the results unless given. */
  readonly answered?: number;
  readonly answer: (queryId: string) => ReportedQuery["answer"];
  readonly further: readonly FurtherMetric[];
}

function runReportOf(
  table: ScoreTable,
  options: CompareScoresOptions,
  { relevantFrom, ranked, results, answered, answer, further }: RunEvidence,
): RunReport {
  const { run, facts, queryIds, metrics, columns } = table;
  const { primary, seed, resamples, confidence } = resolveSettings(options, metrics, queryIds.length);
  const settings = { seed, resamples, confidence };
  const known = queryIds.map((id) => options.known?.get(id) ?? {});
  const wordings = wordingsOf(known);
  const perQuery = queryIds.map((query_id, row): ReportedQuery => {
    const { overlap: _, ...shown } = ranked(query_id);
    const result = results?.get(query_id);
    return {
      query_id,
      query: known[row]?.query ?? result?.query ?? null,
      labels: { ...known[row]?.labels },
      scores: [[...columns.map((column) => finite(column[row] as number)), ...further.map(() => null)]],
      ...shown,
      elapsed_ms: result?.elapsed_ms ?? null,
      answer: answer(query_id),
    };
  });
  return {
    schema_version: 1,
    kind: "run_report",
    run: {
      run,
      ...facts,
      queries: queryIds.length,
      answered: answered ?? queryIds.filter((id) => results?.has(id) === true).length,
    },
    metrics: [...meanScores(table, null, wordings, settings), ...further.map(({ score }) => score)],
    metric_cards: Object.fromEntries([...metrics, ...further].map(({ name, card }) => [name, card])),
    primary,
    relevant_from: relevantFrom,
    conventions: table.conventions ?? null,
    settings,
    first_ranks: firstRanks(perQuery),
    latency_ms: table.latency ?? null,
    failed_results: table.failedResults ?? null,
    slices: slicesOf(
      table,
      known.map(({ labels = {} }) => labels),
      { ...settings, primary, wordings, only: options.slices },
    ),
    per_query: perQuery,
    warnings: [...(table.warnings ?? [])],
  };
}

/** The means over some of the queries; over all unless rows are given. */
function meanScores(
  { metrics, queryIds, columns: all, means = {}, overall, failedResults }: ScoreTable,
  rows: readonly number[] | null,
  wordings: Wordings | null,
  settings: RunReport["settings"],
): MeanScore[] {
  // In the order of comparisons, so that a score has one interval wherever it is shown.
  const chosen = [...(rows ?? queryIds.keys())].sort((x, y) =>
    compareIds(queryIds[x] as string, queryIds[y] as string),
  );
  const shown = all.map((column) => Float64Array.from(chosen, (row) => column[row] as number));
  const columns = shown.map((column) => column.filter((score) => !Number.isNaN(score)));
  const ofChosen = wordings && chosen.map((row) => wordings[row] ?? null);
  const intervals = groupedMeanIntervals(shown, ofChosen, {
    ...settings,
    least: metrics.map(({ card }) => card.range[0] ?? -Infinity),
    most: metrics.map(({ card }) => card.range[1] ?? Infinity),
  });
  return metrics.map(({ name }, at) => {
    const column = columns[at] as Float64Array;
    const mean = (rows === null ? ownValue(means, name) : undefined) ?? roundMean(column);
    const ofRun = rows === null ? ownValue(overall, name) : undefined;
    // What is counted over all results has no interval of the queries that were judged.
    const isOfOthers = ofRun !== undefined && ofRun !== mean;
    return {
      metric: name,
      queries: isOfOthers ? (failedResults?.results ?? column.length) : column.length,
      mean: ofRun ?? mean,
      interval: isOfOthers ? null : (intervals[at] ?? null),
    };
  });
}

function slicesOf(
  table: ScoreTable,
  labels: readonly QueryLabels[],
  {
    primary,
    wordings,
    only,
    ...settings
  }: RunReport["settings"] & {
    readonly primary: string | null;
    readonly wordings: Wordings | null;
    readonly only: readonly string[] | undefined;
  },
): RunReport["slices"] {
  checkLabels(only ?? [], labels);
  const sign = table.metrics.find(({ name }) => name === primary)?.card.higher_is_better === false ? -1 : 1;
  const primaryOf = ({ metrics }: RunReport["slices"][number]): number => {
    const mean = metrics.find(({ metric }) => metric === primary)?.mean ?? null;
    return mean === null ? Infinity : sign * mean;
  };
  return groupsOf(labels, only).flatMap(([by, values]) =>
    [...values]
      // Within one intent its wordings are all there is.
      .map(([value, rows]) => ({
        by,
        value,
        metrics: meanScores(table, rows, by === "group" ? null : wordings, settings),
      }))
      .sort((x, y) => ascending(primaryOf(x), primaryOf(y)) || compareIds(x.value, y.value)),
  );
}

/** Above each of these ranks a group begins; further down fewer people look. */
const LAST_RANKS = [1, 2, 3, 5, 10, 20, 50, 100, 1000];

function firstRanks(queries: readonly ReportedQuery[]): RunReport["first_ranks"] {
  const relevant = queries.filter(
    ({ expected, first_relevant }) => first_relevant != null && expected !== null && expected.length > 0,
  );
  const firsts = relevant.flatMap(({ first_relevant }) => first_relevant?.[0] ?? []);
  const groups = [...LAST_RANKS, null].map((to, at) => {
    const from = (LAST_RANKS[at - 1] ?? 0) + 1;
    return { from, to, queries: firsts.filter((rank) => rank >= from && rank <= (to ?? Infinity)).length };
  });
  // Ranks that no list reached say nothing.
  const last = groups.findLastIndex(({ queries: found }) => found > 0);
  return { ranks: groups.slice(0, last + 1), missed: relevant.length - firsts.length };
}
