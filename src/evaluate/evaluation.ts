import { InputError, quote } from "../foundation/errors/index.js";
import { parseMetric, type Metric } from "../metrics/index.js";
import { roundTo4 } from "../foundation/numbers/index.js";
import type { Conventions, EvaluationCounts, EvaluationRecord, Warning } from "../records/index.js";
import { cardRecord } from "../metrics/internal.js";

/** An aggregate's lowest and highest possible value. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** One metric's aggregate, in full precision and at 4 decimals. */
export interface MetricAggregate {
  readonly metric: Metric;
  readonly value: number;
  /** At 4 decimals, from exact fractions where the metric has them. */
  readonly rounded: number;
  /** With tied hits in the worst and in the best order; null unless asked for. */
  readonly tieSpread: Span | null;
  /** Were every unjudged hit judged; null unless asked for, or without an exact form. */
  readonly bounds: Span | null;
}

/** What an {@link Evaluation} is made of. */
export interface EvaluationParts {
  readonly run: string | null;
  readonly conventions: Conventions;
  readonly aggregates: readonly MetricAggregate[];
  readonly queryIds: readonly string[];
  readonly columns: readonly Float64Array[];
  readonly missingQueries: readonly string[];
  readonly counts: EvaluationCounts;
  readonly answered: number;
  readonly firstUnjudgedQuery: string | null;
  readonly warnings: readonly Warning[];
}

/**
 * The scores of one run: per query, and over all queries. `JSON.stringify` gives an {@link EvaluationRecord}.
 */
export class Evaluation {
  readonly run: string | null;
  readonly conventions: Conventions;
  readonly aggregates: readonly MetricAggregate[];
  /** The queries that the aggregates are over, by code point. */
  readonly queryIds: readonly string[];
  /** The scores in full precision: by metric in the order of `aggregates`, then by query as in `queryIds`. */
  readonly columns: readonly Float64Array[];
  /** Judged queries that the run does not answer, by code point. */
  readonly missingQueries: readonly string[];
  readonly counts: EvaluationCounts;
  /** How many judged queries the run answers. */
  readonly answered: number;
  /** The first query of the run that has no judgments; null where all have. */
  readonly firstUnjudgedQuery: string | null;
  readonly warnings: readonly Warning[];
  readonly #places: ReadonlyMap<string, number>;
  #rows: Map<string, number> | null = null;

  constructor(parts: EvaluationParts) {
    this.run = parts.run;
    this.conventions = parts.conventions;
    this.aggregates = parts.aggregates;
    this.queryIds = parts.queryIds;
    this.columns = parts.columns;
    this.missingQueries = parts.missingQueries;
    this.counts = parts.counts;
    this.answered = parts.answered;
    this.firstUnjudgedQuery = parts.firstUnjudgedQuery;
    this.warnings = parts.warnings;
    // From the last, so that of two metrics of one name the first counts.
    this.#places = new Map(
      parts.aggregates.map(({ metric }, column): [string, number] => [metric.name, column]).reverse(),
    );
  }

  /**
   * A metric's aggregate, in full precision.
   *
   * @param metric its printed name, or another one that it goes by.
   */
  mean(metric: string): number {
    return (this.aggregates[this.#placeOf(metric)] as MetricAggregate).value;
  }

  /** One query's score, in full precision; undefined for a query that the aggregates are not over. */
  score(queryId: string, metric: string): number | undefined {
    this.#rows ??= new Map(this.queryIds.map((id, row) => [id, row]));
    const row = this.#rows.get(queryId);
    const column = this.columns[this.#placeOf(metric)];
    return row === undefined ? undefined : column?.[row];
  }

  /** All queries' scores of a metric, in the order of `queryIds`: a list of the caller's own. */
  column(metric: string): Float64Array {
    return (this.columns[this.#placeOf(metric)] as Float64Array).slice();
  }

  #placeOf(name: string): number {
    const place = this.#places.get(name) ?? this.#places.get(canonicalName(name));
    if (place === undefined)
      throw new InputError(
        "ARGUMENT",
        `${quote(name)} was not computed; there are ` +
          `${this.aggregates.map(({ metric }) => quote(metric.name)).join(", ")}`,
      );
    return place;
  }

  /** The record that is stored: aggregates at 4 decimals. */
  toJSON(): EvaluationRecord {
    return this.record();
  }

  /**
   * The record that is stored: aggregates at 4 decimals.
   *
   * @param options `perQuery`: whether the scores of the queries go into it, in full precision.
   */
  record({ perQuery = false }: { perQuery?: boolean } = {}): EvaluationRecord {
    const byName = <T>(value: (aggregate: MetricAggregate) => T): Record<string, NonNullable<T>> =>
      Object.fromEntries(
        this.aggregates
          .map((aggregate) => [aggregate.metric.name, value(aggregate)] as const)
          .filter((entry): entry is [string, NonNullable<T>] => entry[1] != null),
      );
    const roundSpan = (span: Span | null): Span | null =>
      span && { low: roundTo4(span.low), high: roundTo4(span.high) };
    return {
      schema_version: 1,
      run: this.run,
      conventions: this.conventions,
      metrics: byName(({ rounded }) => rounded),
      metric_cards: byName(({ metric }) => cardRecord(metric.definition)),
      tie_spread: this.aggregates.some(({ tieSpread }) => tieSpread !== null)
        ? byName(({ tieSpread }) => roundSpan(tieSpread))
        : null,
      bounds: this.aggregates.some(({ bounds }) => bounds !== null)
        ? byName(({ bounds }) => roundSpan(bounds))
        : null,
      per_query: perQuery
        ? this.queryIds.map((query_id, row) => ({
            query_id,
            scores: this.columns.map((column) => column[row] as number),
          }))
        : null,
      counts: this.counts,
      warnings: [...this.warnings],
    };
  }
}

/** `MRR` is printed as `RR`; a name that is none stays as it is. */
function canonicalName(name: string): string {
  try {
    return parseMetric(name).name;
  } catch {
    return name;
  }
}
