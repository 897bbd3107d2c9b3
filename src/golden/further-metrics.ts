import { cardRecord } from "../metrics/internal.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { Matcher } from "../matching/index.js";
import type { AggregateOptions } from "./aggregate-options.js";
import { judgeByGrade, type JudgedQuery } from "./judge-run.js";
import { aggregateFieldNames, type AggregateMetrics, type JudgedUnit } from "../records/index.js";
import { checkMetric } from "../metrics/internal.js";
import { MetricMean } from "../metrics/internal.js";

/** The means of metrics that are asked for by name, over the queries with judgments of their unit. */
export class FurtherMetrics {
  readonly #matcher: Matcher;
  readonly #unit: JudgedUnit;
  readonly #means: readonly { mean: MetricMean; scores: number[] }[];
  #count = 0;

  constructor(matcher: Matcher, { metrics = [], unit = "chunk" }: AggregateOptions) {
    this.#matcher = matcher;
    this.#unit = unit;
    for (const { name } of metrics) {
      // Its name in `support` is taken.
      if ((aggregateFieldNames as readonly string[]).includes(name))
        throw new InputError(
          "ARGUMENT",
          `a metric cannot have the name of the field ${quote(name)}; call it something else`,
        );
    }
    this.#means = metrics.map((metric) => ({ mean: new MetricMean(checkMetric(metric)), scores: [] }));
  }

  /** One score for each metric; NaN for a query without judgments of the unit. */
  add(judgedQuery: JudgedQuery): number[] {
    if (this.#means.length === 0) return [];
    const judged = judgeByGrade(judgedQuery, this.#unit, this.#matcher);
    if (judged === null) return this.#means.map(() => NaN);
    this.#count++;
    return this.#means.map(({ mean, scores }) => {
      const score = mean.add(judged, judgedQuery.query.id);
      scores.push(score);
      return score;
    });
  }

  get scores(): Record<string, number> {
    return Object.fromEntries(
      this.#means.map(({ mean, scores }) => [mean.metric.name, mean.roundValue(scores)]),
    );
  }

  get support(): Record<string, number> {
    return Object.fromEntries(this.#means.map(({ mean }) => [mean.metric.name, this.#count]));
  }

  get cards(): AggregateMetrics["metric_cards"] {
    return Object.fromEntries(
      this.#means.map(({ mean: { metric } }) => [metric.name, cardRecord(metric.definition)]),
    );
  }
}
