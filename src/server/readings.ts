import { quote } from "../foundation/errors/index.js";
import type { WorkbenchHistory, WorkbenchLive, WorkbenchPair, WorkbenchQueue } from "../records/index.js";
import {
  compareAnswer,
  NotThere,
  overviewOf,
  queriesAnswer,
  queryAnswer,
  type Collection,
} from "../workbench/index.js";
import { DatasetCollection } from "./collections/dataset-collection.js";
import type { ServedCollection } from "./collections/served-collection.js";
import { disputesOf } from "./disputes.js";
import type { Labelling } from "./labelling.js";
import type { Project } from "./project.js";
import { Refused } from "./refused.js";
import { buildsReport } from "./builds-report.js";
import { trustReport, tuningReport } from "./reports.js";

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
  /** Aborted where nobody waits any more. */
  readonly signal: AbortSignal | undefined;
}

/** The answers that take reading and computing; `live` asks the search, and none of them stores anything. */
const READINGS = {
  overview: ({ collection }: Asked) => overviewOf(collection),

  queries: ({ collection, search }: Asked) => queriesAnswer(collection, search),
  query: ({ collection, search }: Asked) => queryAnswer(collection, search["id"] ?? "", search),

  async live({ collection, search, signal }: Asked): Promise<WorkbenchLive> {
    const id = search["id"] ?? "";
    const found = await datasetOf(collection).live(id, signal);
    if (found === undefined) throw new Refused(404, `there is no query ${quote(id)}`);
    return found;
  },

  async batches({ collection }: Asked): Promise<Omit<WorkbenchHistory, "jobs">> {
    const unfinished =
      collection instanceof DatasetCollection && (await collection.recorded.findUnfinished());
    return { batches: await collection.batches(), ...(unfinished && { unfinished }) };
  },

  compare: ({ collection, search }: Asked) => compareAnswer(collection, { a: search["a"], b: search["b"] }),

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
  signal?: AbortSignal,
): Promise<unknown> {
  const collection = collectionIn(project, id);
  try {
    return await READINGS[what]({ project, collection, search, signal });
  } catch (error) {
    throw error instanceof NotThere ? new Refused(404, error.message) : error;
  }
}

/** @throws Refused for none of that id. */
export function collectionIn(project: Project, id: string): ServedCollection {
  const found = project.collection(id);
  if (found === undefined) throw new Refused(404, `there is no dataset ${quote(id)} here`);
  return found;
}

/** @throws Refused for a golden set. */
export function datasetOf(collection: Collection): DatasetCollection {
  if (collection instanceof DatasetCollection) return collection;
  throw new Refused(404, `${quote(collection.id)} is a golden set, which has no labels`);
}

/** @throws Refused for a golden set. */
export function labellingIn(project: Project, collection: Collection): Labelling {
  const found = project.labelling(datasetOf(collection).id);
  if (found === undefined) throw new Refused(404, "there is nothing to label here");
  return found;
}
