import {
  isSignificant,
  signOfGain,
  type MovedMetric,
  type MetricCard,
  type MetricDifference,
  type ScoreComparison,
} from "../../records/index.js";
import type { Tone } from "./interval-plot.js";
import { html, nothing, type Markup } from "./markup.js";
import { ownValue } from "../../foundation/checks/index.js";

/** What is assumed of a metric whose card is not in the result. */
const UNKNOWN: MetricCard = { higher_is_better: true, range: [null, null] };

/** Direction and range of a metric. Names come from the data, so what every object inherits is not a card. */
export function cardOf({ metric_cards }: ScoreComparison, metric: string): MetricCard {
  return ownValue(metric_cards, metric) ?? UNKNOWN;
}

/** The highest minus the lowest possible value; null where there is a bound missing. */
export function rangeOf(comparison: ScoreComparison, metric: string): number | null {
  const [low, high] = cardOf(comparison, metric).range;
  return low === null || high === null ? null : high - low;
}

/** Better or worse when the difference is real by the adjusted p value, otherwise neutral. */
export function toneOf(
  comparison: ScoreComparison,
  row: MovedMetric & Pick<MetricDifference, "metric" | "p_adjusted" | "is_opposed">,
): Tone {
  const gain = signOfGain(row, cardOf(comparison, row.metric).higher_is_better);
  if (gain === 0 || !isSignificant(row, comparison.settings)) return "neutral";
  return gain > 0 ? "better" : "worse";
}

/**
 * The sign that stands before a coloured number, so that it does not take colour to see which way it went.
 */
export function toneSign(tone: Tone): Markup {
  return tone === "neutral"
    ? nothing
    : html`
      <span class="sign-mark" aria-hidden="true">${tone === "better" ? "▲" : "▼"}</span>
      <span class="sr">${tone}: </span>
    `;
}
