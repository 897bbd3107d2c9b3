import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import type { FractionSum } from "../foundation/numbers/index.js";
import type { Metric } from "../metrics/index.js";
import type { JudgedRanking } from "../metrics/index.js";
import type { Conventions, EvaluationCounts, Warning } from "../records/index.js";
import { Evaluation, type MetricAggregate, type Span } from "./evaluation.js";
import type { JudgedHits } from "./judge-hits.js";
import { aggregateScores, MetricMean, noScore } from "../metrics/internal.js";
import { warnOfSheet } from "./sheet-warnings.js";
import { expectScore, spreadOf } from "./tie-orders.js";
import { boundsOf } from "./unjudged-bounds.js";

/** What a score sheet is told about the whole evaluation. */
export interface SheetOptions {
  readonly conventions: Conventions;
  /** The highest grade of the judgments. */
  readonly highest: number;
  readonly tieSpread: boolean;
  readonly bounds: boolean;
  /** How many queries are judged. */
  readonly queries: number;
}

/** What a sheet holds, queries in the order of their ids: a sheet of other queries can take it along. */
export interface SheetContent {
  readonly queryIds: readonly string[];
  readonly missing: readonly string[];
  readonly scores: readonly Float64Array[];
  readonly spreads: SpanColumns | null;
  readonly bounds: SpanColumns | null;
  readonly fractions: readonly FractionSum[];
  readonly counts: EvaluationCounts;
  readonly answered: number;
  readonly firstUnjudged: string | null;
  readonly hasSubtopics: boolean;
}

/** Lowest and highest scores, by metric and then by query. */
export interface SpanColumns {
  readonly low: readonly Float64Array[];
  readonly high: readonly Float64Array[];
}

/**
 * One column of scores for each metric, in the order in which queries come; put in order of the ids at the
 * end.
 */
class Columns {
  readonly #columns: Float64Array[];
  #count = 0;

  /**
   * @param expected how many queries there will be, more or less: what is never written takes no memory, but
   * growing copies.
   */
  constructor(width: number, expected: number) {
    this.#columns = Array.from({ length: width }, () => new Float64Array(expected));
  }

  add(score: (column: number) => number): void {
    const row = this.#count++;
    for (let at = 0; at < this.#columns.length; at++) {
      let column = this.#columns[at] as Float64Array;
      if (row === column.length) {
        const larger = new Float64Array(2 * row + 1);
        larger.set(column);
        column = this.#columns[at] = larger;
      }
      column[row] = score(at);
    }
  }

  addAll(columns: readonly Float64Array[]): void {
    for (let row = 0; row < (columns[0]?.length ?? 0); row++)
      this.add((at) => (columns[at] as Float64Array)[row] as number);
  }

  /** The columns in another order: `order` says for each place where its score is. To be called once. */
  inOrder(order: readonly number[]): readonly Float64Array[] {
    this.#columns.forEach((column, at) => {
      const ordered = new Float64Array(order.length);
      for (let place = 0; place < order.length; place++)
        ordered[place] = column[order[place] as number] as number;
      this.#columns[at] = ordered;
    });
    return this.#columns;
  }
}

/** A lowest and a highest score for each query; null for metrics that have none. */
interface Spans {
  readonly of: readonly (((judged: JudgedRanking) => Span) | null)[];
  readonly low: Columns;
  readonly high: Columns;
}

/** Takes the queries of a run one after the other, in any order, and makes the evaluation of them. */
export class ScoreSheet {
  /** How many judged queries the run answers, and the first of its queries without judgments. */
  #answered = 0;
  #firstUnjudged: string | null = null;
  /** Whether a metric of diversity has not met more than one subtopic yet. */
  #areSubtopicsSought: boolean;
  readonly #options: SheetOptions;
  readonly #means: readonly MetricMean[];
  readonly #scorers: readonly ((judged: JudgedRanking) => number)[];
  readonly #cutoffs: readonly number[];
  readonly #scores: Columns;
  readonly #spreads: Spans | null;
  readonly #bounds: Spans | null;
  readonly #queryIds: string[] = [];
  readonly #missing: string[] = [];
  readonly #counts: EvaluationCounts = {
    queries: 0,
    missing_queries: 0,
    unjudged_queries: 0,
    no_relevant: 0,
    hits: 0,
    unjudged_hits: 0,
    tied_queries: 0,
    ties_at_cutoff: 0,
    duplicates: 0,
  };

  constructor(metrics: readonly Metric[], options: SheetOptions) {
    this.#options = options;
    this.#areSubtopicsSought = metrics.some(({ definition }) => definition.needs === "subtopics");
    this.#means = metrics.map((metric) => new MetricMean(metric));
    this.#scorers = options.conventions.ties === "expected" ? metrics.map(expectScore) : [];
    this.#cutoffs = [
      ...new Set(
        metrics.flatMap(({ cutoff, definition }) =>
          cutoff === undefined || definition.cutoff === "recall level" ? [] : [cutoff],
        ),
      ),
    ];
    const columns = (): Columns => new Columns(metrics.length, options.queries);
    this.#scores = columns();
    const { noRelevant, unjudged, depth, ties } = options.conventions;
    if (depth !== null && (options.tieSpread || ties === "expected"))
      throw new InputError(
        "ARGUMENT",
        "`depth` cuts tied hits apart, which leaves no exact mean or spread over their orders; use " +
          "metrics with a cutoff",
      );
    this.#spreads = options.tieSpread ? { of: metrics.map(spreadOf), low: columns(), high: columns() } : null;
    // A label can make a query relevant, or bring an unjudged hit back: then there is no exact form.
    const hasBounds = noRelevant === "zero" && unjudged === "irrelevant";
    this.#bounds = options.bounds
      ? {
          of: metrics.map((metric) => (hasBounds ? boundsOf(metric, options.highest) : null)),
          low: columns(),
          high: columns(),
        }
      : null;
  }

  /** A judged query that the run answers. */
  addAnswered(
    queryId: string,
    { judged, hits, unjudged, hasTies, isTied }: JudgedHits,
    duplicates: number,
  ): void {
    const counts = this.#counts;
    if (
      duplicates > 0 &&
      (this.#spreads !== null || this.#bounds !== null || this.#options.conventions.ties === "expected")
    ) {
      throw new InputError(
        "RUN_DUPLICATE_HIT",
        `query ${quote(queryId)}: an item is duplicated, so that there is no exact mean or ` +
          "spread over ties and no bound; remove the copies",
        { queryId },
      );
    }
    this.#answered++;
    counts.hits += hits;
    counts.unjudged_hits += unjudged;
    counts.duplicates += duplicates;
    if (hasTies) {
      counts.tied_queries++;
      if (this.#cutoffs.some(isTied)) counts.ties_at_cutoff++;
    }
    this.#score(queryId, judged);
  }

  /** A judged query that the run does not answer. */
  missing(queryId: string, judged: JudgedRanking): void {
    this.#missing.push(queryId);
    if (this.#options.conventions.queries === "judged") this.#score(queryId, judged);
  }

  /** A query of the run without judgments. */
  addUnjudged(queryId: string): void {
    this.#counts.unjudged_queries++;
    this.#firstUnjudged = lowerId(this.#firstUnjudged, queryId);
  }

  /** Takes along the queries of another sheet of the same metrics and options. */
  add(content: SheetContent): void {
    for (const queryId of content.queryIds) this.#queryIds.push(queryId);
    for (const queryId of content.missing) this.#missing.push(queryId);
    this.#scores.addAll(content.scores);
    for (const [own, given] of [
      [this.#spreads, content.spreads],
      [this.#bounds, content.bounds],
    ] as const) {
      own?.low.addAll(given?.low ?? []);
      own?.high.addAll(given?.high ?? []);
    }
    content.fractions.forEach((sum, column) => this.#means[column]?.exact.addFractions(sum));
    for (const [name, count] of Object.entries(content.counts))
      this.#counts[name as keyof EvaluationCounts] += count;
    this.#answered += content.answered;
    if (content.firstUnjudged !== null)
      this.#firstUnjudged = lowerId(this.#firstUnjudged, content.firstUnjudged);
    if (content.hasSubtopics) this.#areSubtopicsSought = false;
  }

  /** Everything, put in order. To be called once, and nothing after it. */
  content(): SheetContent {
    const order = this.#order();
    const orderSpans = (spans: Spans | null): SpanColumns | null =>
      spans && { low: spans.low.inOrder(order), high: spans.high.inOrder(order) };
    return {
      queryIds: order.map((index) => this.#queryIds[index] as string),
      missing: this.#missing.sort(compareIds),
      scores: this.#scores.inOrder(order),
      spreads: orderSpans(this.#spreads),
      bounds: orderSpans(this.#bounds),
      fractions: this.#means.map(({ exact }) => exact.fractions),
      counts: { ...this.#counts, queries: order.length, missing_queries: this.#missing.length },
      answered: this.#answered,
      firstUnjudged: this.#firstUnjudged,
      hasSubtopics: !this.#areSubtopicsSought,
    };
  }

  /** The queries by id. */
  #order(): number[] {
    return this.#queryIds
      .map((_, index) => index)
      .sort((a, b) => compareIds(this.#queryIds[a] as string, this.#queryIds[b] as string));
  }

  #score(queryId: string, judged: JudgedRanking): void {
    const { noRelevant, ties } = this.#options.conventions;
    const hasRelevant = (judged.pool[0] ?? 0) > 0;
    if (!hasRelevant) {
      this.#counts.no_relevant++;
      if (noRelevant === "skip") return;
    }
    // What is about judgments and not about relevance stays as it is.
    const isOne = ({ definition }: Metric): boolean =>
      !hasRelevant && noRelevant === "one" && definition.judgedOnly !== false;
    if (this.#areSubtopicsSought) this.#areSubtopicsSought = !hasSeveralSubtopics(judged);
    this.#queryIds.push(queryId);
    this.#scores.add((column) => {
      const mean = this.#means[column] as MetricMean;
      if (isOne(mean.metric)) return 1;
      return ties === "expected" && judged.tied !== undefined
        ? (this.#scorers[column] as (judged: JudgedRanking) => number)(judged)
        : mean.add(judged, queryId);
    });
    for (const spans of [this.#spreads, this.#bounds]) {
      if (spans === null) continue;
      const ofQuery = spans.of.map((of, column) =>
        isOne((this.#means[column] as MetricMean).metric) ? { low: 1, high: 1 } : of?.(judged),
      );
      ofQuery.forEach((span, column) => {
        const { low, high } = span ?? { low: 0, high: 0 };
        if (!Number.isFinite(low + high))
          noScore(
            (this.#means[column] as MetricMean).metric,
            `${low} to ${high}`,
            queryId,
            "between finite numbers",
          );
      });
      spans.low.add((column) => ofQuery[column]?.low ?? 0);
      spans.high.add((column) => ofQuery[column]?.high ?? 0);
    }
  }

  result(run: string | null, warnings: readonly Warning[]): Evaluation {
    const order = this.#order();
    const columns = this.#scores.inOrder(order);
    const { means } = this.#options.conventions;
    const aggregate = (of: readonly Float64Array[], column: number): number =>
      aggregateScores((this.#means[column] as MetricMean).metric, of[column] as Float64Array, means);
    const span = (spans: Spans | null): ((column: number) => Span | null) => {
      if (spans === null) return () => null;
      const [low, high] = [spans.low.inOrder(order), spans.high.inOrder(order)];
      return (column) =>
        spans.of[column] === null ? null : { low: aggregate(low, column), high: aggregate(high, column) };
    };
    const spread = span(this.#spreads);
    const bounds = span(this.#bounds);
    const aggregates = this.#means.map((mean, column): MetricAggregate => {
      const scores = columns[column] as Float64Array;
      let value: number | undefined;
      let rounded: number | undefined;
      return {
        metric: mean.metric,
        // Exact fractions take time; who wants the one need not wait for the other.
        get value() {
          return (value ??= means === "exact" ? mean.value(scores) : aggregate(columns, column));
        },
        get rounded() {
          return (rounded ??= mean.roundValue(scores));
        },
        tieSpread: spread(column),
        bounds: bounds(column),
      };
    });
    return new Evaluation({
      run,
      conventions: this.#options.conventions,
      aggregates,
      queryIds: order.map((index) => this.#queryIds[index] as string),
      columns,
      missingQueries: this.#missing.sort(compareIds),
      counts: { ...this.#counts, queries: order.length, missing_queries: this.#missing.length },
      answered: this.#answered,
      firstUnjudgedQuery: this.#firstUnjudged,
      warnings: [
        ...warnOfSheet({
          counts: this.#counts,
          judgedQueries: this.#options.queries,
          answered: this.#answered,
          missing: this.#missing.length,
          scored: this.#queryIds.length,
          firstUnjudged: this.#firstUnjudged,
          areSubtopicsSought: this.#areSubtopicsSought,
          noRelevant: this.#options.conventions.noRelevant,
        }),
        ...warnings,
      ],
    });
  }
}

/** The first of two ids. */
function lowerId(a: string | null, b: string): string {
  return a === null || compareIds(b, a) < 0 ? b : a;
}

function hasSeveralSubtopics({ subtopics }: JudgedRanking): boolean {
  const first = subtopics?.documents.flat()[0]?.[0];
  return subtopics?.documents.some((grades) => grades.some(([subtopic]) => subtopic !== first)) ?? false;
}
