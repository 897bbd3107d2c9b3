import { formatShare } from "../../foundation/numbers/index.js";
import { gainOf, type ScoreComparison } from "../../records/index.js";
import { formatVerdict } from "../printed-statistics.js";
import { formatSpan } from "../run-report-rows.js";
import { boardOfComparison, rankRows, type BoardScore } from "../score-board.js";
import { intervalPlot, plotAxis, plotScale } from "./interval-plot.js";
import { html, bdi, nothing, type Markup } from "./markup.js";

/**
 * Several runs, the best by the primary metric first: means with intervals, and groups that do not differ.
 */
export function leaderboardSection(comparison: ScoreComparison): Markup {
  const { leaderboard, settings, comparisons } = comparison;
  if (leaderboard == null) return nothing;
  const board = boardOfComparison(comparison);
  const primary = settings.primary ?? board.metrics[0] ?? "";
  const column = board.metrics.indexOf(primary);
  const others = board.metrics.map((metric, at) => ({ metric, at })).filter(({ at }) => at !== column);
  const scores = board.rows.flatMap(({ scores: ofRun }) => ofRun[column] ?? []);
  const scale = plotScale(
    scores.flatMap(({ mean, interval }) => [mean, interval?.low, interval?.high]),
    { hasZero: false },
  );
  const rows = rankRows(board, primary, gainOf(comparison, primary)).map(({ row, at }, place) => {
    const score = row.scores[column];
    const verdict = comparisons[at - 1]?.verdict.kind;
    const against = verdict === undefined ? "" : formatVerdict(verdict);
    return html`
      <tr>
        <th scope="row">
          <span class="place quiet">${place + 1}</span>${bdi(row.run)}
          ${at === 0 ? html`<small class="quiet">baseline</small>` : nothing}
        </th>
        <td class="n" data-name="${primary}">${score === undefined ? "—" : scoreOf(score)}</td>
        <td class="plot-cell">
          ${
            score === undefined
              ? nothing
              : intervalPlot(scale, { value: score.mean, interval: score.interval, tone: "neutral" })
          }
        </td>
        <td class="interval" data-name="Interval">${formatSpan(score?.interval ?? null)}</td>
        <td class="whole-words" data-name="Against the baseline">${against}</td>
        ${others.map(({ metric, at: other }) => {
          const one = row.scores[other];
          return html`<td class="n" data-name="${metric}">${one === undefined ? "—" : scoreOf(one)}</td>`;
        })}
      </tr>
    `;
  });
  return html`
    <section id="leaderboard" aria-labelledby="h-leaderboard">
      <h2 id="h-leaderboard">Leaderboard</h2>
      <p class="lead">${board.note}</p>
      <div class="scroll" role="group" aria-labelledby="h-leaderboard" tabindex="0">
        <table class="leaderboard stacked">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col" class="n">${bdi(primary)}</th>
              <th scope="col" class="plot-cell">
                <span class="sr">Plot of the interval</span>${plotAxis(scale, false)}
              </th>
              <th scope="col">${formatShare(settings.confidence)} interval</th>
              <th scope="col">Against the baseline</th>
              ${others.map(({ metric }) => html`<th scope="col" class="n">${bdi(metric)}</th>`)}
            </tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
    </section>
  `;
}

function scoreOf({ printed: value, isBest, groups }: BoardScore): Markup {
  const letters = groups === "" ? nothing : html`<sup><span class="sr"> group </span>${groups}</sup>`;
  return html`${isBest ? html`<b>${value}</b>` : value}${letters}`;
}
