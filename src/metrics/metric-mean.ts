import { InputError, quote } from "../foundation/errors/index.js";
import type { Metric } from "./define-metric.js";
import { exactMean, exactSum, FractionMean, roundTo4, sameEverywhere } from "../foundation/numbers/index.js";
import type { JudgedRanking } from "./judged-ranking.js";
import { needsSubtopics } from "./needs-subtopics.js";
import type { Conventions } from "../records/index.js";

/** A metric's scores on their way to one number. */
export class MetricMean {
  readonly metric: Metric;
  /** Of the scores that are fractions. */
  readonly exact = new FractionMean();

  /** Asked once: definitions are of many shapes, and scores are many. */
  readonly #needsSubtopics: boolean;

  constructor(metric: Metric) {
    this.metric = metric;
    this.#needsSubtopics = metric.definition.needs === "subtopics";
  }

  /**
   * Scores a query, and takes the score along where means are exact.
   *
   * @throws InputError `METRIC_SCORE` when the metric gives what is no score, `METRIC_SUBTOPICS` when the
   * judgments have no subtopics, and it needs them.
   */
  add(judged: JudgedRanking, queryId: string): number {
    const { metric } = this;
    if (this.#needsSubtopics && judged.subtopics === undefined)
      throw needsSubtopics(`metric ${quote(metric.name)}`);
    if (metric.fraction === undefined) {
      const score = metric.score(judged);
      return Number.isFinite(score) ? score : noScore(metric, String(score), queryId, "a finite number");
    }
    const { numerator, denominator } = metric.fraction(judged);
    if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator) || denominator < 1)
      noScore(metric, `${numerator}/${denominator}`, queryId, "a ratio of whole numbers");
    return this.exact.add({ numerator, denominator });
  }

  /** The aggregate of scores, rounded once: from the exact fractions where all of them are there. */
  value(scores: readonly number[] | Float64Array): number {
    return this.#isFraction(scores) ? this.exact.value : aggregateScores(this.metric, scores);
  }

  /** {@link value} at 4 decimals, rounded once, too. */
  roundValue(scores: readonly number[] | Float64Array): number {
    if (this.#isFraction(scores)) return this.exact.rounded;
    const value = this.value(scores);
    // The geometric mean of 3/32 is just that, which is half-way between two stored values.
    return roundTo4(this.metric.definition.aggregate?.hasLogarithms === true ? sameEverywhere(value) : value);
  }

  #isFraction(scores: readonly number[] | Float64Array): boolean {
    const { fraction, definition } = this.metric;
    return fraction !== undefined && !definition.aggregate && this.exact.count === scores.length;
  }
}

/** @throws InputError `METRIC_SCORE`, always. */
export function noScore({ name }: Metric, got: string, queryId: string, wanted: string): never {
  throw new InputError(
    "METRIC_SCORE",
    `metric ${quote(name)} gave ${quote(got)} for query ${quote(queryId)}; a score must be ${wanted}`,
  );
}

/**
 * The scores of queries as one number; 0 for none.
 *
 * @param means `in order` adds them one after the other, as C programs do.
 */
export function aggregateScores(
  { definition }: Metric,
  scores: readonly number[] | Float64Array,
  means: Conventions["means"] = "exact",
): number {
  if (scores.length === 0) return 0;
  const sum = means === "exact" ? exactSum : sumInOrder;
  if (definition.aggregate !== undefined) {
    const value: unknown = definition.aggregate.of(scores, sum);
    if (typeof value === "number" && !Number.isNaN(value)) return value;
    throw new InputError(
      "METRIC_SCORE",
      `metric ${quote(definition.name)} made ${quote(value)} of the scores of its queries; ` +
        "`aggregate.of` must return a number",
    );
  }
  return means === "exact" ? exactMean(scores) : sumInOrder(scores) / scores.length;
}

/** The sum of terms one after the other, which loses the last digits in the way that C programs do. */
function sumInOrder(terms: Iterable<number>): number {
  const numbers = terms instanceof Float64Array ? terms : Float64Array.from(terms);
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i] as number;
  return sum;
}
