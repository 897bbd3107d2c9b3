import { quote } from "../foundation/errors/index.js";
import type {
  WorkbenchQueries,
  WorkbenchQuery,
  WorkbenchReport,
  WorkbenchSection,
} from "../records/index.js";
import { comparisonSections, type PageSection } from "../report/internal.js";
import type { Collection } from "./collection.js";

/** Something that is not there. */
export class NotThere extends Error {}

/** Which batches are looked at; what is left out is the latest, and the one before it. */
export interface AskedRuns {
  readonly run?: string | undefined;
  readonly baseline?: string | undefined;
}

/** The batches that can be looked at, the latest first, and a check of one that an address names. */
async function batchesOf(
  collection: Pick<Collection, "batches">,
): Promise<{ readonly ids: readonly string[]; readonly check: (id: string | undefined) => void }> {
  const batches = await collection.batches();
  const ids = batches.filter(({ is_stored }) => is_stored).map(({ id }) => id);
  const check = (id: string | undefined): void => {
    if (id === undefined || ids.includes(id)) return;
    throw new NotThere(
      batches.some((batch) => batch.id === id)
        ? `the run of batch ${quote(id)} is no longer in the store`
        : `there is no batch ${quote(id)}`,
    );
  };
  return { ids, check };
}

/**
 * The batches that an address means; of one that names none, the latest.
 *
 * @throws NotThere
 */
async function runsOf(
  collection: Collection,
  asked: AskedRuns,
): Promise<{ readonly ids: readonly string[]; readonly run: string | null; readonly held: string | null }> {
  const { ids, check } = await batchesOf(collection);
  check(asked.run);
  check(asked.baseline);
  const run = asked.run ?? ids[0] ?? null;
  const before = run === null ? undefined : ids[ids.indexOf(run) + 1];
  const baseline = asked.baseline ?? before ?? null;
  return { ids, run, held: baseline === run ? null : baseline };
}

/**
 * The rows of one batch against another.
 *
 * @throws NotThere
 */
export async function queriesAnswer(collection: Collection, asked: AskedRuns): Promise<WorkbenchQueries> {
  const { ids, run, held } = await runsOf(collection, asked);
  const { metric, rows } = run === null ? { metric: null, rows: [] } : await collection.rows(run, held);
  return { run, baseline: held, metric, batches: ids, rows };
}

/**
 * One query as two batches answered it.
 *
 * @throws NotThere
 */
export async function queryAnswer(
  collection: Collection,
  id: string,
  asked: AskedRuns,
): Promise<WorkbenchQuery> {
  const { run, held } = await runsOf(collection, asked);
  const found = await collection.query(
    id,
    [run, held].filter((each) => each !== null),
  );
  if (found === undefined) throw new NotThere(`there is no query ${quote(id)}`);
  return found;
}

/**
 * The report of two batches.
 *
 * @throws NotThere
 */
export async function compareAnswer(
  collection: Pick<Collection, "batches" | "comparison">,
  asked: { readonly a: string | undefined; readonly b: string | undefined },
): Promise<WorkbenchReport> {
  const { a, b } = asked;
  const { check } = await batchesOf(collection);
  check(a);
  check(b);
  if (a === undefined || b === undefined || a === b)
    throw new NotThere("a comparison is of two batches of this dataset; choose them in the history");
  return {
    title: `${a} → ${b}`,
    sections: showSections(comparisonSections(await collection.comparison(a, b))),
  };
}

/** Sections as the page gets them; those that say nothing are left out. */
export function showSections(sections: readonly PageSection[]): WorkbenchSection[] {
  return sections.flatMap(([id, name, { text }]) => (text === "" ? [] : [{ id, name, html: text }]));
}
