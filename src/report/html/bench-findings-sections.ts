import type { BenchReport } from "../../records/index.js";
import { listFailedCases } from "../list-failed-cases.js";
import { findLostByFusion } from "../find-lost-by-fusion.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { countOf, formatCount } from "../../foundation/numbers/index.js";
import { moreNote } from "./more-note.js";

const MOST_ROWS = 30;

/** What fusion lost: relevant items that a part of a mode had near the top. */
export function showLost({ comparison }: BenchReport): Markup {
  const lost = comparison === null ? [] : findLostByFusion(comparison);
  if (lost.length === 0) return nothing;
  const rows = lost.slice(0, MOST_ROWS).map(
    ({ at, mode, query_id, query, item, grade, rank, had }) =>
      html`
          <tr>
            <th scope="row" data-query="${at}">${bdi(query_id)}</th>
            <td class="text" data-name="Text">${bdi(query ?? "")}</td>
            <td data-name="Item">${bdi(item)}</td>
            <td class="n" data-name="Grade">${grade}</td>
            <td data-name="Mode">${bdi(mode)}</td>
            <td class="parts" data-name="Rank in the parts">
              ${had.map(
                ({ channel, rank: place }, index) => html`${index === 0 ? "" : ", "}${bdi(channel)} ${place}`,
              )}
            </td>
            <td class="n" data-name="Fused rank">${rank ?? "—"}</td>
          </tr>
        `,
  );
  return html`
    <section id="lost" aria-labelledby="h-lost">
      <h2 id="h-lost">Lost by fusion</h2>
      <p class="lead">
        Relevant items that a part of the mode had within the cutoff, and the fused list has not. The best
        grades first.
      </p>
      <div class="scroll" role="group" aria-labelledby="h-lost" tabindex="0">
        <table class="lost stacked">
          <thead>
            <tr>
              <th scope="col">Query</th>
              <th scope="col">Text</th>
              <th scope="col">Item</th>
              <th scope="col" class="n">Grade</th>
              <th scope="col">Mode</th>
              <th scope="col">Rank in the parts</th>
              <th scope="col" class="n">Fused rank</th>
            </tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
      ${moreNote(lost.length - MOST_ROWS)}
    </section>
  `;
}

/** Cases that a mode could not answer. */
export function failuresSection(report: BenchReport): Markup {
  const failed = listFailedCases(report);
  if (failed.length === 0) return nothing;
  const rows = failed.slice(0, MOST_ROWS).map(
    ({ mode, case_id, error }) =>
      html`
          <tr>
            <th scope="row">${bdi(case_id)}</th>
            <td data-name="Mode">${bdi(mode)}</td>
            <td class="text" data-name="Error">${error}</td>
          </tr>
        `,
  );
  return html`
    <section id="failures" aria-labelledby="h-failures">
      <h2 id="h-failures">Cases that failed</h2>
      <p class="lead">Nothing was found for them, and they are scored so.</p>
      <div class="scroll" role="group" aria-labelledby="h-failures" tabindex="0">
        <table class="stacked">
          <thead><tr><th scope="col">Case</th><th scope="col">Mode</th><th scope="col">Error</th></tr></thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
      ${moreNote(failed.length - MOST_ROWS)}
    </section>
  `;
}

/** What a person said of the hits. */
export function samplingSection({ sampling }: BenchReport): Markup {
  if (sampling === null) return nothing;
  const rows = sampling.modes.map(
    ({ mode, grounded, broad, miss, empty }) =>
      html`
        <tr>
          <th scope="row">${bdi(mode)}</th>
          <td class="n" data-name="Grounded">${formatCount(grounded)}</td>
          <td class="n" data-name="Broad">${formatCount(broad)}</td>
          <td class="n" data-name="Miss">${formatCount(miss)}</td>
          <td class="n" data-name="Empty">${formatCount(empty)}</td>
        </tr>
      `,
  );
  return html`
    <section id="sampling" aria-labelledby="h-sampling">
      <h2 id="h-sampling">Manual sampling</h2>
      <p class="lead">
        ${sampling.headline}.
        ${" "}${countOf(sampling.hits, "labelled hit")} of ${countOf(sampling.queries, "query")}.
      </p>
      <div class="scroll" role="group" aria-labelledby="h-sampling" tabindex="0">
        <table class="narrow stacked">
          <thead>
            <tr>
              <th scope="col">Mode</th>
              <th scope="col" class="n">Grounded</th>
              <th scope="col" class="n">Broad</th>
              <th scope="col" class="n">Miss</th>
              <th scope="col" class="n">Empty</th>
            </tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
    </section>
  `;
}
