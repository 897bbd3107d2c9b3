import type { RunComparison, ScoreComparison, Slice } from "../../records/index.js";
import { intervalPlot, plotAxis, plotScale, type PlotScale } from "./interval-plot.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { toneOf, toneSign } from "./metric-facts.js";
import { outcomeBar, outcomeNumbers } from "./outcome-bar.js";
import { formatShare, formatP, formatCount } from "../../foundation/numbers/index.js";
import { formatDifference, formatHtmlInterval, formatValue } from "./printed-numbers.js";
import { moreRows } from "../more-rows.js";

/** Slices of one kind beyond this are counted, not listed. */
const MOST_SLICES = 40;

/** Kinds of queries, the worst first; `labelIndex` says by which number the page's script knows a label. */
export function slicesSection(
  comparison: ScoreComparison,
  labelIndex: (by: string, value: string) => number | null,
): Markup {
  const { comparisons, settings } = comparison;
  if (comparisons.every(({ slices }) => slices.length === 0)) return nothing;
  const deciding = settings.primary ?? comparison.metrics[0] ?? "";
  const scale = plotScale(
    comparisons
      .flatMap(({ slices }) => slices)
      .flatMap(({ metrics }) => metrics.filter(({ metric }) => metric === deciding))
      .flatMap(({ difference, interval }) => [difference, interval?.low, interval?.high]),
    { cutsOutliers: true },
  );
  const several = comparisons.length > 1;
  const blocks = comparisons.map(
    (run, index) =>
      html`
        <div data-run="${index + 1}">
          ${several ? html`<h3>${bdi(run.run)}</h3>` : nothing}
          ${sliceTable(comparison, kindsOf(run), { deciding, scale, labelIndex })}
          ${otherMetrics(comparison, kindsOf(run), deciding)}
        </div>
      `,
  );
  return html`
    <section id="slices" aria-labelledby="h-slices">
      <h2 id="h-slices">Slices</h2>
      <p class="lead">
        ${deciding === "" ? nothing : bdi(deciding)} by kind of query, the worst slice first.
        <span class="needs-script"> Choose a slice to see its queries below.</span>
      </p>
      ${
        several
          ? html`<p class="controls needs-script"><label>Run <select data-state="run"></select></label></p>`
          : nothing
      }
      ${blocks}
    </section>
  `;
}

/** The slices by what they are made by, in the order of the result. */
function kindsOf({ slices }: RunComparison): [string, Slice[]][] {
  const kinds = new Map<string, Slice[]>();
  for (const slice of slices) {
    const kind = kinds.get(slice.by);
    if (kind === undefined) kinds.set(slice.by, [slice]);
    else kind.push(slice);
  }
  return [...kinds];
}

interface SliceTable {
  readonly deciding: string;
  readonly scale: PlotScale;
  readonly labelIndex: (by: string, value: string) => number | null;
}

type Kinds = readonly (readonly [by: string, slices: readonly Slice[]])[];

function sliceTable(
  comparison: ScoreComparison,
  kinds: Kinds,
  { deciding, scale, labelIndex }: SliceTable,
): Markup {
  const groups = kinds.map(([by, slices]) => {
    const shown = slices.slice(0, MOST_SLICES);
    const rows = shown.map((slice) => {
      const row = slice.metrics.find(({ metric }) => metric === deciding);
      const label = labelIndex(slice.by, slice.value);
      const heading = html`
        <th scope="row"${label === null ? nothing : html` data-label="${label}"`}>${bdi(slice.value)}</th>
      `;
      if (row === undefined) return html`<tr>${heading}<td colspan="${COLUMNS - 1}">—</td></tr>`;
      const tone = toneOf(comparison, row);
      return html`
        <tr>
          ${heading}
          <td class="n" data-name="Queries">${formatCount(row.pairs)}</td>
          <td class="n" data-name="Mean a">${formatValue(row.mean_a)}</td>
          <td class="n" data-name="Mean b">${formatValue(row.mean_b)}</td>
          <td class="n strong ${tone}" data-name="Difference">
            ${toneSign(tone)}${formatDifference(row.difference)}
          </td>
          <td class="plot-cell">
            ${intervalPlot(scale, { value: row.difference, interval: row.interval, tone })}
          </td>
          <td class="interval" data-name="Interval">${formatHtmlInterval(row.interval)}</td>
          <td class="n" data-name="p adjusted">${formatP(row.p_adjusted)}</td>
          <td class="outcome-cell" data-name="Outcomes">${outcomeBar(row)}${outcomeNumbers(row)}</td>
        </tr>
      `;
    });
    const hidden = slices.length - shown.length;
    const more =
      hidden === 0
        ? nothing
        : html`
          <tr>
            <td colspan="${COLUMNS}" class="quiet">
              ${moreRows(hidden)}
            </td>
          </tr>
        `;
    return html`
      <tbody>
        <tr class="group"><th scope="rowgroup" colspan="${COLUMNS}">${bdi(by)}</th></tr>
        ${rows}${more}
      </tbody>
    `;
  });
  return html`
    <div class="scroll" role="group" aria-labelledby="h-slices" tabindex="0">
      <table class="slices stacked">
        <thead>
          <tr>
            <th scope="col">Slice</th>
            <th scope="col" class="n">Queries</th>
            <th scope="col" class="n">Mean a</th>
            <th scope="col" class="n">Mean b</th>
            <th scope="col" class="n">Difference</th>
            <th scope="col" class="plot-cell">
              <span class="sr">Plot of the interval</span>${plotAxis(scale)}
            </th>
            <th scope="col">${formatShare(comparison.settings.confidence)} interval</th>
            <th scope="col" class="n">p adjusted</th>
            <th scope="col">Outcomes</th>
          </tr>
        </thead>
        ${groups}
      </table>
    </div>
  `;
}

const COLUMNS = 9;

/** The differences of the other metrics, a column each. */
function otherMetrics(comparison: ScoreComparison, kinds: Kinds, deciding: string): Markup {
  const metrics = comparison.metrics.filter((metric) => metric !== deciding);
  if (metrics.length === 0) return nothing;
  const groups = kinds.map(([by, slices]) => {
    const rows = slices.slice(0, MOST_SLICES).map(
      (slice) =>
        html`<tr><th scope="row">${bdi(slice.value)}</th>${metrics.map((name) => {
          const row = slice.metrics.find(({ metric }) => metric === name);
          if (row === undefined) return html`<td class="n">—</td>`;
          const tone = toneOf(comparison, row);
          return html`<td class="n ${tone}">${toneSign(tone)}${formatDifference(row.difference)}</td>`;
        })}</tr>`,
    );
    return html`
      <tbody>
        <tr class="group"><th scope="rowgroup" colspan="${metrics.length + 1}">${bdi(by)}</th></tr>
        ${rows}
      </tbody>
    `;
  });
  return html`
    <details>
      <summary>Differences of the other metrics</summary>
      <div class="scroll" role="region" aria-label="Differences of the other metrics" tabindex="0">
        <table class="slices">
          <thead>
            <tr>
              <th scope="col">Slice</th>
              ${metrics.map((metric) => html`<th scope="col" class="n">${bdi(metric)}</th>`)}
            </tr>
          </thead>
          ${groups}
        </table>
      </div>
    </details>
  `;
}
