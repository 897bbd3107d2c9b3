import { shown } from "../foundation/errors/index.js";
import type {
  WorkbenchHistory,
  WorkbenchLive,
  WorkbenchPair,
  WorkbenchQueries,
  WorkbenchQueue,
  WorkbenchReport,
} from "../records/index.js";
import { comparisonSections } from "../report/internal.js";
import type { Collection } from "./collections/collection.js";
import { DatasetCollection } from "./collections/dataset-collection.js";
import { disputesOf } from "./disputes.js";
import type { Labelling } from "./labelling.js";
import { overviewOf } from "./overview.js";
import type { Project } from "./project.js";
import { Refused } from "./refused.js";
import { buildsReport, shownSections, trustReport, tuningReport } from "./reports.js";

/** What a screen asks, and of which collection; what runs for it is told by whoever runs it. */
export interface Question {
  readonly what: keyof typeof READINGS;
  readonly collection: string;
  /** Of the address; left out where it says nothing. */
  readonly search: Readonly<Record<string, string>>;
}

interface Asked {
  readonly project: Project;
  readonly collection: Collection;
  readonly search: Question["search"];
}

/** The answers that take reading and computing; `live` asks the search, and none of them stores anything. */
const READINGS = {
  overview: ({ collection }: Asked) => overviewOf(collection),

  async queries({ collection, search }: Asked): Promise<WorkbenchQueries> {
    const { ids, run = null, baseline = null } = await chosenRuns(collection, search);
    const { metric, rows } = run === null ? { metric: null, rows: [] } : await collection.rows(run, baseline);
    return { run, baseline, metric, batches: ids, rows };
  },

  async query({ collection, search }: Asked) {
    const { run, baseline } = await chosenRuns(collection, search);
    const id = search["id"] ?? "";
    const found = await collection.query(
      id,
      [run, baseline].filter((each) => each !== undefined),
    );
    if (found === undefined) throw new Refused(404, `there is no query ${shown(id)}`);
    return found;
  },

  async live({ collection, search }: Asked): Promise<WorkbenchLive> {
    const id = search["id"] ?? "";
    const found = await datasetOf(collection).live(id);
    if (found === undefined) throw new Refused(404, `there is no query ${shown(id)}`);
    return found;
  },

  batches: async ({ collection }: Asked): Promise<Omit<WorkbenchHistory, "jobs">> => ({
    batches: await collection.batches(),
  }),

  async compare({ collection, search }: Asked): Promise<WorkbenchReport> {
    const ids = (await collection.batches()).map(({ id }) => id);
    const [a, b] = [known(search["a"], ids), known(search["b"], ids)];
    if (a === undefined || b === undefined || a === b)
      throw new Refused(404, "a comparison is of two batches of this dataset; choose them in the history");
    return {
      title: `${a} → ${b}`,
      sections: shownSections(comparisonSections(await collection.comparison(a, b))),
    };
  },

  async label({ project, collection, search }: Asked): Promise<WorkbenchQueue> {
    const { rater = "", query = null } = search;
    return labellingIn(project, collection).queue(rater, query);
  },

  async pair({ project, collection, search }: Asked): Promise<WorkbenchPair> {
    const pair = await labellingIn(project, collection).pair(search["query"] ?? "", search["item"] ?? "");
    if (pair === undefined) throw new Refused(404, "this pair is no longer among those that came back");
    return pair;
  },

  disputes: ({ project, collection }: Asked) => disputesOf(datasetOf(collection), project.places),
  trust: ({ project, collection }: Asked) => trustReport(datasetOf(collection), project.places),
  builds: ({ project, collection }: Asked) => buildsReport(datasetOf(collection), project.places),
  tune: ({ project, collection }: Asked) => tuningReport(datasetOf(collection).id, project.places),
} as const;

/** What screens ask for by reading alone; their routes have these names. */
export const QUESTIONS = (Object.keys(READINGS) as Question["what"][]).filter((what) => what !== "live");

/**
 * Answers a question.
 *
 * @throws Refused for what is not there.
 */
export async function answerTo(
  project: Project,
  { what, collection: id, search }: Question,
): Promise<unknown> {
  const collection = collectionIn(project, id);
  return READINGS[what]({ project, collection, search });
}

/** @throws Refused for none of that id. */
export function collectionIn(project: Project, id: string): Collection {
  const found = project.collection(id);
  if (found === undefined) throw new Refused(404, `there is no dataset ${shown(id)} here`);
  return found;
}

/** @throws Refused for a golden set. */
export function datasetOf(collection: Collection): DatasetCollection {
  if (collection instanceof DatasetCollection) return collection;
  throw new Refused(404, `${shown(collection.id)} is a golden set, which has no labels`);
}

/** @throws Refused for a golden set. */
export function labellingIn(project: Project, collection: Collection): Labelling {
  const found = project.labelling(datasetOf(collection).id);
  if (found === undefined) throw new Refused(404, "there is nothing to label here");
  return found;
}

/** The batch that is looked at, and what it is held against: the latest, and the one before it. */
async function chosenRuns(
  collection: Collection,
  search: Question["search"],
): Promise<{
  readonly ids: readonly string[];
  readonly run: string | undefined;
  readonly baseline: string | undefined;
}> {
  const ids = (await collection.batches()).map(({ id }) => id);
  const run = known(search["run"], ids) ?? ids[0];
  const before = run === undefined ? undefined : ids[ids.indexOf(run) + 1];
  const baseline = known(search["baseline"], ids) ?? before;
  return { ids, run, baseline: baseline === run ? undefined : baseline };
}

/** A value of the address, where it is one of those that there are. */
function known(given: string | undefined, values: readonly string[]): string | undefined {
  return given !== undefined && values.includes(given) ? given : undefined;
}
