import type { LabelAudit } from "../../records/index.js";
import { auditSections, auditSummary, auditTitle, type AuditSection } from "../audit-rows.js";
import { checkAudit } from "../check-audit.js";
import { html, named, nothing, type Markup } from "./markup.js";
import { comparisonSource, pageData } from "./page-data.js";
import { pageFrame, type PageSection } from "./page-frame.js";
import { counted, printedCount } from "./printed-numbers.js";

/** How the HTML page of an audit is headed. */
export interface AuditHtmlOptions {
  /** Default: dataset and raters. */
  readonly title?: string | undefined;
  /** When the page was made, as it is to be printed. Without it no time is. */
  readonly generatedAt?: string | undefined;
}

const MOST_ROWS = 100;

/**
 * An audit of labels as one HTML file for people. It asks the network for nothing, opens from disk, and is
 * the same bytes for the same audit. Text from data is shown and does nothing.
 */
export function renderAuditHtml(audit: LabelAudit, options: AuditHtmlOptions = {}): string {
  checkAudit(audit);
  const { title = auditTitle(audit), generatedAt } = options;
  const parts = auditSections(audit, { maxRows: MOST_ROWS });
  const sections: readonly PageSection[] = [
    ["summary", "Summary", summarySection(audit)],
    ...parts.map((part): PageSection => [part.id, part.title, partSection(part)]),
  ];
  return pageFrame({
    title,
    heading: named(title),
    facts: [counted(audit.counts.both, "pair", "pairs"), counted(audit.counts.queries, "query", "queries")],
    generatedAt,
    warnings: 0,
    sections,
    // The page has no queries to look into; its script has a theme and keys all the same.
    data: pageData(comparisonSource(null, null)).data,
  });
}

function summarySection(audit: LabelAudit): Markup {
  const [first = "", ...sentences] = auditSummary(audit);
  return html`
    <section id="summary" aria-labelledby="h-summary">
      <h2 id="h-summary" class="sr">Summary</h2>
      <article class="verdict summary">
        <div>
          <p class="headline">${first}</p>
          <ul class="reasons">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>
        </div>
      </article>
    </section>
  `;
}

function partSection({ id, title, lines, head, alignment, rows, hidden }: AuditSection): Markup {
  const side = (at: number): Markup => (alignment[at] === "r" ? html` class="n"` : nothing);
  const table = html`
    <div class="scroll" role="region" aria-labelledby="h-${id}" tabindex="0">
      <table class="metrics${id === "confusion" ? nothing : html` stacked`}">
        <thead>
          <tr>${head.map((name, at) => html`<th scope="col"${side(at)}>${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map(
            ([first = "", ...cells]) => html`
              <tr>
                <th scope="row">${named(first)}</th>
                ${cells.map(
                  (cell, at) =>
                    html`<td${side(at + 1)} data-name="${head[at + 1] ?? ""}">${named(cell)}</td>`,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
  return html`
    <section id="${id}" aria-labelledby="h-${id}">
      <h2 id="h-${id}">${title}</h2>
      ${lines.map((line) => html`<p class="lead">${line}</p>`)}
      ${rows.length === 0 ? nothing : table}
      ${
        hidden > 0
          ? html`
            <p class="quiet">and ${printedCount(hidden)} more, all in the JSON report</p>
          `
          : nothing
      }
    </section>
  `;
}
