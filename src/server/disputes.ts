import { groupBy } from "../foundation/columns/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { itemHash, itemOfHit, labelsOf, normalizeQuery, raterId, type Assessment } from "../label/index.js";
import { isStoreThere, labelsPath } from "../node/index.js";
import {
  pairKey,
  type LabelItem,
  type WorkbenchDispute,
  type WorkbenchDisputes,
  type WorkbenchOpinion,
} from "../records/index.js";
import type { DatasetCollection } from "./collections/dataset-collection.js";
import type { ProjectPlaces } from "./project-places.js";
import { itemShown } from "../workbench/index.js";

/** Disputes that a page gets, of either kind. */
const MOST = 100;
/** Batches that are looked through for items that are in no corpus. */
const LATEST_BATCHES = 5;

/**
 * Where people, or people and the labeler, grade the same pair differently, and what an adjudicator decided.
 * The labeler counts by its label, the median of its votes. What was said of items that have changed since
 * is left out.
 */
export async function disputesOf(
  collection: DatasetCollection,
  { config, labels, showsImages }: ProjectPlaces,
): Promise<WorkbenchDisputes> {
  if (!isStoreThere(labelsPath(config, labels))) return { open: [], count: 0, decided: [], decided_count: 0 };
  const { queries: asked } = await collection.dataset();
  const known = await collection.readAssessments();
  const { name, rater } = await known.labeler(undefined);
  const model = rater === null ? [] : known.said.filter((each) => raterId(each.rater) === rater);
  const byModel = new Map(
    labelsOf(model, { labeler: rater ?? undefined, people: false }).map((label) => [
      pairKey(label),
      label.grade,
    ]),
  );
  const reasons = new Map(model.map((each) => [`${pairKey(each)}\n${each.grade}`, each.reason ?? null]));
  const people = known.said.filter(
    ({ rater: { kind }, grade }) => (kind === "human" || kind === "adjudicator") && grade !== null,
  );
  const items = await findItems(collection, people);
  const queries = new Map(asked.map((query) => [normalizeQuery(query.query), query]));
  const disputes = [...groupBy(people, pairKey)].flatMap(([pair, said]): WorkbenchDispute[] => {
    const [first] = said;
    const query = first && queries.get(first.query);
    if (first === undefined || query === undefined) return [];
    const graded = byModel.get(pair);
    const opinions: WorkbenchOpinion[] = [
      ...said.filter(isPerson).map((each) => ({
        who: each.rater.name,
        kind: "people" as const,
        grade: each.grade as number,
        reason: each.reason ?? null,
      })),
      ...(graded === undefined
        ? []
        : [
            {
              who: name,
              kind: "model" as const,
              grade: graded,
              reason: reasons.get(`${pair}\n${graded}`) ?? null,
            },
          ]),
    ];
    const grades = opinions.map(({ grade }) => grade);
    const decided = said
      .filter(({ rater: { kind } }) => kind === "adjudicator")
      .sort(inTime)
      .at(-1);
    const apart = grades.length < 2 ? 0 : Math.max(...grades) - Math.min(...grades);
    if (apart === 0 && decided === undefined) return [];
    const item = items(first) ?? { id: first.item, fields: {} };
    return [
      {
        query_id: query.id,
        query: query.query,
        item: itemShown(item, showsImages),
        item_hash: first.item_hash ?? itemHash(item),
        opinions,
        apart,
        decision:
          decided === undefined
            ? null
            : { who: decided.rater.name, grade: decided.grade as number, at: decided.at },
      },
    ];
  });
  const open = disputes
    .filter(({ decision }) => decision === null)
    .sort(
      (a, b) => b.apart - a.apart || compareIds(a.query_id, b.query_id) || compareIds(a.item.id, b.item.id),
    );
  const decided = disputes
    .filter(({ decision }) => decision !== null)
    .sort((a, b) => compareIds(b.decision?.at ?? "", a.decision?.at ?? ""));
  return {
    open: open.slice(0, MOST),
    count: open.length,
    decided: decided.slice(0, MOST),
    decided_count: decided.length,
  };
}

/** What people judged: an item of the corpus, else as one of the latest batches had it when they did. */
async function findItems(
  collection: DatasetCollection,
  said: readonly Assessment[],
): Promise<(judged: Assessment) => LabelItem | undefined> {
  const { recorded } = collection;
  const { items } = await collection.dataset();
  const missing = new Set(said.filter(({ item }) => !items.has(item)).map(({ item }) => item));
  const found = new Map<string, LabelItem>();
  const batches = missing.size === 0 ? [] : await recorded.listStoredIds();
  for (const batch of batches.slice(0, LATEST_BATCHES)) {
    const { results } = await recorded.run(batch);
    for (const hit of results.flatMap(({ hits_top_k }) => hits_top_k)) {
      const item = missing.has(hit.chunk_id) ? itemOfHit(hit, items) : undefined;
      if (item === undefined) continue;
      found.set(`${item.id}\n${itemHash(item)}`, item);
      // Of what was judged without a hash nothing better is known than the latest.
      if (!found.has(item.id)) found.set(item.id, item);
    }
  }
  return ({ item, item_hash }) =>
    items.get(item) ?? found.get(item_hash == null ? item : `${item}\n${item_hash}`);
}

function isPerson({ rater }: Assessment): boolean {
  return rater.kind === "human";
}

function inTime(a: Assessment, b: Assessment): number {
  return compareIds(a.at, b.at);
}
