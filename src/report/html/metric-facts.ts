import {
  isTold,
  metricCardOf,
  signOfGain,
  type MovedMetric,
  type MetricDifference,
  type ScoreComparison,
} from "../../records/index.js";
import type { Tone } from "./interval-plot.js";
import { html, nothing, type Markup } from "./markup.js";

/** Better or worse when the difference is real by the adjusted p value, otherwise neutral. */
export function toneOf(
  comparison: ScoreComparison,
  row: MovedMetric & Pick<MetricDifference, "metric" | "p_adjusted" | "is_opposed" | "undecided">,
): Tone {
  const gain = signOfGain(row, metricCardOf(comparison, row.metric).higher_is_better);
  if (!isTold(row, comparison.settings, gain)) return "neutral";
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
