import { cardRecord } from "../metrics/internal.js";
import type { FractionMean } from "../foundation/numbers/index.js";
import {
  aggregateCutoffs,
  type AggregateField,
  aggregateFieldNames,
  aggregateFields,
  type AggregateMetrics,
  type AggregatePartial,
} from "../records/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { warningsOfQueries } from "./aggregate-warnings.js";
import type { FurtherMean } from "./further-metrics.js";

/** Everything that an aggregate is made of. */
export interface AggregateParts extends Pick<
  AggregatePartial,
  "of_run" | "chunker_version" | "missing_queries" | "noticed"
> {
  /** Of the fields of an aggregate, in their order. */
  readonly fields: readonly FractionMean[];
  readonly further: readonly FurtherMean[];
}

type FieldName = AggregateField["support"];

/** Null where there is nothing to measure; the others are 0 then. */
const NULLABLE: readonly FieldName[] = ["citation_coverage", "refusal_correctness"];

/** The mean of a field, or those at each of its cutoffs. */
function valueOf(means: readonly FractionMean[], name: FieldName): unknown {
  const [{ count, rounded }] = means as [FractionMean];
  if (means.length > 1)
    return Object.fromEntries(aggregateCutoffs.map((cutoff, at) => [cutoff, means[at]?.rounded]));
  return count === 0 && NULLABLE.includes(name) ? null : rounded;
}

/** Rounds each mean once. */
export function finishAggregate(parts: AggregateParts): AggregateMetrics {
  const { of_run, fields, further } = parts;
  const eachField = <T>(value: (means: FractionMean[], name: FieldName) => T): Record<string, T> =>
    Object.fromEntries(
      aggregateFieldNames.map((name) => {
        const means = fields.filter((_, at) => aggregateFields[at]?.support === name);
        return [name, value(means, name)];
      }),
    );
  const eachFurther = <T>(value: (further: FurtherMean) => T): Record<string, T> =>
    Object.fromEntries(further.map((each) => [each.mean.metric.name, value(each)]));
  return {
    schema_version: 1,
    ...(eachField(valueOf) as Pick<AggregateMetrics, (typeof aggregateFieldNames)[number]>),
    // Also of results outside the golden set.
    empty_result_rate: of_run.empty_result_rate,
    total_queries: of_run.total_queries,
    failed_queries: of_run.failed_queries,
    failures: of_run.failures,
    support: {
      ...eachField(([mean]) => mean?.count ?? 0),
      empty_result_rate: of_run.total_queries,
      ...eachFurther(({ scores }) => scores.length),
    },
    missing_queries: [...parts.missing_queries].sort(compareIds),
    unmatched_results: of_run.unmatched_results,
    latency_ms: of_run.latency_ms,
    metrics: eachFurther(({ mean, scores }) => mean.roundValue(scores)),
    metric_cards: eachFurther(({ mean }) => cardRecord(mean.metric.definition)),
    warnings: [...of_run.warnings, ...warningsOfQueries(parts)],
  };
}
