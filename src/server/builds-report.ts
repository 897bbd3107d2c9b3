import { countOf, formatAmount, formatCount } from "../foundation/numbers/index.js";
import { groupBy } from "../foundation/columns/index.js";
import { valueText } from "../foundation/text/index.js";
import { normalizeQuery, raterId, type Assessment, type BelowStop, type QueryBuild } from "../label/index.js";
import { artifactsPath, isStoreThere, labelsPath } from "../node/index.js";
import { readQueryBuilds } from "../node/internal.js";
import type { Rater, WorkbenchReport } from "../records/index.js";
import { html, nothing, partSection, reportSection, type Markup } from "../report/internal.js";
import { showSections } from "../workbench/index.js";
import type { DatasetCollection } from "./collections/dataset-collection.js";
import type { ProjectPlaces } from "./project-places.js";
import { countJudgedPairs } from "./label-words.js";
import { EVERYTHING, NOTHING } from "./reports.js";

/** Raters and builds that are shown; the files have them all. */
const MOST_ROWS = 200;

/** What labelling cost, by rater, and where the builds of queries stopped. */
export async function buildsReport(
  collection: DatasetCollection,
  { config, labels }: ProjectPlaces,
  reveals = EVERYTHING,
): Promise<WorkbenchReport> {
  const dataset = await collection.dataset();
  if (!isStoreThere(labelsPath(config, labels))) return NOTHING;
  const { said } = await collection.readAssessments();
  const ids = new Map(dataset.queries.map(({ id, query }) => [normalizeQuery(query), id]));
  const builds = readQueryBuilds(artifactsPath(config), dataset.id).map((build) =>
    reveals.texts ? build : { ...build, query: ids.get(normalizeQuery(build.query)) ?? "" },
  );
  if (said.length === 0 && builds.length === 0) return NOTHING;
  return {
    conclusion: costAndStop(said, builds),
    title: countJudgedPairs(await collection.trust(null)),
    sections: showSections([
      ["stop", "Where the builds stopped", builds.length === 0 ? nothing : stopSection(builds)],
      ["raters", "Who labelled what", ratersSection(said, reveals.raters)],
      ["builds", "Builds of queries", builds.length === 0 ? nothing : buildsSection(builds)],
    ]),
  };
}

/** What the model's labels took, and where their builds stopped. */
function costAndStop(said: readonly Assessment[], builds: readonly QueryBuild[]): string {
  const byModel = said.filter(({ rater }) => rater.kind === "model");
  const grades = byModel.filter(({ outcome }) => outcome === "graded").length;
  // Items of one request have the batch in common, and the time of its answer.
  const requests = new Set(byModel.flatMap(({ batch, at }) => (batch == null ? [] : [`${batch} ${at}`])))
    .size;
  const cost = [priceOf(said), tokensOf(said)].find((each) => each !== "");
  const ends = [...groupBy(builds, ({ stop }) => stop.reason)].map(
    ([reason, own]) => `${REASONS[reason]} (${countOf(own.length, "query")})`,
  );
  return [
    grades === 0
      ? "The model gave no grade."
      : `The model gave ${countOf(grades, "grade")}, one or more a pair, ` +
        (requests === 0 ? "" : `in ${countOf(requests, "request")}, `) +
        (cost === undefined ? "at no price that is known." : `for ${cost}.`),
    builds.length === 0
      ? "No query was built deeply."
      : `${countOf(builds.length, "query was", "queries were")} built deeply, and stopped: ` +
        `${ends.join("; ")}.`,
  ].join(" ");
}

function ratersSection(said: readonly Assessment[], areNamed: boolean): Markup {
  const byRater = groupBy(said, ({ rater }) => raterId(rater));
  const raters = [...byRater.values()].map(([first]) => first?.rater);
  const rows = [...byRater.values()].map((own, at) => {
    const rater = raters[at];
    const isAlone = raters.every((other) => other === rater || labelerOf(other) !== labelerOf(rater));
    const isHidden = !areNamed && rater?.kind !== "model";
    const graded = own.filter(({ outcome }) => outcome === "graded").length;
    return [
      isHidden ? `rater ${at + 1}` : (rater?.name ?? ""),
      rater?.kind ?? "",
      rater?.model ?? "",
      isAlone || rater === undefined ? "" : settingsText(rater),
      formatCount(graded),
      own.length === graded ? "" : formatCount(own.length - graded),
      tokensOf(own),
      priceOf(own),
    ];
  });
  const heads = ["rater", "kind", "model", "settings", "grades given", "without a grade", "tokens", "price"];
  return partSection(
    reportSection("raters", "Who labelled what", "llllrrrr", heads, rows, { most: MOST_ROWS }),
  );
}

function labelerOf(rater: Rater | undefined): string {
  return JSON.stringify([rater?.name, rater?.model]);
}

/** What tells labelers of one name and model apart. */
function settingsText({ prompt, prompt_version, parameters }: Rater): string {
  const named = Object.entries(parameters ?? {}).map(([name, value]) => `${name} ${valueText(value)}`);
  const asked = prompt == null ? [] : [`prompt ${prompt} ${prompt_version ?? ""}`.trim()];
  return [...asked, ...named].join(", ");
}

function tokensOf(said: readonly Pick<Assessment, "tokens">[]): string {
  const tokens = said.reduce((sum, each) => sum + (each.tokens?.input ?? 0) + (each.tokens?.output ?? 0), 0);
  return tokens === 0 ? "" : `${formatCount(Math.round(tokens))} tokens`;
}

/** The price of what was said, by currency; nothing where none is known. */
function priceOf(said: readonly Pick<Assessment, "price">[]): string {
  const sums = new Map<string, number>();
  for (const { price } of said)
    if (price != null) sums.set(price.currency, (sums.get(price.currency) ?? 0) + price.amount);
  return [...sums].map(([currency, amount]) => `${formatAmount(amount)} ${currency}`).join(", ");
}

/** Why a build stopped; it is the model's labels that it is about. */
const REASONS: Readonly<Record<QueryBuild["stop"]["reason"], string>> = {
  streak: "several batches of items in a row had nothing useful",
  exhausted: "the model had labelled every item that was in question",
  max_batches: "the limit of batches of items was reached",
  skipped: "nothing was begun, since too many items are near",
  budget: "the limit of requests was reached",
};

/** The shares of all builds, with the rule that stops them. */
function stopSection(builds: readonly QueryBuild[]): Markup {
  const shown = builds.slice(0, MOST_ROWS);
  return html`
    <section id="stop" aria-labelledby="h-stop">
      <h2 id="h-stop">Where the builds stopped</h2>
      ${sharesPlot(shown)}
    </section>
  `;
}

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [720, 200, 56, 8, 52];

/** The share of each batch that is of no use: of one build, or of the middle one of many and their range. */
function sharesPlot(builds: readonly QueryBuild[]): Markup {
  const shares = Array.from({ length: Math.max(...builds.map(({ batches }) => batches.length)) }, (_, at) =>
    builds
      .flatMap(({ batches }) => batches[at]?.irrelevant_plus_low_ratio ?? [])
      .sort((first, second) => first - second),
  );
  const { combinedStop = 1, streak = 1, minBatches = 0 } = builds[0]?.settings ?? {};
  // Most shares are near 1, where the rule is, too.
  const least = Math.min(combinedStop, ...shares.flatMap(([lowest = 1]) => lowest));
  const bottom = Math.max(0, Math.floor(least * 10 - 1) / 10);
  const last = Math.max(1, shares.length - 1);
  const x = (at: number): string => (LEFT + ((WIDTH - 2 * LEFT) * at) / last).toFixed(1);
  const y = (share: number): string =>
    (TOP + ((HEIGHT - TOP - BOTTOM) * (1 - share)) / (1 - bottom)).toFixed(1);
  const line = (place: number): string[] =>
    shares.flatMap((all, at) =>
      all.length === 0 ? [] : [`${x(at)},${y(all[Math.round((all.length - 1) * place)] ?? 1)}`],
    );
  const countEnded = (at: number): number => builds.filter(({ batches }) => batches.length === at + 1).length;
  const several = builds.length > 1;
  const of = `: the middle one of ${builds.length} queries, and the range of all`;
  return html`
    <figure class="timeline shares">
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Share that is of no use, by batch">
        ${[bottom, (1 + bottom) / 2, 1].map(
          (share) => html`
            <line class="grid" x1="${LEFT}" x2="${WIDTH - LEFT}" y1="${y(share)}" y2="${y(share)}"/>
            <text x="0" y="${Number(y(share)) + 4}">${percent(share)}</text>
          `,
        )}
        <line class="rule" x1="${LEFT}" x2="${WIDTH - LEFT}" y1="${y(combinedStop)}" y2="${y(combinedStop)}"/>
        ${several ? html`<polygon points="${[...line(0), ...line(1).reverse()].join(" ")}"/>` : nothing}
        <polyline points="${line(0.5).join(" ")}"/>
        ${shares.map(
          (_, at) => html`
            <text class="middle" x="${x(at)}" y="${HEIGHT - 28}">${at + 1}</text>
            ${
              several && countEnded(at) > 0
                ? html`
              <text class="middle ended" x="${x(at)}" y="${HEIGHT - 5}">${countEnded(at)} ended</text>
            `
                : nothing
            }
          `,
        )}
      </svg>
      <figcaption class="quiet small">
        ${
          `Share of grades 0 and 1, by batch of labels${several ? of : ""}. ` +
          `Dashed: ${percent(combinedStop)}; above it a batch is bad, and ${streak} bad ones in a row, ` +
          `after the first ${minBatches}, end a build.`
        }
      </figcaption>
    </figure>
  `;
}

/** Each build, to be opened. */
function buildsSection(builds: readonly QueryBuild[]): Markup {
  const shown = builds.slice(0, MOST_ROWS);
  return html`
    <section id="builds" aria-labelledby="h-builds">
      <h2 id="h-builds">Builds of queries</h2>
      <ul class="builds">${shown.map((build, at) => html`<li>${buildDetails(build, at)}</li>`)}</ul>
      ${
        builds.length > shown.length
          ? html`<p class="quiet">and ${builds.length - shown.length} more, all in query_builds/</p>`
          : nothing
      }
    </section>
  `;
}

function buildDetails(build: QueryBuild, at: number): Markup {
  const { query, batches, stop, calls, cost, hits, pool, order, high, unknown_items, below_stop } = build;
  const seconds = (Date.parse(build.ended_at) - Date.parse(build.started_at)) / 1000;
  const facts: readonly (readonly [string, string])[] = [
    ["hits of the search", `${formatCount(hits)}, of which ${pool.length} are labelled first`],
    ["reranked", `${formatCount(order.length - pool.length)} items, ${high} above the threshold`],
    ["not known", unknown_items.length === 0 ? "" : countOf(unknown_items.length, "id")],
    ["labelled", `${formatCount(stop.items)} items in ${countOf(calls, "request")}`],
    ["cost", [priceOf([cost]), tokensOf([cost])].filter(Boolean).join(", ")],
    ["took", Number.isFinite(seconds) ? `${seconds.toFixed(1)} s` : ""],
    ["useful below the stop", belowText(below_stop)],
  ];
  const rows = batches.map((batch, index) => [
    String(index + 1),
    String(batch.size),
    String(batch.known),
    percent(batch.irrelevant_ratio),
    percent(batch.irrelevant_plus_low_ratio),
    batch.is_bad ? String(batch.streak) : "",
  ]);
  const heads = ["batch", "items", "had a label", "of grade 0", "of grades 0 and 1", "bad in a row"];
  const table = reportSection(`build-${at}`, `Batches of ${query}`, "rrrrrr", heads, rows);
  return html`
    <details>
      <summary>
        <strong dir="auto">${query}</strong>
        <span class="quiet">
          ${` ${countOf(batches.length, "batch", "batches")} of items; ${REASONS[stop.reason]}`}
        </span>
      </summary>
      ${batches.length < 2 ? nothing : sharesPlot([build])}
      <dl class="fields">
        ${facts.map(([name, text]) =>
          text === "" ? nothing : html`<div><dt>${name}</dt><dd>${text}</dd></div>`,
        )}
      </dl>
      ${partSection(table)}
    </details>
  `;
}

function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 1000) / 10} %`;
}

function belowText({ items, estimate, low, high }: BelowStop): string {
  return items === 0 ? "" : `about ${Math.round(estimate)} (${Math.round(low)} to ${Math.round(high)})`;
}
