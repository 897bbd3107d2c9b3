import { InputError, shown } from "../errors.js";
import type { Matcher } from "../matching/index.js";
import type { Metric } from "../metrics/index.js";
import { exactSum, RationalSum, roundTo4 } from "../numbers/index.js";
import type { AggregateMetrics } from "../schema/index.js";
import type { AggregateOptions } from "./aggregate-options.js";
import { judgedByGrade, type JudgedQuery, type JudgedUnit } from "./judge-run.js";

/** One metric's mean in the making: a sum of fractions, or the terms of a sum that is rounded at the end. */
interface MetricMean {
  readonly metric: Metric;
  readonly rational: RationalSum;
  readonly terms: number[];
}

/** Names in `support` that are taken. */
const FIELDS = ["hit_at_k", "mrr", "precision_at_k_chunk", "recall_at_k_doc", "citation_coverage", "groundedness", "empty_result_rate", "refusal_correctness"];

/** The means of metrics that are asked for by name, over the queries with judgments of their unit. */
export class FurtherMetrics {
  readonly #matcher: Matcher;
  readonly #unit: JudgedUnit;
  readonly #means: readonly MetricMean[];
  #count = 0;

  constructor(matcher: Matcher, { metrics = [], unit = "chunk" }: AggregateOptions) {
    this.#matcher = matcher;
    this.#unit = unit;
    for (const { name } of metrics) {
      if (FIELDS.includes(name)) throw new InputError("ARGUMENT", `a metric cannot have the name of the field ${shown(name)}; call it something else`);
    }
    this.#means = metrics.map((metric) => ({ metric, rational: new RationalSum(), terms: [] }));
  }

  add(judgedQuery: JudgedQuery): void {
    if (this.#means.length === 0) return;
    const judged = judgedByGrade(judgedQuery, this.#unit, this.#matcher);
    if (judged === null) return;
    const { id } = judgedQuery.query;
    this.#count++;
    for (const { metric, rational, terms } of this.#means) {
      const fraction = metric.fraction?.(judged);
      if (fraction === undefined) {
        terms.push(checkedScore(metric, metric.score(judged), id, Number.isFinite, "a finite number"));
        continue;
      }
      checkedScore(metric, fraction.numerator, id, Number.isSafeInteger, "a fraction of whole numbers");
      checkedScore(metric, fraction.denominator, id, (value) => Number.isSafeInteger(value) && value > 0, "a fraction with a denominator from 1");
      rational.add(fraction.numerator, fraction.denominator);
    }
  }

  get scores(): Record<string, number> {
    const mean = (terms: readonly number[]): number => (terms.length === 0 ? 0 : roundTo4(exactSum(terms) / terms.length));
    return this.#byName(({ metric, rational, terms }) => (metric.fraction === undefined ? mean(terms) : rational.roundedMean(this.#count)));
  }

  get support(): Record<string, number> {
    return this.#byName(() => this.#count);
  }

  get cards(): AggregateMetrics["metric_cards"] {
    return this.#byName(({ metric: { definition } }) => ({ higher_is_better: definition.higherIsBetter, range: [definition.range[0], definition.range[1]] }));
  }

  #byName<T>(value: (mean: MetricMean) => T): Record<string, T> {
    return Object.fromEntries(this.#means.map((mean) => [mean.metric.name, value(mean)]));
  }
}

function checkedScore(metric: Metric, score: number, queryId: string, isRight: (score: number) => boolean, wanted: string): number {
  if (isRight(score)) return score;
  throw new InputError("METRIC_SCORE", `metric ${shown(metric.name)} gave ${shown(String(score))} for query ${shown(queryId)}; a score must be ${wanted}`, { metric: metric.name, queryId });
}
