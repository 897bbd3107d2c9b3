import { InputError, shown } from "../errors.js";
import type { Metric } from "../metrics/index.js";
import { exactSum, RationalSum, roundTo4 } from "../numbers/index.js";
import type { JudgedRanking } from "../ranking.js";

/** Below this a score enters a geometric mean as this: trec_eval's constant. */
const GEOMETRIC_FLOOR = 0.00001;

/** A metric's scores on their way to one number. */
export class MetricMean {
  readonly metric: Metric;
  readonly #rational = new RationalSum();
  #count = 0;

  constructor(metric: Metric) {
    this.metric = metric;
  }

  /**
   * Scores a query, and takes the score along where means are exact.
   *
   * @throws InputError `METRIC_SCORE` when the metric gives what is no score.
   */
  add(judged: JudgedRanking, queryId: string): number {
    const { metric } = this;
    if (metric.fraction === undefined) return checked(metric, metric.score(judged), queryId, Number.isFinite, "a finite number");
    const { numerator, denominator } = metric.fraction(judged);
    checked(metric, numerator, queryId, Number.isSafeInteger, "a fraction of whole numbers");
    checked(metric, denominator, queryId, (value) => Number.isSafeInteger(value) && value > 0, "a fraction with a denominator from 1");
    this.#rational.add(numerator, denominator);
    this.#count++;
    return numerator / denominator;
  }

  /** The aggregate of scores at 4 decimals: from the exact fractions where there are any. */
  rounded(scores: readonly number[] | Float64Array): number {
    const isMeanOfFractions = this.metric.fraction !== undefined && this.metric.definition.aggregate === undefined && this.#count === scores.length;
    return isMeanOfFractions ? this.#rational.roundedMean(this.#count) : roundTo4(aggregated(this.metric, scores, exactSum));
  }
}

function checked(metric: Metric, score: number, queryId: string, isRight: (score: number) => boolean, wanted: string): number {
  if (isRight(score)) return score;
  throw new InputError("METRIC_SCORE", `metric ${shown(metric.name)} gave ${shown(String(score))} for query ${shown(queryId)}; a score must be ${wanted}`, { metric: metric.name, queryId });
}

/** The scores of queries as one number; 0 for none. */
export function aggregated({ definition }: Metric, scores: readonly number[] | Float64Array, sum: (terms: readonly number[] | Float64Array) => number): number {
  if (scores.length === 0) return 0;
  if (definition.aggregate === "sum") return sum(scores);
  if (definition.aggregate === "geometric mean") return Math.exp(sum(Array.from(scores, (score) => Math.log(Math.max(score, GEOMETRIC_FLOOR)))) / scores.length);
  return sum(scores) / scores.length;
}

/** The sum of terms one after the other, which loses the last digits in the way that C programs do. */
export function sumInOrder(terms: readonly number[] | Float64Array): number {
  let sum = 0;
  for (const term of terms) sum += term;
  return sum;
}
