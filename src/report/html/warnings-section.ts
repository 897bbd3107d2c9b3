import type { Warning } from "../../records/index.js";
import { html, nothing, type Markup } from "./markup.js";

/** A warning with some of the queries that it is about. */
export function warningLine({ message, query_ids }: Warning): string {
  return query_ids === undefined || query_ids.length === 0
    ? message
    : `${message} (${query_ids.join(", ")}${query_ids.length < 5 ? "" : ", …"})`;
}

/** What can mislead, a line each. */
export function warningsSection(lines: readonly string[]): Markup {
  if (lines.length === 0) return nothing;
  return html`
    <section id="warnings" aria-labelledby="h-warnings">
      <h2 id="h-warnings">Warnings</h2>
      <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
    </section>
  `;
}
