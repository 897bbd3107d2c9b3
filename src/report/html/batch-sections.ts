import { formatScoreOf } from "../printed-statistics.js";
import type { BatchQuery, BatchReport } from "../../records/index.js";
import { caseFacts, labelLines, printRelevance, worstFirst } from "../batch-rows.js";
import { poolLine } from "../trust-rows.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { tabulateCorrected } from "./trust-section.js";
import { moreNote } from "./more-note.js";

/** What the scores of a batch rest on. */
export function labelsSection(report: BatchReport): Markup {
  return html`
    <section id="labels" aria-labelledby="h-labels">
      <h2 id="h-labels">Labels</h2>
      <ul>${[...labelLines(report), ...poolLine(report.trust)].map((line) => html`<li>${line}</li>`)}</ul>
      ${report.corrected === null ? nothing : tabulateCorrected(report.corrected, report.settings.confidence)}
    </section>
  `;
}

const MOST_CASES = 30;
const FIRST = 10;

/** The worst queries, each of which can be understood from here alone. */
export function casesSection(report: BatchReport): Markup {
  const queries = worstFirst(report);
  if (queries.length === 0) return nothing;
  const hidden = queries.length - MOST_CASES;
  return html`
    <section id="cases" aria-labelledby="h-cases">
      <h2 id="h-cases">Worst queries</h2>
      <p class="lead">
        Labels stand as L3 (Fully Relevant) to L0 (Irrelevant); L? has none and counts as Irrelevant.
      </p>
      ${queries.slice(0, MOST_CASES).map((query, at) => caseDetails(query, report, at === 0))}
      ${moreNote(hidden)}
    </section>
  `;
}

function caseDetails(query: BatchQuery, { metrics, primary }: BatchReport, isOpen: boolean): Markup {
  const score = query.scores[0]?.[metrics.findIndex(({ metric }) => metric === primary)];
  const rows = query.top_results.slice(0, FIRST).map(
    ({ rank, label, id, title, relevance_score }) => html`
      <tr>
        <td class="n">${rank}</td>
        <td>${label === null ? "L?" : `L${label}`}</td>
        <td>${bdi(id)}</td>
        <td class="text">${title === null ? nothing : bdi(title)}</td>
        <td class="n">${printRelevance(relevance_score)}</td>
      </tr>
    `,
  );
  return html`
    <details class="case"${isOpen ? html` open` : nothing}>
      <summary>
        <b>${formatScoreOf(score)}</b> ${bdi(query.query_id)}
        ${query.query === null ? nothing : html`<span class="quiet"> ${bdi(query.query)}</span>`}
      </summary>
      <dl class="facts">
        ${caseFacts(query).map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}
      </dl>
      ${
        rows.length === 0
          ? nothing
          : html`
            <div class="scroll" role="region" aria-label="First hits of ${query.query_id}" tabindex="0">
              <table>
                <thead>
                  <tr>
                    <th scope="col" class="n">Rank</th>
                    <th scope="col">Label</th>
                    <th scope="col">Item</th>
                    <th scope="col">Title</th>
                    <th scope="col" class="n">Score</th>
                  </tr>
                </thead>
                <tbody>${rows}</tbody>
              </table>
            </div>
          `
      }
    </details>
  `;
}
