import type { ReportSection } from "../report-section.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { sentence } from "./sentence.js";
import { moreNote } from "./more-note.js";

/** A part of a report: a heading, sentences, what is drawn, a table. */
export function partSection(
  { id, title, lines, head, alignment, rows, hidden }: ReportSection,
  drawn: Markup = nothing,
): Markup {
  const side = (at: number): Markup => (alignment[at] === "r" ? html` class="n"` : nothing);
  const table = html`
    <div class="scroll" role="group" aria-labelledby="h-${id}" tabindex="0">
      <table class="metrics${id === "confusion" ? nothing : html` stacked`}">
        <thead>
          <tr>${head.map((name, at) => html`<th scope="col"${side(at)}>${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map(
            ([first = "", ...cells]) => html`
              <tr>
                <th scope="row">${bdi(first)}</th>
                ${cells.map(
                  (cell, at) => html`<td${side(at + 1)} data-name="${head[at + 1] ?? ""}">${bdi(cell)}</td>`,
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
      ${lines.map((line) => html`<p class="lead">${sentence(line)}</p>`)}
      ${drawn}
      ${rows.length === 0 ? nothing : table}
      ${moreNote(hidden)}
    </section>
  `;
}

/** The first things to know: one sentence large, the others below it. */
export function summarySection([first = "", ...sentences]: readonly string[]): Markup {
  return html`
    <section id="summary" aria-labelledby="h-summary">
      <h2 id="h-summary" class="sr">Summary</h2>
      <article class="verdict summary">
        <div>
          <p class="headline">${sentence(first)}</p>
          <ul class="reasons">${sentences.map((each) => html`<li>${sentence(each)}</li>`)}</ul>
        </div>
      </article>
    </section>
  `;
}
