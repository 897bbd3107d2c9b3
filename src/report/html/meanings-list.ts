import type { MetricCard } from "../../records/index.js";
import { metricMeanings } from "../metric-meanings.js";
import { html, bdi, nothing, type Markup } from "./markup.js";

/** What the metrics of a table ask, folded away. */
export function meaningsList(
  metrics: readonly string[],
  cards: Readonly<Record<string, MetricCard>>,
): Markup {
  const meanings = metricMeanings(metrics, cards);
  if (meanings.length === 0) return nothing;
  return html`
    <details class="meanings">
      <summary>What the metrics mean</summary>
      <dl class="facts">
        ${meanings.map(([metric, meaning]) => html`<div><dt>${bdi(metric)}</dt><dd>${meaning}</dd></div>`)}
      </dl>
    </details>
  `;
}
