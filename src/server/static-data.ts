import { messageOf } from "../foundation/errors/index.js";
import type {
  WorkbenchBatch,
  WorkbenchItem,
  WorkbenchQuery,
  WorkbenchReport,
  WorkbenchStatic,
  WorkbenchStaticCollection,
  WorkbenchStaticLabelling,
  WorkbenchStaticView,
} from "../records/index.js";
import { compareAnswer, overviewOf, queriesAnswer, type Collection } from "../workbench/index.js";
import { DatasetCollection } from "./collections/dataset-collection.js";
import type { Project } from "./project.js";
import { buildsReport } from "./builds-report.js";
import { NOTHING, trustReport, tuningReport, type Reveals } from "./reports.js";

/** Queries that a page has, each counted once for each pair of batches that it is shown for. */
const MOST_ANSWERS = 5000;
/** Pairs of batches that a page has at most. */
const MOST_VIEWS = 12;

/** What a page without a server has in it, and how much that is. */
export interface CollectedData {
  readonly data: WorkbenchStatic;
  readonly contents: readonly CollectedContents[];
  /** Names of people that stand in it. */
  readonly raters: readonly string[];
  /** Parts of the project that could not be read, and are left out. */
  readonly problems: readonly string[];
}

/** What a page has of one dataset or golden set. */
export interface CollectedContents {
  readonly id: string;
  readonly queries: number;
  readonly batches: number;
  /** Pairs of batches whose queries and comparison are there. */
  readonly comparisons: number;
  /** Labels that the scores rest on; null for a golden set. */
  readonly labels: number | null;
}

/** Each item once, by what is shown of it. */
class ItemList {
  readonly items: WorkbenchItem[] = [];
  readonly #places = new Map<string, number>();

  add(item: WorkbenchItem): number {
    const key = JSON.stringify(item);
    const place = this.#places.get(key) ?? this.items.push(item) - 1;
    this.#places.set(key, place);
    return place;
  }
}

/** Asks of a project whatever its screens ask. */
export async function collectData(
  project: Project,
  version: string,
  reveals: Reveals,
): Promise<CollectedData> {
  const items = new ItemList();
  const collections: WorkbenchStaticCollection[] = [];
  const contents: CollectedContents[] = [];
  const problems: string[] = [];
  const summaries: WorkbenchStatic["session"]["collections"][number][] = [];
  for (const collection of project.collections)
    try {
      const summary = await collection.summary();
      const made = await collectAnswers(project, collection, items, reveals, problems);
      summaries.push(summary);
      collections.push(made);
      contents.push({
        id: summary.id,
        queries: summary.queries,
        batches: made.history.batches.length,
        comparisons: made.views.filter(({ report }) => report !== null).length,
        labels: collection instanceof DatasetCollection ? (await collection.labels()).labels.length : null,
      });
    } catch (error) {
      problems.push(messageOf(error));
    }
  const raters = reveals.raters ? await project.raters() : [];
  return {
    data: {
      session: {
        version,
        project: project.id,
        rater: null,
        // Without texts nobody can say what an item is worth.
        is_read_only: !reveals.texts,
        may_run_commands: false,
        shows_images: false,
        raters,
        collections: summaries,
        problems: [],
      },
      collections,
      items: items.items,
    },
    contents,
    raters,
    problems,
  };
}

async function collectAnswers(
  project: Project,
  collection: Collection,
  items: ItemList,
  reveals: Reveals,
  problems: string[],
): Promise<WorkbenchStaticCollection> {
  const batches = await collection.batches();
  // A search that is down takes nothing away but what only it could say.
  const labelling = await labellingOf(project, collection, items, reveals).catch((error: unknown) => {
    problems.push(`what of ${collection.id} could be labelled: ${messageOf(error)}`);
    return null;
  });
  const overview = { ...(await overviewOf(collection)), is_outdated: false, jobs: [] };
  const isOpen = overview.next?.route.endsWith("/label") !== true || labelling !== null;
  const { places } = project;
  const [trust, builds, tune]: WorkbenchReport[] =
    collection instanceof DatasetCollection
      ? [
          await trustReport(collection, places, reveals),
          await buildsReport(collection, places, reveals),
          tuningReport(collection.id, places, reveals),
        ]
      : [];
  return {
    id: collection.id,
    overview: { ...overview, next: isOpen ? overview.next : null },
    history: { batches, jobs: [] },
    views: await viewsOf(collection, batches, items, reveals),
    trust: trust ?? NOTHING,
    builds: builds ?? NOTHING,
    tune: tune ?? NOTHING,
    labelling,
  };
}

/**
 * The pairs of batches that are looked at most: the latest against the one before and all earlier ones, then
 * each against the one before it.
 */
function pairsOf(
  batches: readonly WorkbenchBatch[],
  queries: number,
): (readonly [run: string | undefined, baseline: string | undefined])[] {
  const ids = batches.filter(({ is_current }) => is_current).map(({ id }) => id);
  const [latest] = ids;
  if (ids.length < 2) return [[latest, undefined]];
  const steps = ids.slice(0, -1).map((id, at) => [id, ids[at + 1]] as const);
  const further = ids.slice(2).map((id) => [latest, id] as const);
  const most = Math.max(1, Math.min(MOST_VIEWS, Math.floor(MOST_ANSWERS / Math.max(1, queries))));
  return [...steps.slice(0, 1), ...further, ...steps.slice(1)].slice(0, most);
}

async function viewsOf(
  collection: Collection,
  batches: readonly WorkbenchBatch[],
  items: ItemList,
  reveals: Reveals,
): Promise<WorkbenchStaticView[]> {
  const views: WorkbenchStaticView[] = [];
  for (const [run, baseline] of pairsOf(batches, (await collection.summary()).queries)) {
    const queries = await queriesAnswer(collection, { run, baseline });
    const compared = [queries.run, queries.baseline].filter((each) => each !== null);
    // All at once, so that the store is opened once.
    const asked = await Promise.all(queries.rows.map(({ id }) => collection.query(id, compared)));
    const answers = asked.flatMap((found) => {
      if (found === undefined) return [];
      const { items: shown, ...answer } = withholdTexts(found, reveals);
      return [{ ...answer, items: Object.values(shown).map((item) => items.add(item)) }];
    });
    views.push({
      queries: {
        ...queries,
        rows: reveals.texts ? queries.rows : queries.rows.map((row) => ({ ...row, query: null })),
      },
      answers,
      report:
        queries.run === null || queries.baseline === null
          ? null
          : await compareAnswer(withoutWords(collection, reveals), { a: queries.baseline, b: queries.run }),
    });
  }
  return views;
}

/** A collection whose comparisons say nothing but ids of queries, where texts are left out. */
function withoutWords(
  collection: Collection,
  { texts }: Reveals,
): Pick<Collection, "batches" | "comparison"> {
  return {
    batches: () => collection.batches(),
    async comparison(a, b) {
      const comparison = await collection.comparison(a, b);
      if (texts) return comparison;
      return {
        ...comparison,
        runs: comparison.runs.map((run) => ({
          ...run,
          failed_results: run.failed_results && { ...run.failed_results, failures: [] },
        })),
        per_query: comparison.per_query.map(({ errors, ...query }) => ({
          ...query,
          query: null,
          ...(errors && { errors: errors.map((error) => error && LEFT_OUT) }),
        })),
        warnings: comparison.warnings.filter(({ code }) => code !== "RESULTS_FAILED"),
      };
    },
  };
}

/** What an error says instead, which may quote the query. */
const LEFT_OUT = "failed";

/** A query without what it and its items say. */
function withholdTexts(answer: WorkbenchQuery, { texts }: Reveals): WorkbenchQuery {
  if (texts) return answer;
  return {
    ...answer,
    query: null,
    items: {},
    answers: answer.answers.map((each) => ({ ...each, error: each.error === null ? null : LEFT_OUT })),
  };
}

/** Pairs to be labelled; without their texts nobody can. */
async function labellingOf(
  project: Project,
  { id }: Collection,
  items: ItemList,
  { texts }: Reveals,
): Promise<WorkbenchStaticLabelling | null> {
  const labelling = project.labelling(id);
  if (labelling === undefined || !texts) return null;
  const { tenant, queries, pairs } = await labelling.listUnjudged();
  return {
    tenant,
    queries,
    pairs: pairs.map(({ query_id, item, item_hash }) => [query_id, items.add(item), item_hash]),
  };
}
