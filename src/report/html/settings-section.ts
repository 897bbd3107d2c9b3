import { type Conventions, type ScoreComparison } from "../../records/index.js";
import { corrections, pairedTests } from "../../stats/index.js";
import { runFactsLine } from "../run-facts-line.js";
import { intervalMethod, testFamilies } from "../printed-statistics.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { formatShare, formatCount } from "../../foundation/numbers/index.js";
import { formatValue } from "./printed-numbers.js";

/** The runs, and everything that is needed to get the same numbers again. */
export function settingsSection(comparison: ScoreComparison): Markup {
  return html`
    <section id="settings" aria-labelledby="h-settings">
      <h2 id="h-settings">Runs and settings</h2>
      ${runsTable(comparison)}
      <div class="columns">
        <div><h3>Statistics</h3>${facts(statisticsFacts(comparison))}</div>
        ${conventionsBlock(comparison.conventions)}
      </div>
    </section>
  `;
}

/** How differences were tested. */
export function statisticsFacts(comparison: ScoreComparison): Fact[] {
  const { settings, relevant_from } = comparison;
  return [
    ...(comparison.trust?.status === "unknown" ? [["Judgments", comparison.trust.sentence] as const] : []),
    ["Test", pairedTests[settings.test].label],
    ["Permutations", formatCount(settings.permutations)],
    ["Bootstrap resamples", formatCount(settings.resamples)],
    ["Seed", String(settings.seed)],
    ["Confidence of intervals", `${formatShare(settings.confidence)}, ${intervalMethod(comparison)}`],
    ["Alpha", String(settings.alpha)],
    ["Correction", corrections[settings.correction].label],
    ["Families", testFamilies(comparison)],
    ["Power", String(settings.power)],
    ["Equal within", String(settings.tolerance)],
    ["Equivalence margin", `${String(settings.margin)} of the metric's range`],
    ["Primary metric", settings.primary === null ? "none" : bdi(settings.primary)],
    [
      "Guards",
      settings.guards.length === 0
        ? "none"
        : settings.guards.map(
            ({ metric, allowed_loss }, index) =>
              html`${index === 0 ? "" : ", "}${bdi(metric)} (may lose ${allowed_loss})`,
          ),
    ],
    ["Highest p95 of latency", settings.max_p95_ms === null ? "any" : `${settings.max_p95_ms} ms`],
    ["Relevant from grade", String(relevant_from)],
  ];
}

/** A name and a value. */
export type Fact = readonly [name: string, value: string | Markup | readonly Markup[]];

/** A list of facts, a line each. */
export function facts(list: readonly Fact[]): Markup {
  return html`
    <dl class="facts">${list.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
  `;
}

/** What was decided where evaluation tools disagree; nothing where that is not known. */
export function conventionsBlock(conventions: Conventions | null): Markup {
  return conventions === null
    ? nothing
    : html`<div><h3>Scoring conventions</h3>${facts(conventionFacts(conventions))}</div>`;
}

function conventionFacts({
  profile,
  ties,
  precision,
  queries,
  noRelevant,
  unjudged,
  duplicates,
  grades,
  means,
  identicalIds,
  depth,
}: Conventions): Fact[] {
  return [
    ["Profile", bdi(profile)],
    [
      "Hits of equal score",
      {
        trec: "by id, descending, as trec_eval",
        expected: "mean over all orders",
        input: "in the order of the input",
      }[ties],
    ],
    ["Scores held in", `${precision} precision`],
    ["Averaged over", queries === "judged" ? "all judged queries" : "the queries that the run answers"],
    ["Nothing relevant", { zero: "counts as 0", skip: "left out", one: "counts as 1" }[noRelevant]],
    ["Unjudged hits", unjudged === "remove" ? "left out first" : "not relevant"],
    [
      "Same item twice",
      { first: "the first counts", error: "is an error", count: "each counts" }[duplicates],
    ],
    ["Grades", grades],
    ["Means", means === "exact" ? "rounded once" : "summed in the order of the ids"],
    ["Hit with the query's own id", identicalIds === "drop" ? "dropped" : "kept"],
    ["Depth", depth === null ? "all hits" : formatCount(depth)],
  ];
}

function runsTable({ runs, metrics }: ScoreComparison): Markup {
  const isRecorded = runs.some((run) => runFactsLine(run) !== "");
  const rows = runs.map(({ run, means, queries, latency_ms, ...facts }, index) => {
    const scores = metrics.map(
      (metric) =>
        html`<td class="n">${formatValue(Object.hasOwn(means, metric) ? means[metric] : null)}</td>`,
    );
    return html`
      <tr>
        <th scope="row">
          ${bdi(run)}${index === 0 ? html`<small class="quiet">baseline</small>` : nothing}
        </th>
        <td class="n">${formatCount(queries)}</td>
        ${scores}
        ${isRecorded ? html`<td>${bdi(runFactsLine(facts))}</td>` : nothing}
        <td class="n">
          ${latency_ms === null ? "—" : `${milliseconds(latency_ms.p50)} / ${milliseconds(latency_ms.p95)}`}
        </td>
      </tr>
    `;
  });
  return html`
    <div class="scroll" role="region" aria-label="Runs" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col" class="n">Queries</th>
            ${metrics.map((metric) => html`<th scope="col" class="n">${bdi(metric)}</th>`)}
            ${isRecorded ? html`<th scope="col">Recorded</th>` : nothing}
            <th scope="col" class="n">Latency p50 / p95, ms</th>
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
    <p class="quiet small">
      Means here are over all queries that a run was scored on; the table of metrics compares only queries
      that both runs have.
    </p>
  `;
}

/** At most one decimal. */
function milliseconds(value: number): string {
  return String(Number(value.toFixed(1)));
}
