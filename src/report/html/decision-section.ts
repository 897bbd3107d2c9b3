import { formatShare, formatP } from "../../foundation/numbers/index.js";
import type { BenchDecision, BenchReport } from "../../records/index.js";
import {
  CHECKLIST,
  checklistNote,
  decisionWords,
  NO_DECISION,
  promotionInWords,
  ruleInWords,
} from "../decision-words.js";
import { intervalShare, modeRows, type Gain, type ModeRow } from "../mode-rows.js";
import { formatMilliseconds } from "../format-milliseconds.js";
import { tierRows } from "../tier-rows.js";
import { intervalPlot, plotAxis, plotScale, type PlotScale, type Tone } from "./interval-plot.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { toneSign } from "./metric-facts.js";
import { formatDifference, formatHtmlInterval, formatValue } from "./printed-numbers.js";
import { VERDICTS } from "./verdict-section.js";

/** The sign and the colour of each decision; the shape tells them apart without colour. */
const DECISIONS: Readonly<Record<BenchDecision["outcome"], { readonly sign: string; readonly tone: Tone }>> =
  {
    keep_hybrid: {
      sign: "M9.500 19 2.500 12l2.300-2.300 4.700 4.700L19.200 4.700 21.500 7z",
      tone: "better",
    },
    keep_embedding_only: {
      sign: "M9.500 19 2.500 12l2.300-2.300 4.700 4.700L19.200 4.700 21.500 7z",
      tone: "better",
    },
    fall_back_to_fts_only: { sign: "M10 4.500v5h11.500v5H10v5L2.500 12z", tone: "neutral" },
    inconclusive: { sign: VERDICTS.inconclusive.sign, tone: "neutral" },
  };

/**
 * What was decided and by what, the modes side by side, the rollback, and what is left to do: the first
 * screen.
 */
export function decisionSection(report: BenchReport): Markup {
  const { decision } = report;
  const { sign, tone } = DECISIONS[decision?.outcome ?? "inconclusive"];
  const words = decision === null ? "no decision" : decisionWords(decision);
  const icon = html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="${sign}"/></svg>`;
  return html`
    <section id="decision" aria-labelledby="h-decision">
      <h2 id="h-decision" class="sr">Decision</h2>
      <h3 class="word ${tone}">${icon}${bdi(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`)}</h3>
      <p class="headline">${decision?.headline ?? NO_DECISION}</p>
      ${modesTable(report)}${tiersTable(report)}
      <div class="why">
        ${decision === null ? nothing : html`<div>${why(decision)}</div>`}
        <div>${checklist(report)}</div>
      </div>
    </section>
  `;
}

function modesTable(report: BenchReport): Markup {
  const k = report.settings.top_k ?? "k";
  const share = intervalShare(report);
  const rows = modeRows(report);
  const scale = plotScale(
    rows.flatMap(({ gain }) => [gain?.difference, gain?.interval?.low, gain?.interval?.high]),
  );
  const gainHead =
    share === null
      ? nothing
      : html`
        <th scope="col" class="n">Against fts_only</th>
        <th scope="col" class="plot-cell"><span class="sr">Plot of the interval</span>${plotAxis(scale)}</th>
        <th scope="col">${formatShare(share)} interval</th>
      `;
  const lines = rows.map(
    (row) =>
      html`
        <tr>
          <th scope="row">${bdi(row.mode)}${about(row)}</th>
          <td class="n strong" data-name="nDCG@${k}">${formatValue(row.ndcg)}</td>
          ${share === null ? nothing : gainCells(scale, row)}
          <td class="n" data-name="Recall@${k}">${formatValue(row.recall)}</td>
          <td class="n" data-name="MRR@${k}">${formatValue(row.mrr)}</td>
          <td class="n" data-name="Hit rate">${formatValue(row.hitRate)}</td>
          <td class="n" data-name="Mean latency">${formatMilliseconds(row.meanLatency)}</td>
          <td class="n${row.isWithinBudget ? "" : " worse"}" data-name="p95 latency">
            ${formatMilliseconds(row.p95Latency)}
            ${row.isWithinBudget ? nothing : html`<small>over the budget</small>`}
          </td>
        </tr>
      `,
  );
  return html`
    <div class="scroll" role="region" aria-label="Modes" tabindex="0">
      <table class="modes stacked">
        <thead>
          <tr>
            <th scope="col">Mode</th>
            <th scope="col" class="n">nDCG@${k}</th>
            ${gainHead}
            <th scope="col" class="n">Recall@${k}</th>
            <th scope="col" class="n">MRR@${k}</th>
            <th scope="col" class="n">Hit rate</th>
            <th scope="col" class="n">Mean latency</th>
            <th scope="col" class="n">p95 latency</th>
          </tr>
        </thead>
        <tbody>${lines}</tbody>
      </table>
    </div>
  `;
}

/** The embedding model, which tells modes of the two tiers apart. */
function about({ isBaseline, model }: ModeRow): Markup {
  if (isBaseline) return html`<small class="quiet">baseline</small>`;
  return model === null ? nothing : html`<small class="quiet">${bdi(model)}</small>`;
}

function gainCells(scale: PlotScale, { gain, isBaseline }: ModeRow): Markup {
  if (isBaseline)
    return html`
      <td class="n empty"></td>
      <td class="plot-cell empty">
        ${intervalPlot(scale, { value: null, interval: null, tone: "neutral" })}
      </td>
      <td class="interval empty"></td>
    `;
  const tone = toneOfGain(gain);
  return html`
    <td class="n strong ${tone}" data-name="Against fts_only">
      ${toneSign(tone)}${formatDifference(gain?.difference)}
    </td>
    <td class="plot-cell">
      ${intervalPlot(scale, { value: gain?.difference ?? null, interval: gain?.interval ?? null, tone })}
    </td>
    <td class="interval" data-name="Interval">${formatHtmlInterval(gain?.interval ?? null)}</td>
  `;
}

/** By the interval that the decision is made by, not by a p value. */
function toneOfGain(gain: Gain | null): Tone {
  const { low, high } = gain?.interval ?? { low: 0, high: 0 };
  return low > 0 ? "better" : high < 0 ? "worse" : "neutral";
}

/** The two tiers side by side. */
function tiersTable(report: BenchReport): Markup {
  const rows = tierRows(report);
  if (rows.length === 0) return nothing;
  const k = report.settings.top_k ?? "k";
  const both = (offline: string, live: string): Markup =>
    html`${offline} <span class="quiet">→</span> ${live}`;
  const lines = rows.map(
    ({ offline, live, difference, p }) =>
      html`
        <tr>
          <th scope="row">
            ${bdi(offline.mode)}
            <small class="quiet">${bdi(offline.model ?? "offline")} → ${bdi(live.model ?? "live")}</small>
          </th>
          <td class="n" data-name="nDCG@${k}">
            ${both(formatValue(offline.ndcg), formatValue(live.ndcg))}
          </td>
          <td class="n strong" data-name="Difference">${formatDifference(difference)}</td>
          <td class="n" data-name="p adjusted">${formatP(p)}</td>
          <td class="n" data-name="Recall@${k}">
            ${both(formatValue(offline.recall), formatValue(live.recall))}
          </td>
          <td class="n" data-name="Hit rate">
            ${both(formatValue(offline.hitRate), formatValue(live.hitRate))}
          </td>
          <td class="n" data-name="p95 latency">
            ${both(formatMilliseconds(offline.p95Latency), formatMilliseconds(live.p95Latency))}
          </td>
        </tr>
      `,
  );
  return html`
    <h3 id="h-tiers">Does the live provider beat the offline vectors?</h3>
    <div class="scroll" role="group" aria-labelledby="h-tiers" tabindex="0">
      <table class="modes stacked">
        <thead>
          <tr>
            <th scope="col">Mode</th>
            <th scope="col" class="n">nDCG@${k}, offline → live</th>
            <th scope="col" class="n">Difference</th>
            <th scope="col" class="n">p adjusted</th>
            <th scope="col" class="n">Recall@${k}</th>
            <th scope="col" class="n">Hit rate</th>
            <th scope="col" class="n">p95 latency</th>
          </tr>
        </thead>
        <tbody>${lines}</tbody>
      </table>
    </div>
  `;
}

function why(decision: BenchDecision): Markup {
  const reasons =
    decision.reasons.length === 0
      ? nothing
      : html`<ul class="reasons">${decision.reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
  return html`
    <h3>Rollback</h3>
    <p>${decision.rollback}</p>
    <h3>Why</h3>
    <p>${ruleInWords(decision)}</p>
    ${reasons}
  `;
}

function checklist(report: BenchReport): Markup {
  const items = report.checklist.map((item) => {
    const mark = item.is_done
      ? html`<span class="mark better" aria-hidden="true">✓</span>`
      : html`<span class="mark worse" aria-hidden="true">✗</span>`;
    return html`
      <li>
        ${mark}
        <span>
          <span class="sr">${item.is_done ? "done" : "open"}: </span>
          <b>${CHECKLIST[item.item]}</b>${" "}
          <span class="quiet">${checklistNote(item)}</span>
        </span>
      </li>
    `;
  });
  return html`
    <h3>Before embeddings are promoted</h3>
    <ul class="checks">${items}</ul>
    <p>${promotionInWords(report)}</p>
  `;
}
