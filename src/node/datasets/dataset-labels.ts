import type { DatasetJudgments } from "../../batch/index.js";
import type { QuerySample } from "../../compare/index.js";
import { groupBy } from "../../foundation/columns/index.js";
import { quote } from "../../foundation/errors/index.js";
import { countOf } from "../../foundation/numbers/index.js";
import { canonicalJson } from "../../foundation/text/index.js";
import {
  itemHash,
  labelsOf,
  normalizeQuery,
  raterId,
  type Assessment,
  type Label,
  type Rater,
} from "../../label/index.js";
import { differInForm, raterIds, type AuditSample, type Config } from "../../records/index.js";
import type { LabelStore } from "../../storage/index.js";
import { openLabelStore } from "../label-file.js";
import { isStoreThere } from "../store-name.js";
import { readAuditSamples } from "./audit-files.js";
import type { Dataset } from "./dataset.js";
import { raterNamed } from "./labelers.js";
import { artifactsPath, labelerFrom, labelsPath } from "./project-config.js";

/** Which labels are meant, where it is not what the configuration says. */
export interface LabelsChoice {
  /** The label store. */
  readonly labels?: string | undefined;
  readonly labeler?: string | undefined;
}

/** The labels of a dataset, and whose they are. */
export interface DatasetLabels extends DatasetJudgments {
  /** Every rater once, the one with the latest label at the end. */
  readonly raters: readonly Rater[];
}

/**
 * What a store has of a dataset; nothing where there is no store yet.
 *
 * @param warn is told what makes the labels doubtful.
 */
export async function labelsOfDataset(
  config: Config,
  dataset: Dataset,
  choice: LabelsChoice,
  warn: (message: string) => void,
): Promise<DatasetLabels> {
  const path = labelsPath(config, choice.labels);
  const store = isStoreThere(path) ? await openLabelStore(path, { create: true }) : undefined;
  const said = store === undefined ? [] : await readAssessments(store, dataset).finally(() => store.close());
  const { name, settings } = labelerFrom(config, dataset, choice.labeler);
  const raters = ratersOf(said);
  const { rater, isCurrent } = await raterNamed(name, settings, dataset, raters);
  if (rater !== undefined && !isCurrent)
    warn(
      `${quote(name)} has no labels by the model, prompt and settings that it has now; those of its latest ` +
        "settings before are taken",
    );
  const policy = { labeler: rater, currentHash: currentHashes(dataset) };
  const labels = labelsOf(said, policy);
  // People decide wherever they said anything, so that most labels of a large store are needed once only.
  const [people, others] = [labels.filter(isByPeople), labels.filter((label) => !isByPeople(label))];
  const decided = new Map(
    [...groupBy(people, ({ query }) => query)].map(([query, own]) => [
      query,
      new Set(own.map(({ item }) => item)),
    ]),
  );
  const isDecided = ({ query, item }: Assessment): boolean => decided.get(query)?.has(item) === true;
  const overruled = said.filter(isDecided);
  const lacking = countOtherForms(
    said.filter((one) => !isDecided(one) && (dataset.items.size === 0 || dataset.items.has(one.item))),
    raters,
    rater,
  );
  if (lacking > 0)
    warn(
      `${countOf(lacking, "label")} of ${quote(name)} ${lacking === 1 ? "does" : "do"} not count: its ` +
        "endpoint took requests in another form then, which makes it another rater; `rankproof label " +
        "build` asks again for those that are still among what it labels",
    );
  return {
    labels,
    // What was said of an item that has changed since says nothing of it is.
    people: people.filter(({ isStale }) => !isStale),
    model: [...others, ...labelsOf(overruled, { ...policy, people: false })],
    labeler: rater ?? null,
    labelerName: name,
    labelerModel: raters.find((each) => raterId(each) === rater)?.model ?? null,
    sample: sampleOf(readAuditSamples(artifactsPath(config), dataset.id, dataset.tenant), dataset, warn),
    raters,
  };
}

/** Pairs that the labeler was asked for only before its endpoint took another form, and graded. */
function countOtherForms(
  said: readonly Assessment[],
  raters: readonly Rater[],
  chosen: string | undefined,
): number {
  const now = raters.find((each) => raterId(each) === chosen);
  const before = new Set(
    raters.filter((each) => now !== undefined && differInForm(each, now)).map((each) => raterId(each)),
  );
  if (before.size === 0) return 0;
  const idOf = raterIds();
  const pairs = (isWanted: (one: Assessment) => boolean): Set<string> =>
    new Set(said.filter(isWanted).map(({ query, item }) => canonicalJson([query, item])));
  const known = pairs(({ rater }) => idOf(rater) === chosen);
  const graded = pairs(({ grade, rater }) => grade !== null && before.has(idOf(rater)));
  return [...graded].filter((pair) => !known.has(pair)).length;
}

function isByPeople({ by }: Label): boolean {
  return by !== "labeler";
}

/** The latest sample of whole queries that was drawn to estimate. */
function sampleOf(
  samples: readonly AuditSample[],
  { queries }: Dataset,
  warn: (message: string) => void,
): QuerySample | null {
  const latest = samples.findLast(({ purpose, unit }) => purpose === "estimate" && unit === "query");
  const texts = new Map(queries.map(({ id, query }) => [id, normalizeQuery(query)]));
  const other = latest?.drawn.find(({ query_id, query }) => (texts.get(query_id) ?? query) !== query);
  if (other !== undefined) {
    warn(
      `query ${quote(other.query_id)} was ${quote(other.query)} when the sample was drawn, and is another ` +
        "one now, so that the sample does not count; `rankproof audit sample` draws anew",
    );
    return null;
  }
  return latest === undefined
    ? null
    : {
        frame: new Map(latest.frame.map(({ query_id, stratum }) => [query_id, stratum])),
        drawn: new Set(latest.drawn.map(({ query_id }) => query_id)),
      };
}

/** What the items of a dataset say now, by a hash. */
export function currentHashes({ items }: Dataset): (item: string) => string | undefined {
  const hashes = new Map([...items].map(([id, item]) => [id, itemHash(item)]));
  return (item) => hashes.get(item);
}

/** In the order in which it was said. */
async function readAssessments(store: LabelStore, { queries, tenant }: Dataset): Promise<Assessment[]> {
  return store.find({ tenant, queries: queries.map(({ query }) => normalizeQuery(query)) });
}

/** Every rater of these once, the one with the latest label at the end. */
export function ratersOf(said: readonly Assessment[]): Rater[] {
  const latest = new Map<string, Rater>();
  const idOf = raterIds();
  for (const { rater } of said) {
    const id = idOf(rater);
    latest.delete(id);
    latest.set(id, rater);
  }
  return [...latest.values()];
}
