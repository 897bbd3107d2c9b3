import type { BenchReport } from "../../records/index.js";
import { typeRows } from "../mode-rows.js";
import { formatMilliseconds } from "../format-milliseconds.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { countOf } from "../../foundation/numbers/index.js";
import { formatValue } from "./printed-numbers.js";
import { moreNote } from "./more-note.js";

/** Types beyond this are counted, not listed. */
const MOST_TYPES = 40;

/**
 * The scores of every mode for every query type; `labelIndex` says by which number the page's script knows a
 * type.
 */
export function queryTypesSection(
  report: BenchReport,
  labelIndex: (by: string, value: string) => number | null,
): Markup {
  const types = typeRows(report);
  if (types.length === 0) return nothing;
  const k = report.settings.top_k ?? "k";
  const groups = types.slice(0, MOST_TYPES).map(({ type, cases, rows }) => {
    const label = labelIndex("query_type", type);
    const lines = rows.map(
      (row) =>
        html`
          <tr>
            <th scope="row">${bdi(row.mode)}</th>
            <td class="n strong">${formatValue(row.ndcg)}</td>
            <td class="n">${formatValue(row.recall)}</td>
            <td class="n wide">${formatValue(row.mrr)}</td>
            <td class="n">${formatValue(row.hitRate)}</td>
            <td class="n wide">${formatMilliseconds(row.p95Latency)}</td>
          </tr>
        `,
    );
    return html`
      <tbody>
        <tr class="group">
          <th scope="rowgroup" colspan="${COLUMNS}">
            <span${label === null ? nothing : html` data-label="${label}"`}>${bdi(type)}</span>${" "}
            <span class="quiet">${countOf(cases, "case")}</span>
          </th>
        </tr>
        ${lines}
      </tbody>
    `;
  });
  const hidden = types.length - MOST_TYPES;
  return html`
    <section id="query-types" aria-labelledby="h-query-types">
      <h2 id="h-query-types">Query types</h2>
      <p class="lead">
        Every mode for every kind of query.
        ${
          report.comparison === null
            ? nothing
            : html`${" "}
              Whether a difference is real stands under <a href="#slices">Slices</a>.
              <span class="needs-script"> Choose a type to see its queries below.</span>
            `
        }
      </p>
      <div class="scroll" role="group" aria-labelledby="h-query-types" tabindex="0">
        <table class="slices types">
          <thead>
            <tr>
              <th scope="col">Mode</th>
              <th scope="col" class="n">nDCG@${k}</th>
              <th scope="col" class="n">Recall@${k}</th>
              <th scope="col" class="n wide">MRR@${k}</th>
              <th scope="col" class="n">Hit rate</th>
              <th scope="col" class="n wide">p95 latency</th>
            </tr>
          </thead>
          ${groups}
        </table>
      </div>
      ${moreNote(hidden)}
    </section>
  `;
}

const COLUMNS = 6;
