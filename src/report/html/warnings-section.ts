import { html, nothing, type Markup } from "./markup.js";

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
