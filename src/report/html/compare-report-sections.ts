import { type CompareReport, direction, type MetricRow, metricRows } from "../../records/index.js";
import { formatDelta, formatScore } from "../printed-rows.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { formatCount } from "../../foundation/numbers/index.js";
import { moreNote } from "./more-note.js";

/**
 * The scores of both runs and their differences, without a word on whether these are real; alone where there
 * are no statistics.
 */
export function aggregatesSection(report: CompareReport, isAlone: boolean): Markup {
  const { aggregate_a: a, aggregate_b: b, deltas } = report;
  const rows = metricRows(a).map((row) => aggregateRow(row, report, isAlone));
  const totals: readonly (readonly [string, string, string])[] = [
    ["results", formatCount(a.total_queries), formatCount(b.total_queries)],
    ["failed", formatCount(a.failed_queries), formatCount(b.failed_queries)],
    ...(a.latency_ms === null && b.latency_ms === null
      ? []
      : [["latency p50 / p95, ms", latency(a), latency(b)] as const]),
  ];
  const last = totals.map(
    ([name, of_a, of_b]) =>
      html`
        <tr>
          <th scope="row">${name}</th>
          <td class="n">${of_a}</td>
          <td class="n">${of_b}</td>
          <td></td>
          <td></td>
        </tr>
      `,
  );
  const chunkers =
    deltas.chunker_version_match === "exact"
      ? nothing
      : html`
        <p class="lead">The chunkers differ, so hits were matched by document and place, not by chunk id.</p>
      `;
  return html`
    <section id="aggregates" aria-labelledby="h-aggregates">
      <h2 id="h-aggregates">${isAlone ? "Metrics" : "Aggregates"}</h2>
      ${chunkers}
      <div class="scroll" role="group" aria-labelledby="h-aggregates" tabindex="0">
        <table class="narrow">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col" class="n">${bdi(report.run_a)}</th>
              <th scope="col" class="n">${bdi(report.run_b)}</th>
              <th scope="col" class="n">Difference</th>
              <th scope="col" class="n">n</th>
            </tr>
          </thead>
          <tbody>${rows}</tbody>
          <tbody>${last}</tbody>
        </table>
      </div>
    </section>
  `;
}

function aggregateRow(row: MetricRow, report: CompareReport, isAlone: boolean): Markup {
  const { aggregate_a: a, aggregate_b: b, deltas } = report;
  const delta = formatDelta(row, report);
  // Where differences were tested, the table of metrics has the colours: only those that are real.
  const way = delta === "—" || !isAlone ? 0 : direction(row, deltas);
  const mark =
    way === 0
      ? nothing
      : html`
          <span aria-hidden="true">${way > 0 ? "▲" : "▼"}</span>
          <span class="sr">${way > 0 ? "better" : "worse"}</span>${" "}
        `;
  return html`
    <tr>
      <th scope="row">
        ${bdi(row.label)}
        ${
          row.higherIsBetter
            ? nothing
            : html`${" "}
              <span class="quiet" title="lower is better">
                <span aria-hidden="true">↓</span>
                <span class="sr">lower is better</span>
              </span>
            `
        }
      </th>
      <td class="n">${formatScore(row, a)}</td>
      <td class="n">${formatScore(row, b)}</td>
      <td class="n ${way === 0 ? "" : way > 0 ? "better" : "worse"}">
        ${mark}${delta.replace("-", "\u2212")}
      </td>
      <td class="n quiet">${support(a.support, b.support, row.support)}</td>
    </tr>
  `;
}

function support(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
  name: string,
): string {
  const [of_a, of_b] = [a, b].map((counts) => (Object.hasOwn(counts, name) ? String(counts[name]) : "—"));
  return of_a === of_b ? (of_a ?? "") : `${of_a ?? ""} / ${of_b ?? ""}`;
}

function latency({ latency_ms }: CompareReport["aggregate_a"]): string {
  return latency_ms === null ? "—" : `${latency_ms.p50} / ${latency_ms.p95}`;
}

const MOST_SETTINGS = 200;

/** What differs between the runs besides their hits. */
export function configurationSection({ causes, config_diff, run_a, run_b }: CompareReport): Markup {
  if (causes.length + config_diff.length === 0) return nothing;
  const list =
    causes.length === 0
      ? nothing
      : html`
        <ul>
          ${causes.map(
            ({ cause, a, b }) => html`<li>${cause}: ${bdi(a ?? "none")} → ${bdi(b ?? "none")}</li>`,
          )}
        </ul>
      `;
  const rows = config_diff
    .slice(0, MOST_SETTINGS)
    .map(
      ({ path, a, b }) =>
        html`<tr><th scope="row">${bdi(path)}</th><td>${leaf(a)}</td><td>${leaf(b)}</td></tr>`,
    );
  const table =
    rows.length === 0
      ? nothing
      : html`
        <div class="scroll" role="group" aria-labelledby="h-configuration" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">Setting</th>
                <th scope="col">${bdi(run_a)}</th>
                <th scope="col">${bdi(run_b)}</th>
              </tr>
            </thead>
            <tbody>${rows}</tbody>
          </table>
        </div>
      `;
  const hidden = config_diff.length - rows.length;
  return html`
    <section id="configuration" aria-labelledby="h-configuration">
      <h2 id="h-configuration">What differs in the configuration</h2>
      ${list}${table}
      ${moreNote(hidden)}
    </section>
  `;
}

function leaf(value: unknown): Markup {
  return bdi(
    value === null || value === undefined ? "—" : typeof value === "string" ? value : JSON.stringify(value),
  );
}
