import { type CompareReport, isResult, type ScoreComparison } from "../../records/index.js";
import { runFindings, type MovedQuery } from "../ci-findings.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { formatCount } from "../../foundation/numbers/index.js";
import type { QueryMark } from "./query-mark.js";

/** As many as a reader looks at before the evidence. */
const MOST_QUERIES = 4;

/**
 * What got worse from the baseline to one other run: the queries that lost most, and answers; nothing for
 * several runs, which have cards of their own.
 */
export function showMoved(result: ScoreComparison | CompareReport, mark: QueryMark): Markup {
  const [finding, ...others] = runFindings(result);
  if (finding === undefined || others.length > 0) return nothing;
  if (isResult(result, "report"))
    return html`
      ${listOf(html`Queries that got worse by rank`, finding.worse, mark)}
      ${listOf(html`Answers that got worse`, finding.worseAnswers, mark)}
    `;
  const metric = result.settings.primary ?? result.metrics[0] ?? "";
  // The heading names the metric once for all rows.
  return listOf(html`Queries that got worse by ${bdi(metric)}`, finding.worse, mark);
}

function listOf(title: Markup, moved: readonly MovedQuery[], mark: QueryMark): Markup {
  if (moved.length === 0) return nothing;
  const rows = moved.slice(0, MOST_QUERIES).map(
    ({ query_id, change, query }) => html`
      <li>
        ${change} <span${mark(query_id)}>${bdi(query_id)}</span>${" "}
        <span class="quiet">${bdi(query)}</span>
      </li>
    `,
  );
  const hidden = moved.length - rows.length;
  return html`
    <div class="moved-list">
      <h4>${title} (${formatCount(moved.length)})</h4>
      <ul>${rows}</ul>
      ${hidden > 0 ? html`<p class="quiet small">and ${formatCount(hidden)} more</p>` : nothing}
    </div>
  `;
}
