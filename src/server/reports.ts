import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { withoutRaters, withoutTexts } from "../audit/index.js";
import { groupedBy } from "../foundation/columns/index.js";
import {
  normalizedQuery,
  raterId,
  type Assessment,
  type BelowStop,
  type QueryBuild,
} from "../label/index.js";
import {
  artifactsPath,
  auditLabeler,
  isStoreThere,
  labelsPath,
  readLatestProbes,
  readQueryBuilds,
  tuningFiles,
  tuningsFolder,
  unfinishedTuning,
} from "../node/index.js";
import type { WorkbenchReport } from "../records/index.js";
import {
  auditPageSections,
  partSection,
  reportSection,
  tuningPageSections,
  type PageSection,
  type ReportSection,
} from "../report/internal.js";
import type { AnyTuning } from "../report/index.js";
import { shownSections } from "../workbench/index.js";
import type { DatasetCollection, ProjectPlaces } from "./collections/dataset-collection.js";

/** A report that says nothing. */
export const NOTHING: WorkbenchReport = { title: "", sections: [] };
/** Rows of a table; the files have them all. */
const MOST_ROWS = 200;

/** What reports may say of a project. */
export interface Reveals {
  /** Texts of queries and items, and reasons. */
  readonly texts: boolean;
  /** Names of people. */
  readonly raters: boolean;
}

const EVERYTHING: Reveals = { texts: true, raters: true };

/** How far the labeler agrees with people: what `rankproof audit` says without asking anybody. */
export async function trustReport(
  collection: DatasetCollection,
  { config, labels }: ProjectPlaces,
  reveals = EVERYTHING,
): Promise<WorkbenchReport> {
  const dataset = await collection.dataset();
  if (!isStoreThere(labelsPath(config, labels))) return NOTHING;
  const known = await collection.said();
  const second = await known.labeler(undefined);
  if (second.rater === null) return NOTHING;
  const { tenant } = dataset;
  const probes = readLatestProbes(artifactsPath(config), {
    dataset: dataset.id,
    tenant,
    rater: second.rater,
  });
  if (probes === null && known.said.every(({ rater }) => rater.kind === "model")) return NOTHING;
  const audit = auditLabeler(dataset, known, { first: null, second }, { seed: 1, probes });
  const told = reveals.texts ? audit : withoutTexts(audit);
  const named = reveals.raters ? told : withoutRaters(told);
  return { title: `People against ${named.second.name}`, sections: shownSections(auditPageSections(named)) };
}

/** What labelling cost, by rater, and where the builds of queries stopped. */
export async function buildsReport(
  collection: DatasetCollection,
  { config, labels }: ProjectPlaces,
  reveals = EVERYTHING,
): Promise<WorkbenchReport> {
  const dataset = await collection.dataset();
  if (!isStoreThere(labelsPath(config, labels))) return NOTHING;
  const { said } = await collection.said();
  const ids = new Map(dataset.queries.map(({ id, query }) => [normalizedQuery(query), id]));
  const builds = readQueryBuilds(artifactsPath(config), dataset.id).map((build) =>
    reveals.texts ? build : { ...build, query: ids.get(normalizedQuery(build.query)) ?? "" },
  );
  if (said.length === 0 && builds.length === 0) return NOTHING;
  const parts = [ratersPart(said, reveals), ...(builds.length === 0 ? [] : [buildsPart(builds)])];
  return {
    title: buildsTitle(said, builds),
    sections: shownSections(parts.map((part): PageSection => [part.id, part.title, partSection(part)])),
  };
}

/** How much there is, what it took, and where it stopped, as a sentence. */
function buildsTitle(said: readonly Assessment[], builds: readonly QueryBuild[]): string {
  const counted = (count: number, one: string, many: string): string =>
    `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
  const model = said.filter(({ rater, outcome }) => rater.kind === "model" && outcome === "graded").length;
  const people = said.filter(({ rater, outcome }) => rater.kind !== "model" && outcome === "graded").length;
  const price = priceOf(said);
  const ends = [...groupedBy(builds, ({ stop }) => stop.reason)].map(
    ([reason, own]) => `${REASONS[reason]} (${own.length.toLocaleString("en")})`,
  );
  return (
    `${counted(model, "label", "labels")} by the model${price === "" ? "" : ` for ${price}`}, ` +
    `${people.toLocaleString("en")} by people. ` +
    (builds.length === 0
      ? "No query was rebuilt deeply."
      : `${counted(builds.length, "query was", "queries were")} rebuilt deeply, ` +
        `and stopped for this reason: ${ends.join("; ")}.`)
  );
}

function ratersPart(said: readonly Assessment[], reveals: Reveals): ReportSection {
  const byRater = groupedBy(said, ({ rater }) => raterId(rater));
  const rows = [...byRater.values()].map((own, at) => {
    const rater = own[0]?.rater;
    const isHidden = !reveals.raters && rater?.kind !== "model";
    const graded = own.filter(({ outcome }) => outcome === "graded").length;
    const tokens = own.reduce((sum, each) => sum + (each.tokens?.input ?? 0) + (each.tokens?.output ?? 0), 0);
    return [
      isHidden ? `rater ${at + 1}` : (rater?.name ?? ""),
      rater?.kind ?? "",
      rater?.model ?? "",
      String(graded),
      own.length === graded ? "" : String(own.length - graded),
      tokens === 0 ? "" : Math.round(tokens).toLocaleString("en"),
      priceOf(own),
    ];
  });
  return reportSection(
    "raters",
    "Who labelled what",
    "lllrrrr",
    ["rater", "kind", "model", "labels", "without a grade", "tokens", "price"],
    rows,
    { most: MOST_ROWS },
  );
}

/** The price of what was said, by currency; nothing where none is known. */
function priceOf(said: readonly Assessment[]): string {
  const sums = new Map<string, number>();
  for (const { price } of said)
    if (price != null) sums.set(price.currency, (sums.get(price.currency) ?? 0) + price.amount);
  return [...sums].map(([currency, amount]) => `${amount.toFixed(2)} ${currency}`).join(", ");
}

const REASONS: Readonly<Record<QueryBuild["stop"]["reason"], string>> = {
  streak: "nothing useful in several batches in a row",
  exhausted: "everything is labelled",
  max_batches: "the most batches",
  skipped: "skipped: too many items are near",
  budget: "the budget was spent",
};

function buildsPart(builds: readonly QueryBuild[]): ReportSection {
  const rows = builds.map(({ query, batches, stop, calls, below_stop }) => [
    query,
    String(batches.length),
    batches.map(({ irrelevant_plus_low_ratio: share }) => percent(share)).join(" "),
    REASONS[stop.reason],
    String(calls),
    belowText(below_stop),
  ]);
  return reportSection(
    "builds",
    "Builds of queries",
    "lrllrr",
    ["query", "batches", "not useful, by batch", "stopped since", "calls", "useful below the stop"],
    rows,
    { most: MOST_ROWS },
  );
}

function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)}%`;
}

function belowText({ items, estimate, low, high }: BelowStop): string {
  return items === 0 ? "" : `about ${Math.round(estimate)} (${Math.round(low)} to ${Math.round(high)})`;
}

/** The latest tuning of a dataset. */
export function tuningReport(
  dataset: string,
  { config }: ProjectPlaces,
  reveals = EVERYTHING,
): WorkbenchReport {
  const all = tuningsFolder(artifactsPath(config));
  if (!existsSync(all)) return NOTHING;
  const folders = readdirSync(all, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const latest = unfinishedTuning(all, dataset);
  const unfinished = latest === undefined ? {} : { unfinished: latest };
  for (const { name } of folders.reverse()) {
    const tuning = tuningOf(tuningFiles(join(all, name)).read("report.json"));
    if (tuning !== undefined && "dataset" in tuning && tuning.dataset === dataset)
      return {
        title: `Tuning ${name}`,
        sections: shownSections(tuningPageSections(reveals.texts ? tuning : wordless(tuning))),
        ...unfinished,
      };
  }
  return { ...NOTHING, ...unfinished };
}

/** A tuning whose queries are ids alone. */
function wordless(tuning: AnyTuning): AnyTuning {
  return tuning.kind === "backend_tuning"
    ? { ...tuning, per_query: tuning.per_query.map((query) => ({ ...query, query: null })) }
    : tuning;
}

/** Undefined for what a killed process or another hand left there. */
function tuningOf(text: string | undefined): AnyTuning | undefined {
  try {
    const value = JSON.parse(text ?? "null") as Partial<AnyTuning> | null;
    return value?.kind === "backend_tuning" || value?.kind === "fusion_tuning"
      ? (value as AnyTuning)
      : undefined;
  } catch {
    return undefined;
  }
}
