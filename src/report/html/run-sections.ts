import {
  isBatchReport,
  metricCardOf,
  type MeanScore,
  type ReportedQuery,
  type RunReport,
} from "../../records/index.js";
import { intervalMethods } from "../../stats/index.js";
import { wrongChecks } from "../answer-checks.js";
import {
  firstRankRows,
  describeMissed,
  listMissedQueries,
  NOT_FOUND,
  formatSpan,
  runSummary,
  wrongAnswers,
} from "../run-report-rows.js";
import { intervalPlot, plotAxis, plotScale, type PlotScale } from "./interval-plot.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { meaningsList } from "./meanings-list.js";
import { formatShare, formatCount } from "../../foundation/numbers/index.js";
import { conventionsBlock, facts } from "./settings-section.js";
import { trustNote } from "./trust-section.js";
import { moreRows } from "../more-rows.js";
import { formatMean } from "../printed-statistics.js";

const MOST_QUERIES = 20;
const MOST_SLICES = 40;

/** What the run comes to: sentences, the figures that decide, and where first relevant hits stand. */
export function runSummarySection(report: RunReport): Markup {
  const { metrics, primary, settings, latency_ms } = report;
  const decisive = metrics.find(({ metric }) => metric === primary);
  const summary = runSummary(report);
  // Where there is a score, the first sentence is what the figures say.
  const sentences = decisive?.mean == null || summary.length === 1 ? summary : summary.slice(1);
  const byPeople = isBatchReport(report)
    ? report.corrected?.find(({ metric }) => metric === primary)
    : undefined;
  const figure = (name: Markup, value: string, look = ""): Markup =>
    html`<div${look === "" ? nothing : html` class="${look}"`}><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`
    <section id="summary" aria-labelledby="h-summary">
      <h2 id="h-summary" class="sr">Summary</h2>
      <article class="verdict summary">
        <div>
          <p class="headline">${sentences.join(" ")}</p>
          ${isBatchReport(report) ? trustNote(report.trust) : nothing}
        <dl class="figures">
          ${
            decisive === undefined
              ? nothing
              : byPeople !== undefined
                ? [
                    figure(
                      html`${bdi(decisive.metric)}, by people`,
                      formatMean({ ...decisive, mean: byPeople.corrected }, report),
                    ),
                    figure(
                      html`${formatShare(settings.confidence)} interval`,
                      formatSpan(byPeople.interval),
                      "wide",
                    ),
                  ]
                : [
                    figure(bdi(decisive.metric), formatMean(decisive, report)),
                    figure(
                      html`${formatShare(settings.confidence)} interval`,
                      formatSpan(decisive.interval),
                      "wide",
                    ),
                  ]
          }
          ${latency_ms === null ? nothing : figure(html`Latency p50, ms`, String(latency_ms.p50))}
          ${latency_ms === null ? nothing : figure(html`Latency p95, ms`, String(latency_ms.p95))}
        </dl>
        </div>
        ${firstRanksFigure(report)}
      </article>
    </section>
  `;
}

/** Where the first relevant hit stands, as bars. */
function firstRanksFigure(report: RunReport): Markup {
  const rows = firstRankRows(report);
  if (rows.length === 0) return nothing;
  const most = rows.reduce((highest, { share }) => Math.max(highest, share), 0);
  return html`
    <figure class="ranks-figure">
      <figcaption>Rank of the first relevant hit</figcaption>
      <table class="ranks">
        <thead class="sr">
          <tr><th scope="col">Rank</th><th scope="col">Bar</th><th scope="col">Queries</th></tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, queries, share }) => html`
              <tr${name === NOT_FOUND ? html` class="missed"` : nothing}>
                <th scope="row">${name}</th>
                <td class="bar">
                  <svg aria-hidden="true">
                    <rect width="${((100 * share) / most).toFixed(2)}%" height="100%"/>
                  </svg>
                </td>
                <td class="n">${formatCount(queries)} <span class="quiet">${formatShare(share)}</span></td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </figure>
  `;
}

/** Whether a metric can be drawn on the scale from 0 to 1. */
function isFromZeroToOne(report: RunReport, metric: string): boolean {
  return metricCardOf(report, metric).range.join() === "0,1";
}

/** Every metric with its interval; those between 0 and 1 on one scale. */
export function scoresSection(report: RunReport): Markup {
  const { metrics, settings, metric_cards, primary } = report;
  if (metrics.length === 0) return nothing;
  const unit = plotScale([0, 1]);
  const lower = metrics.some(({ metric }) => !metricCardOf(report, metric).higher_is_better);
  const rows = metrics.map((row) => {
    const isUnit = isFromZeroToOne(report, row.metric);
    const part = row.metric === primary ? html`<small class="quiet">primary</small>` : nothing;
    const less = metricCardOf(report, row.metric).higher_is_better
      ? nothing
      : html` <span class="quiet">↓</span>`;
    return html`
      <tr>
        <th scope="row">${bdi(row.metric)}${less}${part}</th>
        <td class="n strong" data-name="Score">${formatMean(row, report)}</td>
        <td class="plot-cell">
          ${isUnit ? plotMean(unit, row) : nothing}
        </td>
        <td class="interval" data-name="Interval">${formatSpan(row.interval)}</td>
        <td class="n" data-name="Queries">${formatCount(row.queries)}</td>
      </tr>
    `;
  });
  return html`
    <section id="scores" aria-labelledby="h-scores">
      <h2 id="h-scores">Scores</h2>
      <p class="lead">
        Each score is a mean over queries; its interval says where the mean over all queries of this kind
        lies.
        ${lower ? " ↓ marks metrics of which less is better." : ""}
      </p>
      <div class="scroll" role="group" aria-labelledby="h-scores" tabindex="0">
        <table class="metrics scores stacked">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col" class="n">Score</th>
              <th scope="col" class="plot-cell">
                <span class="sr">Plot of the interval</span>${plotAxis(unit, false)}
              </th>
              <th scope="col">${formatShare(settings.confidence)} interval</th>
              <th scope="col" class="n">Queries</th>
            </tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
      ${meaningsList(
        metrics.map(({ metric }) => metric),
        metric_cards,
      )}
    </section>
  `;
}

function plotMean(scale: PlotScale, { mean, interval }: MeanScore): Markup {
  return intervalPlot(scale, { value: mean, interval, tone: "neutral" });
}

/** What was missed, and which answers are wrong: what a reader looks for first. */
export function showMissed(report: RunReport): Markup {
  const place = new Map(report.per_query.map(({ query_id }, index) => [query_id, index]));
  const list = (
    title: string,
    lead: string,
    queries: readonly ReportedQuery[],
    what: (query: ReportedQuery) => string,
  ): Markup => {
    if (queries.length === 0) return nothing;
    const rows = queries.slice(0, MOST_QUERIES).map(
      (query) => html`
        <tr>
          <th scope="row" data-query="${place.get(query.query_id) ?? 0}">${bdi(query.query_id)}</th>
          <td class="text">${query.query === null ? nothing : bdi(query.query)}</td>
          <td>${what(query)}</td>
        </tr>
      `,
    );
    const hidden = queries.length - rows.length;
    return html`
      <h3>${title} (${formatCount(queries.length)})</h3>
      <p class="lead">${lead}</p>
      <div class="scroll" role="region" aria-label="${title}" tabindex="0">
        <table class="moved"><tbody>${rows}</tbody></table>
      </div>
      ${
        hidden > 0
          ? html`
            <p class="quiet">
              and ${formatCount(hidden)} more, in the <a href="#queries">table of queries</a>
            </p>
          `
          : nothing
      }
    `;
  };
  const [missed, wrong] = [listMissedQueries(report), wrongAnswers(report)];
  if (missed.length + wrong.length === 0) return nothing;
  return html`
    <section id="missed" aria-labelledby="h-missed">
      <h2 id="h-missed">What went wrong</h2>
      ${list(
        "Missed",
        "Something is relevant to these queries, and it did not come back high enough.",
        missed,
        describeMissed,
      )}
      ${list(
        "Wrong answers",
        "What the golden set asks of these answers does not hold.",
        wrong,
        ({ answer }) => wrongChecks(answer).join(", "),
      )}
    </section>
  `;
}

/** Kinds of queries, the lowest scores first. */
export function runSlicesSection(
  report: RunReport,
  labelIndex: (by: string, value: string) => number | null,
): Markup {
  const { slices, primary, settings } = report;
  const found = slices.flatMap(({ by, value, metrics }) =>
    metrics
      .filter(({ metric, queries }) => metric === primary && queries > 0)
      .map((row) => ({ by, value, row })),
  );
  if (found.length === 0) return nothing;
  const unit = plotScale([0, 1]);
  const isUnit = isFromZeroToOne(report, primary ?? "");
  const kinds = [...new Set(found.map(({ by }) => by))];
  const groups = kinds.map((kind) => {
    const ofKind = found.filter(({ by }) => by === kind);
    const rows = ofKind.slice(0, MOST_SLICES).map(({ by, value, row }) => {
      const label = labelIndex(by, value);
      return html`
        <tr>
          <th scope="row"${label === null ? nothing : html` data-label="${label}"`}>${bdi(value)}</th>
          <td class="n" data-name="Queries">${formatCount(row.queries)}</td>
          <td class="n strong" data-name="Score">${formatMean(row, report)}</td>
          <td class="plot-cell">${isUnit ? plotMean(unit, row) : nothing}</td>
          <td class="interval" data-name="Interval">${formatSpan(row.interval)}</td>
        </tr>
      `;
    });
    const hidden = ofKind.length - rows.length;
    return html`
      <tbody>
        <tr class="group"><th scope="rowgroup" colspan="5">${bdi(kind)}</th></tr>
        ${rows}
        ${
          hidden > 0
            ? html`
              <tr>
                <td colspan="5" class="quiet">${moreRows(hidden)}</td>
              </tr>
            `
            : nothing
        }
      </tbody>
    `;
  });
  return html`
    <section id="slices" aria-labelledby="h-slices">
      <h2 id="h-slices">Slices</h2>
      <p class="lead">
        ${bdi(primary ?? "")} by kind of query, the worst first.
        <span class="needs-script"> Choose a slice to see its queries below.</span>
      </p>
      <div class="scroll" role="group" aria-labelledby="h-slices" tabindex="0">
        <table class="slices scores stacked">
          <thead>
            <tr>
              <th scope="col">Slice</th>
              <th scope="col" class="n">Queries</th>
              <th scope="col" class="n">Score</th>
              <th scope="col" class="plot-cell">
                <span class="sr">Plot of the interval</span>${plotAxis(unit, false)}
              </th>
              <th scope="col">${formatShare(settings.confidence)} interval</th>
            </tr>
          </thead>
          ${groups}
        </table>
      </div>
    </section>
  `;
}

/** Everything that is needed to get the same numbers again. */
export function runSettingsSection({
  settings,
  relevant_from,
  run,
  conventions,
  primary,
}: RunReport): Markup {
  return html`
    <section id="settings" aria-labelledby="h-settings">
      <h2 id="h-settings">Run and settings</h2>
      <div class="columns">
        <div>
          <h3>Run</h3>
          ${facts([
            ["Run", bdi(run.run)],
            ["Recorded", bdi(run.created_at ?? "not told")],
            ["Commit", bdi(run.commit_hash ?? "not told")],
            ["Queries", formatCount(run.queries)],
            ["Answered", formatCount(run.answered)],
            ["Primary metric", primary === null ? "none" : bdi(primary)],
            ["Relevant from grade", String(relevant_from)],
            [
              "Confidence of intervals",
              `${formatShare(settings.confidence)}, ${intervalMethods.wider.label}`,
            ],
            ["Bootstrap resamples", formatCount(settings.resamples)],
            ["Seed", String(settings.seed)],
          ])}
        </div>
        ${conventionsBlock(conventions)}
      </div>
    </section>
  `;
}
