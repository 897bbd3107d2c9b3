import {
  aggregateFields,
  checkOptions,
  countFailedResults,
  failedQueries,
  listKnownQueries,
  labelOfField,
  RELEVANT_FROM,
  runFacts,
  readScore,
  type AggregateMetrics,
  type EvalRun,
  type JudgedUnit,
  type KnownQuery,
  type ScoreComparison,
  type Undecided,
} from "../records/index.js";
import { ownValue } from "../foundation/checks/index.js";
import { quote } from "../foundation/errors/index.js";
import { countOf, formatCount } from "../foundation/numbers/index.js";
import type { AggregatedColumn, Aggregator, AggregatedQuery, JudgedQuery } from "../golden/index.js";
import type { DocSpanMatching } from "../matching/index.js";
import type { SeveralRuns } from "./several-runs.js";
import type { CompareSeveralOptions } from "./compare-options.js";
import { checkStatistics, refuseNoMeans } from "./comparison-settings.js";
import { comparisonOf, UNRANKED, type CompareScoresOptions, type RankedQuery } from "./compare-scores.js";
import { goldenEvidence } from "./golden-evidence.js";
import { otherDepths, seenDepth, type SeenDepth } from "./other-depths.js";
import { hasMetric, type ScoreTable } from "./score-table.js";

/** The default primary metric: the first of these that all runs were measured by. */
const PRIMARIES = ["MRR@10", "doc recall@10", "text checks", "refusal correctness", "citation coverage"];
const NOTHING_UNJUDGED = { doubt: null, judgeNext: [] };

/** Gathers the scores of runs, query by query, on their way to a {@link ScoreComparison}. */
export class RunStatistics {
  readonly #runs: readonly EvalRun[];
  readonly #aggregators: readonly Aggregator[];
  readonly #options: CompareSeveralOptions;
  readonly #evidence: ReturnType<typeof goldenEvidence>;
  /** Words and labels of the queries that were added. */
  readonly known = new Map<string, KnownQuery>();
  readonly #shown = new Map<string, RankedQuery>();
  /** By run, then by metric: a score for each query in the order of `known`. */
  readonly #columns: readonly (readonly number[][])[];
  /** By run: queries without a result that are left out of its means. */
  readonly #leftOut: readonly string[][];

  /** How chunks of different chunkers are matched; null where they are matched by id. */
  readonly #docSpan: DocSpanMatching | null;
  /** Queries that expect chunks, and those of them whose chunks were matched by their documents alone. */
  readonly #ofChunks = { all: 0, unplaced: 0 };
  /** By run: those for which it found no chunk, but documents in which its hits could not be placed. */
  readonly #blind: number[];

  constructor(
    runs: readonly EvalRun[],
    aggregators: readonly Aggregator[],
    options: CompareSeveralOptions,
    docSpan: DocSpanMatching | null,
  ) {
    // What is wrong with them is said before runs are judged.
    checkOptions(options.statistics);
    checkStatistics(options, options.statistics);
    this.#runs = runs;
    this.#aggregators = aggregators;
    this.#docSpan = docSpan;
    this.#options = { ...options, statistics: byLabel(options.statistics) };
    const primary = this.#options.statistics?.primary ?? options.metrics?.[0]?.name ?? null;
    this.#evidence = goldenEvidence(options.channels ?? [], runs, options, {
      primary,
      unit: unitOf(primary, options) ?? "chunk",
    });
    this.#columns = aggregators.map(({ columns }) => columns.map(() => []));
    this.#leftOut = aggregators.map(() => []);
    this.#blind = aggregators.map(() => 0);
  }

  /** Takes a query as each run answered it. */
  add(judged: readonly JudgedQuery[], aggregated: readonly AggregatedQuery[]): void {
    const { query, chunkIds } = judged[0] as JudgedQuery;
    if (chunkIds.length > 0) this.#ofChunks.all++;
    if (this.#docSpan?.isUnplaced(query) === true) this.#ofChunks.unplaced++;
    for (const [id, known] of listKnownQueries([query])) this.known.set(id, known);
    this.#shown.set(query.id, this.#evidence(judged));
    judged.forEach(({ isBlind }, run) => {
      if (isBlind) (this.#blind[run] as number)++;
    });
    aggregated.forEach(({ scores }, run) => {
      if (scores === null) this.#leftOut[run]?.push(query.id);
      this.#columns[run]?.forEach((column, at) => column.push(scores?.[at] ?? NaN));
    });
  }

  /**
   * @param aggregates of the runs.
   * @param tellsWarnings whether theirs are told; a report that has the aggregates tells them itself.
   * @param several for more than two runs.
   */
  comparison(
    aggregates: readonly AggregateMetrics[],
    tellsWarnings: boolean,
    several?: SeveralRuns,
  ): ScoreComparison {
    const tables = this.tables(aggregates, tellsWarnings);
    const evidence = {
      relevantFrom: RELEVANT_FROM,
      query: (id: string) => this.rankQuery(id),
      listUnjudged: () => NOTHING_UNJUDGED,
    };
    const options = this.settle(tables);
    const comparison = comparisonOf(tables, options, {
      evidence,
      several,
      undecided: (...between) => this.#findDoubt(...between),
    });
    const cards = this.#columnsWithoutMeans().map(({ name, card }) => [name, card] as const);
    return { ...comparison, metric_cards: { ...Object.fromEntries(cards), ...comparison.metric_cards } };
  }

  #findDoubt(metric: string, from: number, to: number): Undecided | undefined {
    const unseen = this.#chunksUnseen(metric, [from, to]);
    if (unseen !== undefined) return { why: unseen };
    const [a, b] = [this.#runs[from], this.#runs[to]];
    return a && b && otherDepths(metric, depthOf(metric, this.#options), a, b);
  }

  /**
   * Where for most queries any hit in the right document counts, chunks are not told apart; where none of it
   * can count, they are not seen.
   */
  #chunksUnseen(metric: string, runs: readonly number[]): string | undefined {
    const { all, unplaced } = this.#ofChunks;
    if (unitOf(metric, this.#options) !== "chunk") return undefined;
    const blind = runs.find((each) => 2 * (this.#blind[each] ?? 0) > all);
    if (blind !== undefined)
      return (
        `${metric} cannot see what ${quote(this.#runs[blind]?.run_id)} found: the chunkers differ, ` +
        `and its hits in expected documents have no place for ${formatCount(this.#blind[blind] ?? 0)} of ` +
        `${countOf(all, "query")}, or one of another kind than the expected. Return \`source_spans\` of ` +
        "one kind (lines, bytes) from both systems, or decide by documents."
      );
    if (2 * unplaced <= all) return undefined;
    const whose = unplaced === all ? "" : ` of ${formatCount(unplaced)} of ${countOf(all, "query")}`;
    const advice =
      this.#docSpan?.expectedVersion == null
        ? "name the `chunker_version` of the golden set"
        : "say where its chunks lie (--corpus)";
    return (
      `${metric} cannot tell chunks apart: the chunkers differ, and no place of an expected chunk` +
      `${whose} is known, so that any hit in its document counts. Add \`expected_spans\`, ${advice}, or ` +
      "decide by documents."
    );
  }

  /** The scores of each run, by the metrics that it was measured by. */
  tables(aggregates: readonly AggregateMetrics[], tellsWarnings: boolean): ScoreTable[] {
    const measured = this.#measureAll();
    return measured.map((table, run) => ({
      ...table,
      facts: runFacts(this.#runs[run] as EvalRun),
      means: listStoredMeans(aggregates[run] as AggregateMetrics),
      overall: {
        "empty results": aggregates[run]?.empty_result_rate ?? 0,
        ...this.#noMeans(aggregates[run] as AggregateMetrics),
      },
      latency: aggregates[run]?.latency_ms ?? null,
      failedResults: countFailedResults((this.#runs[run] as EvalRun).results, (id) => this.known.has(id)),
      unanswered: aggregates[run]?.missing_queries,
      notAnswered: [
        ...(aggregates[run]?.missing_queries ?? []),
        ...failedQueries((this.#runs[run] as EvalRun).results),
      ],
      leftOut: this.#leftOut[run],
      isAnswering: (aggregates[run]?.missing_queries.length ?? 0) < this.known.size || this.known.size === 0,
      warnings: tellsWarnings ? aggregates[run]?.warnings : [],
    }));
  }

  /** Metrics that are no means over queries: counts, geometric means. */
  #noMeans({ metrics, support }: AggregateMetrics): Record<string, number> {
    const measured = this.#columnsWithoutMeans().flatMap(({ name }) => {
      const value = (ownValue(support, name) ?? 0) === 0 ? undefined : ownValue(metrics, name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(measured);
  }

  #columnsWithoutMeans(): AggregatedColumn[] {
    return (this.#aggregators[0] as Aggregator).columns.filter(({ isMean }) => !isMean);
  }

  /** The rankings of a query that was added. */
  rankQuery(queryId: string): RankedQuery {
    return this.#shown.get(queryId) ?? UNRANKED;
  }

  /** The options of a comparison, with the metric that decides. */
  settle(tables: readonly ScoreTable[]): CompareScoresOptions {
    refuseNoMeans(
      this.#columnsWithoutMeans().map(({ name }) => name),
      this.#options.statistics,
    );
    const [first] = tables;
    const names = (first?.metrics ?? [])
      .map(({ name }) => name)
      .filter((name) => tables.every((table) => hasMetric(table, name)));
    const asked = this.#options.metrics?.map(({ name }) => name) ?? [];
    const primary =
      this.#options.statistics?.primary ??
      [...asked, ...PRIMARIES].find((name) => names.includes(name)) ??
      null;
    return { ...this.#options.statistics, primary, known: this.known };
  }

  /** The means by which a run was measured; a count or a geometric mean cannot be compared query by query. */
  #measureAll(): ScoreTable[] {
    const { columns } = this.#aggregators[0] as Aggregator;
    const { guards = [], primary } = this.#options.statistics ?? {};
    // What was asked for by name stays, also where nothing was measured: that is an answer, too.
    const asked = new Set([
      primary,
      ...guards.map((guard) => (typeof guard === "string" ? guard : guard.metric)),
    ]);
    const isKept = ({ name, isMean }: AggregatedColumn, scores: readonly number[]): boolean =>
      isMean && (asked.has(name) || scores.some((score) => !Number.isNaN(score)));
    const ids = this.#runs.map(({ run_id }) => run_id);
    // A run against itself is a fine test of a setup.
    const names =
      ids.length === 2 && ids[0] === ids[1] ? [`${ids[0] as string} (a)`, `${ids[1] as string} (b)`] : ids;
    return this.#columns.map((scores, run) => {
      const kept = scores.flatMap((of, at) => {
        const column = columns[at] as AggregatedColumn;
        return isKept(column, of) ? [{ name: column.name, card: column.card, scores: of }] : [];
      });
      return {
        run: names[run] as string,
        metrics: kept.map(({ name, card }) => ({ name, card })),
        queryIds: [...this.known.keys()],
        columns: kept.map((column) => column.scores),
      };
    });
  }
}

/** What a metric is about; null for the checks of answers. */
function unitOf(
  metric: string | null,
  { metrics, unit = "chunk" }: CompareSeveralOptions,
): JudgedUnit | null {
  if (metrics?.some(({ name }) => name === metric) === true) return unit;
  return aggregateFields.find(({ label }) => label === metric)?.unit ?? null;
}

/** Checks of answers look at no rank. */
function depthOf(metric: string, { metrics }: CompareSeveralOptions): SeenDepth {
  const further = metrics?.find(({ name }) => name === metric);
  if (further !== undefined) return seenDepth(further);
  return { cutoff: aggregateFields.find(({ label }) => label === metric)?.cutoff ?? 0, neverFalls: true };
}

/** Fields of the aggregate may be named as in the record, too. */
function byLabel(statistics: CompareSeveralOptions["statistics"]): CompareSeveralOptions["statistics"] {
  if (statistics === undefined) return undefined;
  const { primary, guards } = statistics;
  return {
    ...statistics,
    primary: typeof primary === "string" ? labelOfField(primary) : primary,
    guards: guards?.map((guard) =>
      typeof guard === "string" ? labelOfField(guard) : { ...guard, metric: labelOfField(guard.metric) },
    ),
  };
}

/**
 * The means that the aggregate has already, by printed name; but for the rate of empty results, which counts
 * results outside the golden set, too.
 */
function listStoredMeans(aggregate: AggregateMetrics): Record<string, number> {
  const fields = aggregateFields.flatMap((field) => {
    const score = field.path[0] === "empty_result_rate" ? null : readScore(field, aggregate);
    return score === null ? [] : [[field.label, score] as const];
  });
  return { ...Object.fromEntries(fields), ...aggregate.metrics };
}
