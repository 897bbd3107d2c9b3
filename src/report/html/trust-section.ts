import { formatChange } from "../../foundation/numbers/index.js";
import type { CorrectedScore, LabelTrust, ScoreComparison } from "../../records/index.js";
import {
  listCorrectedHeads,
  listCorrectedRows,
  hasTrustSection,
  poolLine,
  trustLines,
  trustTitle,
} from "../trust-rows.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { sentence } from "./sentence.js";

/** Whose labels a result rests on, and what to do: for the first screen. */
export function trustNote(trust: LabelTrust): Markup {
  return html`
    <p class="trust"><strong>${trustTitle(trust)}.</strong> ${sentence(trustLines(trust).join(" "))}</p>
  `;
}

/** The three numbers of every score: the model's, the corrected one, its interval. */
export function tabulateCorrected(
  scores: readonly CorrectedScore[],
  confidence: number,
  printed?: (value: number) => string,
): Markup {
  const [first = "", ...heads] = listCorrectedHeads(confidence);
  const rows = listCorrectedRows(scores, printed).map(
    ([metric = "", ...cells]) => html`
      <tr>
        <th scope="row">${bdi(metric)}</th>
        ${cells.map((cell, at) => html`<td class="n" data-name="${heads[at] ?? ""}">${cell}</td>`)}
      </tr>
    `,
  );
  return html`
    <div class="scroll" role="region" aria-label="Corrected scores" tabindex="0">
      <table class="metrics stacked">
        <thead>
          <tr>
            <th scope="col">${first}</th>
            ${heads.map((head) => html`<th scope="col" class="n">${head}</th>`)}
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
    <p class="quiet">
      Worth: how many queries labelled by people, and how many of people alone would do as well.
    </p>
  `;
}

/** Whose labels a comparison rests on, and what people's labels make of its differences. */
export function trustSection(comparison: ScoreComparison): Markup {
  if (!hasTrustSection(comparison)) return nothing;
  const { trust, comparisons, settings } = comparison;
  const tables = comparisons.flatMap(({ run, corrected }) =>
    corrected == null || corrected.length === 0
      ? []
      : [
          comparisons.length > 1 ? html`<h3>${bdi(run)}</h3>` : nothing,
          tabulateCorrected(corrected, settings.confidence, formatChange),
        ],
  );
  return html`
    <section id="labels" aria-labelledby="h-labels">
      <h2 id="h-labels">Labels</h2>
      ${trustNote(trust)}
      ${poolLine(trust).map((line) => html`<p class="lead">${line}</p>`)}
      ${tables}
    </section>
  `;
}
