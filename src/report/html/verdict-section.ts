import { oneLine } from "../../foundation/text/index.js";
import {
  doubtSentences,
  neededSentences,
  outcomeSentence,
  primaryDifference,
  widthOf,
  type CompareReport,
  type MetricDifference,
  type RunComparison,
  type ScoreComparison,
  type UnjudgedDoubt,
  type Verdict,
  type VerdictKind,
} from "../../records/index.js";
import { comparisonSummary } from "../comparison-summary.js";
import { formatDoubtedPairs, isFollowing } from "../doubted-pairs.js";
import { hasTrustSection, trustLines } from "../trust-rows.js";
import { condition } from "./condition.js";
import { intervalPlot, plotAxis, plotScale, type PlotScale } from "./interval-plot.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { toneOf } from "./metric-facts.js";
import { outcomeBar } from "./outcome-bar.js";
import { sentence } from "./sentence.js";
import { countOf, formatP, formatShare, formatCount } from "../../foundation/numbers/index.js";
import { formatDifference, formatHtmlInterval, formatValue } from "./printed-numbers.js";

/** The word of each verdict, and its sign: a shape, so that it does not take colour to tell them apart. */
export const VERDICTS: Readonly<Record<VerdictKind, { readonly word: string; readonly sign: string }>> = {
  better: { word: "Better", sign: "M12 4 21 19H3z" },
  worse: { word: "Worse", sign: "M12 20 3 5h18z" },
  equivalent: { word: "Equivalent", sign: "M4 7h16v3.5H4zM4 13.5h16V17H4z" },
  inconclusive: {
    word: "Inconclusive",
    sign:
      "M0 10.7h8v2.6H0zM16 10.7h8v2.6h-8zM12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12zm0 2.6a3.4 3.4 0 1 0 0 " +
      "6.8 3.4 3.4 0 0 0 0-6.8z",
  },
  not_comparable: {
    word: "Not comparable",
    sign:
      "M4 6.5h9.3L15 2.5h3.4l-1.7 4H20V10h-4.8l-1.5 4H20v3.5h-7.8L10.500 " +
      "21.5H7.100l1.7-4H4V14h6.300l1.5-4H4z",
  },
};

/** The large plot has room for more numbers. */
const HERO_TICKS = 6;

/**
 * What the comparison comes to: one large card, or a smaller one for each of several runs.
 *
 * @param summary what became of the queries by rank, where that is known.
 * @param moved what got worse, where one run is held against the baseline.
 */
export function verdictSection(
  comparison: ScoreComparison,
  summary: string | null = null,
  moved: Markup = nothing,
): Markup {
  const { comparisons } = comparison;
  const several = comparisons.length > 1;
  const primaries = comparisons.map(primaryOf);
  const margin = comparison.settings.primary === null ? null : marginOf(comparison);
  // Cards of several runs share a scale, so that their intervals can be compared by eye.
  const scale = plotScale(
    [
      ...primaries.flatMap((primary) => [
        primary?.difference,
        primary?.interval?.low,
        primary?.interval?.high,
      ]),
      margin,
      margin === null ? null : -margin,
    ],
    { mostTicks: HERO_TICKS },
  );
  return html`
    <section id="verdict" aria-labelledby="h-verdict">
      <h2 id="h-verdict" class="sr">${several ? "Verdicts" : "Verdict"}</h2>
      ${comparisons.map((run, index) =>
        card(comparison, run, primaries[index], { scale, margin, isExplained: index === 0 }, several, {
          summary,
          moved,
        }),
      )}
    </section>
    ${allPairsSection(comparison)}
  `;
}

/** What an older report can say: counts, not a significance test. */
export function summarySection(report: CompareReport, moved: Markup): Markup {
  const { win, loss, regression, draw } = report.counts;
  const counts = { improved: win, equal: draw, worse: loss + regression };
  return html`
    <section id="verdict" aria-labelledby="h-verdict">
      <h2 id="h-verdict" class="sr">Summary</h2>
      <p class="headline">${comparisonSummary(report)}</p>
      ${outcomeFigure(counts)}${moved}
      <p class="quiet">
        This report has counts but no statistics, so it does not say whether the difference is real.
      </p>
    </section>
  `;
}

/**
 * What the verdict rests on: what people's labels make of the difference, where they do, or the queries that
 * the baseline answered.
 */
function primaryOf(comparison: RunComparison): Deciding | undefined {
  const { verdict, corrected } = comparison;
  const primary = primaryDifference(comparison);
  const byPeople = corrected?.find(({ metric }) => metric === verdict.primary);
  if (primary === undefined || byPeople === undefined) return primary;
  const { raw, corrected: difference, interval, p, p_adjusted } = byPeople;
  return { ...primary, difference, interval, p, p_adjusted, byModel: raw };
}

interface Deciding extends MetricDifference {
  /** The difference by the model's labels, where people's have corrected it. */
  readonly byModel?: number;
}

/** The margin of the settings in units of the primary metric. */
function marginOf(comparison: ScoreComparison): number | null {
  const { primary, margin } = comparison.settings;
  const range = primary === null ? null : widthOf(comparison, primary);
  return range === null || margin === 0 ? null : margin * range;
}

interface HeroPlot {
  readonly scale: PlotScale;
  readonly margin: number | null;
  /** Whether it is said what the band is: once is enough. */
  readonly isExplained: boolean;
}

function card(
  comparison: ScoreComparison,
  { run, verdict }: RunComparison,
  primary: Deciding | undefined,
  plot: HeroPlot,
  isCompact: boolean,
  { summary, moved }: { readonly summary: string | null; readonly moved: Markup },
): Markup {
  const { word, sign } = VERDICTS[verdict.kind];
  const tone = verdict.kind === "better" || verdict.kind === "worse" ? verdict.kind : "neutral";
  const icon = html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="${sign}"/></svg>`;
  const title = html`
    <h3 class="word ${tone}">
      ${icon}${word}${isCompact ? html`<span class="run">${bdi(run)}</span>` : nothing}
    </h3>
  `;
  // Numbers of runs that cannot be compared would be read as if they could.
  const shown = verdict.kind === "not_comparable" ? undefined : primary;
  const isComparable = verdict.kind !== "not_comparable";
  // The picture of the outcomes says how many queries improved.
  const isDrawn = (reason: string): boolean =>
    shown !== undefined && shown.byModel === undefined && reason === outcomeSentence(shown);
  // What is said of the labels has a section of its own.
  const trusted = hasTrustSection(comparison) ? trustLines(comparison.trust) : [];
  const sentences = [
    ...verdict.reasons.filter((reason) => !isDrawn(reason) && !trusted.includes(oneLine(reason))),
    ...(summary === null || !isComparable ? [] : [summary]),
  ];
  const reasons =
    sentences.length === 0
      ? nothing
      : html`<ul class="reasons">${sentences.map((each) => html`<li>${sentence(each)}</li>`)}</ul>`;
  return html`
    <article class="verdict${isCompact ? " compact" : ""}">
      ${title}
      <p class="headline">${sentence(verdict.headline)}</p>
      ${shown === undefined ? nothing : figures(comparison, shown, plot)}
      <div class="why">
        ${[html`${reasons}${conditions(verdict, primary)}`, isComparable ? moved : nothing].map((part) =>
          part.text === "" ? nothing : html`<div>${part}</div>`,
        )}
      </div>
    </article>
  `;
}

function figures(
  comparison: ScoreComparison,
  primary: Deciding,
  { scale, margin, isExplained }: HeroPlot,
): Markup {
  const { settings } = comparison;
  const { metric, mean_a, mean_b, difference, interval, p, p_adjusted, byModel } = primary;
  const adjusted =
    p_adjusted === null || formatP(p_adjusted) === formatP(p) ? "" : `adjusted from ${formatP(p)}`;
  const band =
    margin === null || !isExplained
      ? nothing
      : html`
        <p class="quiet small">Within the band (±${formatValue(margin)}) differences do not matter.</p>
      `;
  const plotted = { value: difference, interval, tone: toneOf(comparison, primary) };
  return html`
    <dl class="figures">
      <div>
        <dt>${bdi(metric)}${byModel === undefined ? nothing : " by the model"}</dt>
        <dd>
          ${
            byModel === undefined
              ? html`${formatValue(mean_a)} <span class="quiet">→</span> ${formatValue(mean_b)}`
              : formatDifference(byModel)
          }
        </dd>
      </div>
      <div>
        <dt>${byModel === undefined ? "Difference" : "Corrected by people"}</dt>
        <dd class="${toneOf(comparison, primary)}">${formatDifference(difference)}</dd>
      </div>
      <div class="wide">
        <dt>${formatShare(settings.confidence)} interval</dt>
        <dd>${formatHtmlInterval(interval)}</dd>
      </div>
      <div>
        <dt>p value</dt>
        <dd>${formatP(p_adjusted ?? p)}${adjusted === "" ? nothing : html`<small>${adjusted}</small>`}</dd>
      </div>
    </dl>
    <div class="pictures">
      <figure class="hero-plot">${intervalPlot(scale, plotted, margin)}${plotAxis(scale)}${band}</figure>
      ${byModel === undefined ? outcomeFigure(primary) : nothing}
    </div>
  `;
}

function outcomeFigure(counts: {
  readonly improved: number;
  readonly equal: number;
  readonly worse: number;
}): Markup {
  const { improved, equal, worse } = counts;
  if (improved + equal + worse === 0) return nothing;
  return html`
    <figure class="outcome-figure">
      ${outcomeBar(counts)}
      <figcaption>
        <span class="better">
          <span aria-hidden="true">▲ </span><b>${formatCount(improved)}</b> improved
        </span>
        <span><span aria-hidden="true">= </span><b>${formatCount(equal)}</b> equal</span>
        <span class="worse"><span aria-hidden="true">▼ </span><b>${formatCount(worse)}</b> worse</span>
      </figcaption>
    </figure>
  `;
}

/**
 * Guards, latency, unjudged hits and missing queries: what the verdict rests on besides the primary metric.
 */
function conditions(verdict: Verdict, primary: MetricDifference | undefined): Markup {
  const { guards, latency, unjudged, queries_needed, reasons } = verdict;
  const isSaid =
    primary !== undefined && doubtSentences(unjudged, primary).every((each) => reasons.includes(each));
  const needed = primary === undefined ? [] : neededSentences(primary);
  const doubts =
    unjudged === null || unjudged.unjudged_a + unjudged.unjudged_b === 0 ? "" : doubt(unjudged, isSaid);
  const rows = [
    ...guards.map(({ metric, is_held, why }) => condition(html`Guard ${bdi(metric)}`, is_held, html`${why}`)),
    ...(latency === null ? [] : [condition(html`Latency`, latency.is_held, html`${latency.why}`)]),
    ...(doubts === "" ? [] : [condition(html`Unjudged hits`, null, html`${doubts}`)]),
    ...(queries_needed === null || needed.some((each) => verdict.headline.includes(each))
      ? []
      : [
          condition(
            html`Queries needed`,
            null,
            html`
              About ${formatCount(queries_needed)} to tell a difference of this size from chance
              ${primary === undefined ? "" : `; there are ${formatCount(primary.pairs)}`}.
            `,
          ),
        ]),
  ];
  return rows.length === 0 ? nothing : html`<dl class="conditions">${rows}</dl>`;
}

const DOUBTS: Readonly<Record<UnjudgedDoubt["could_overturn"], string>> = {
  yes: "could turn the difference around",
  no: "cannot turn the difference around, however they are judged",
  perhaps: "may or may not be able to turn the difference around",
};

/** @param isSaid whether the reasons say how many there are, and what they could do. */
function doubt({ could_overturn, bounds, unjudged_a, unjudged_b }: UnjudgedDoubt, isSaid: boolean): string {
  const hits =
    `${countOf(unjudged_a, "hit")} of the baseline and ${formatCount(unjudged_b)} of the run have ` +
    `no label; they ${DOUBTS[could_overturn]}.`;
  const reach =
    bounds === null
      ? ""
      : `With every possible label the difference lies from ${formatDifference(bounds.low)} to ` +
        `${formatDifference(bounds.high)}.`;
  return [isSaid ? "" : hits, reach].filter(Boolean).join(" ");
}

/** Every run against every other; nothing for two runs. */
export function allPairsSection(comparison: ScoreComparison): Markup {
  const { all_pairs, settings } = comparison;
  if (all_pairs === null || all_pairs.length === 0) return nothing;
  const doubted = formatDoubtedPairs(comparison);
  const columns = [
    ["p adjusted", all_pairs.map(({ p_adjusted }) => p_adjusted)],
    ["Tukey HSD", all_pairs.map(({ p_tukey }) => p_tukey)],
    ["Tukey, randomized", all_pairs.map(({ p_randomized_tukey }) => p_randomized_tukey)],
  ] as const;
  const rows = all_pairs.map(
    (pair, row) =>
      html`
        <tr>
          <th scope="row">${bdi(pair.run_a)} <span class="quiet">→</span> ${bdi(pair.run_b)}</th>
          <td class="n" data-name="Difference">${formatDifference(pair.difference)}</td>
          <td class="n" data-name="p">${formatP(pair.p)}</td>
          ${columns.map(([name, values]) => {
            const value = values[row] ?? null;
            const strong =
              value !== null && value < settings.alpha && isFollowing(pair, comparison) ? " strong" : "";
            return html`<td class="n${strong}" data-name="${name}">${formatP(value)}</td>`;
          })}
        </tr>
      `,
  );
  return html`
    <section id="pairs" aria-labelledby="h-pairs">
      <h2 id="h-pairs">Every run against every other</h2>
      <p class="lead">
        By ${settings.primary === null ? "the primary metric" : bdi(settings.primary)}.${" "}
        A p value below ${settings.alpha} is
        in bold.${doubted === "" ? "" : ` ${doubted}`}
      </p>
      <div class="scroll" role="group" aria-labelledby="h-pairs" tabindex="0">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">Runs</th>
              <th scope="col" class="n">Difference</th>
              <th scope="col" class="n">p</th>
              ${columns.map(([name]) => html`<th scope="col" class="n">${name}</th>`)}
            </tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
    </section>
  `;
}
