import type { AggregateMetrics } from "../records/index.js";

/** What a result says about a metric. */
export function cardRecord({
  higherIsBetter,
  range,
  question,
}: {
  readonly higherIsBetter: boolean;
  readonly range: readonly [number | null, number | null];
  readonly question?: string;
}): AggregateMetrics["metric_cards"][string] {
  return {
    higher_is_better: higherIsBetter,
    range: [range[0], range[1]],
    ...(question !== undefined && { question }),
  };
}
