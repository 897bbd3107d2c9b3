import type { FailedRun } from "../failed-results.js";
import { html, nothing, type Markup } from "./markup.js";

/** The runs that results of failed, and why: a crash is no ranking, so it stands before the numbers. */
export function showFailed(runs: readonly FailedRun[]): Markup {
  if (runs.length === 0) return nothing;
  return html`
    <section id="failed" aria-labelledby="h-failed">
      <h2 id="h-failed">Failed results</h2>
      ${runs.map(
        ({ title, reasons }) => html`
          <p class="lead">${title}</p>
          <ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>
        `,
      )}
    </section>
  `;
}
