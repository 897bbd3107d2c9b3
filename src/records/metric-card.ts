import { ownValue } from "../foundation/checks/index.js";
import type { MetricCard } from "./types/index.js";

/** A result with the cards of its metrics. */
export interface CardedResult {
  readonly metric_cards: Readonly<Record<string, MetricCard>>;
}

/** What is assumed of a metric whose card is not in the result. */
const UNKNOWN: MetricCard = { higher_is_better: true, range: [null, null] };

/** Direction and range of a metric. Names come from the data, so what every object inherits is not a card. */
export function metricCardOf({ metric_cards }: CardedResult, metric: string): MetricCard {
  return ownValue(metric_cards, metric) ?? UNKNOWN;
}

/** What a metric gains by rising: 1 where higher is better, -1 where lower is. */
export function gainOf(result: CardedResult, metric: string): 1 | -1 {
  return metricCardOf(result, metric).higher_is_better ? 1 : -1;
}

/** The highest minus the lowest possible score; null where a bound is missing. */
export function widthOf(result: CardedResult, metric: string): number | null {
  const [low, high] = metricCardOf(result, metric).range;
  return low === null || high === null ? null : high - low;
}
