import {
  metricCardOf,
  widthOf,
  type MetricDifference,
  type RunComparison,
  type ScoreComparison,
} from "../../records/index.js";
import { ownValue } from "../../foundation/checks/index.js";
import { meaningsList } from "./meanings-list.js";
import { intervalPlot, plotAxis, plotScale, type PlotScale } from "./interval-plot.js";
import { testFamilies } from "../printed-statistics.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { toneOf, toneSign } from "./metric-facts.js";
import { outcomeBar, outcomeNumbers } from "./outcome-bar.js";
import { formatShare, formatP, formatCount } from "../../foundation/numbers/index.js";
import { formatDifference, formatHtmlInterval, formatValue } from "./printed-numbers.js";

/** A metric in one run. */
interface Row {
  readonly run: string;
  readonly difference: MetricDifference;
}

/**
 * Every metric, with its interval on a common zero line; of several runs those of one metric stand together.
 */
export function metricsSection(comparison: ScoreComparison): Markup {
  const { comparisons, settings } = comparison;
  const several = comparisons.length > 1;
  const scale = plotScale(
    comparisons
      .flatMap(({ metrics }) => metrics)
      .filter(({ metric }) => isOnCommonScale(comparison, metric))
      .flatMap(reach),
    { cutsOutliers: true },
  );
  const head = html`
    <tr>
      <th scope="col">Metric</th>
      ${several ? html`<th scope="col">Run</th>` : nothing}
      <th scope="col" class="n">Baseline</th>
      <th scope="col" class="n">Run</th>
      <th scope="col" class="n">Difference</th>
      <th scope="col" class="plot-cell"><span class="sr">Plot of the interval</span>${plotAxis(scale)}</th>
      <th scope="col">${formatShare(settings.confidence)} interval</th>
      <th scope="col" class="n">p adjusted</th>
      <th scope="col" class="n">
        <abbr title="Cohen's d of the paired differences: their mean in standard deviations">
          Effect size
        </abbr>
      </th>
      <th scope="col">Outcomes</th>
      <th scope="col" class="n">
        <abbr title="The smallest difference that so many queries detect with a power of ${settings.power}">
          Detectable
        </abbr>
      </th>
    </tr>
  `;
  const groups = comparison.metrics.map((metric) => {
    const rows = comparisons.flatMap((run): Row[] =>
      differenceOf(run, metric).map((difference) => ({ run: run.run, difference })),
    );
    // A metric off the common scale has one of its own, the same for all runs.
    const own = isOnCommonScale(comparison, metric)
      ? null
      : plotScale(rows.flatMap((row) => reach(row.difference)));
    return html`
      <tbody>
        ${rows.map((row, index) =>
          metricRow(comparison, row, {
            scale: own ?? scale,
            isOwn: own !== null,
            several,
            rows: index === 0 ? rows.length : 0,
          }),
        )}
      </tbody>
    `;
  });
  const lower = comparison.metrics.some((metric) => !metricCardOf(comparison, metric).higher_is_better);
  return html`
    <section id="metrics" aria-labelledby="h-metrics">
      <h2 id="h-metrics">Metrics</h2>
      <p class="lead">
        Each difference is the run minus the baseline, over the queries that both have. A difference has a
        colour when its adjusted p value is below ${settings.alpha}:${" "}
        <span class="better">▲ better</span> or <span class="worse">▼ worse</span>
        .${lower ? " ↓ marks metrics of which less is better." : ""} ${testFamilies(comparison)}.
      </p>
      <div class="scroll" role="group" aria-labelledby="h-metrics" tabindex="0">
        <table class="metrics stacked${several ? " several" : ""}"><thead>${head}</thead>${groups}</table>
      </div>
      ${meaningsList(comparison.metrics, comparison.metric_cards)}
    </section>
  `;
}

function differenceOf({ metrics }: RunComparison, metric: string): MetricDifference[] {
  return metrics.filter((difference) => difference.metric === metric).slice(0, 1);
}

function reach({ difference, interval }: MetricDifference): (number | null | undefined)[] {
  return [difference, interval?.low, interval?.high];
}

/**
 * Metrics between 0 and 1 share a scale; any other has its own, since one of hundreds would flatten the rest.
 */
function isOnCommonScale(comparison: ScoreComparison, metric: string): boolean {
  return widthOf(comparison, metric) === 1;
}

function metricRow(
  comparison: ScoreComparison,
  { run, difference: row }: Row,
  {
    scale,
    isOwn,
    several,
    rows,
  }: { readonly scale: PlotScale; readonly isOwn: boolean; readonly several: boolean; readonly rows: number },
): Markup {
  const tone = toneOf(comparison, row);
  const heading = several
    ? rows === 0
      ? nothing
      : html`<th scope="rowgroup" rowspan="${rows}">${metricName(comparison, row.metric)}</th>`
    : html`<th scope="row">${metricName(comparison, row.metric)}</th>`;
  return html`
    <tr>
      ${heading}${several ? html`<th scope="row" class="sub">${bdi(run)}</th>` : nothing}
      <td class="n" data-name="Baseline">
        ${formatValue(row.mean_a)}${ofAll(comparison, row, comparison.runs[0]?.run)}
      </td>
      <td class="n" data-name="Run">${formatValue(row.mean_b)}${ofAll(comparison, row, run)}</td>
      <td class="n strong ${tone}" data-name="Difference">
        ${toneSign(tone)}${formatDifference(row.difference)}
      </td>
      <td class="plot-cell">
        ${intervalPlot(scale, { value: row.difference, interval: row.interval, tone })}
        ${!isOwn ? nothing : html`<small class="own-scale quiet">own scale</small>`}
      </td>
      <td class="interval" data-name="Interval">${formatHtmlInterval(row.interval)}</td>
      <td class="n" data-name="p adjusted">${formatP(row.p_adjusted)}</td>
      <td class="n" data-name="Effect size">${formatDifference(row.effect_size, 2)}</td>
      <td class="outcome-cell" data-name="Outcomes">
        ${outcomeBar(row)}${outcomeNumbers(row)}
        ${
          row.pairs === comparison.per_query.length
            ? nothing
            : html`<small class="quiet">of ${formatCount(row.pairs)}</small>`
        }
      </td>
      <td class="n quiet" data-name="Detectable">
        ${row.detectable === null ? "—" : `±${formatValue(row.detectable)}`}
      </td>
    </tr>
  `;
}

/** A run's mean over all queries that have a score, where the row is about fewer: those of both runs. */
function ofAll(
  { runs, comparisons, per_query }: ScoreComparison,
  row: MetricDifference,
  run?: string,
): Markup {
  // What people's labels correct is another mean.
  const isCorrected = comparisons.some(({ corrected }) => corrected != null);
  const means = runs.find((each) => each.run === run)?.means ?? {};
  const all = formatValue(ownValue(means, row.metric) ?? null);
  const ofBoth = formatValue(run === runs[0]?.run ? row.mean_a : row.mean_b);
  const isOther = !isCorrected && row.pairs < per_query.length && all !== ofBoth;
  return isOther ? html`<br /><small class="quiet">all ${all}</small>` : nothing;
}

function metricName(comparison: ScoreComparison, metric: string): Markup {
  const { settings } = comparison;
  const part =
    metric === settings.primary
      ? "primary"
      : settings.guards.some((guard) => guard.metric === metric)
        ? "guard"
        : "";
  const direction = metricCardOf(comparison, metric).higher_is_better
    ? nothing
    : html`
      &nbsp;
      <span class="quiet" title="lower is better">
        <span aria-hidden="true">↓</span><span class="sr">lower is better</span>
      </span>
    `;
  return html`
    ${bdi(metric)}${direction}${part === "" ? nothing : html`<small class="quiet">${part}</small>`}
  `;
}
