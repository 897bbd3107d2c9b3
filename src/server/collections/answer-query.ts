import { compareIds } from "../../foundation/ids/index.js";
import { itemOfHit, type Label } from "../../label/index.js";
import type { NamedQuery } from "../../node/index.js";
import type { LabelItem, QueryResult, WorkbenchAnswer, WorkbenchQuery } from "../../records/index.js";
import { itemShown } from "../../workbench/index.js";

/** Hits that are looked at. */
const SHOWN = 20;

/** What a batch answered to a query. */
export interface Answered extends Pick<WorkbenchAnswer, "run" | "scores" | "tips"> {
  /** Its hits are named as labels name items; undefined where there is none. */
  readonly result: QueryResult | undefined;
}

/** What is known besides. */
interface Known {
  /** Of this query. */
  readonly labels: readonly Label[];
  readonly items: ReadonlyMap<string, LabelItem>;
  readonly showsImages: boolean;
}

/** A query as batches answered it, beside the best that could be; what the first one misses. */
export function answerQuery(
  { id, query, labels: words = {} }: NamedQuery,
  answers: readonly Answered[],
  { labels, items, showsImages }: Known,
): Omit<WorkbenchQuery, "previous" | "next"> {
  const grades = new Map(labels.map(({ item, grade }) => [item, grade]));
  const hits = answers.map(({ result }) => result?.hits_top_k ?? []);
  const heads = hits.map((all) => all.slice(0, SHOWN));
  const found = new Set(hits[0]?.map(({ chunk_id }) => chunk_id));
  const ranks = new Map(hits[1]?.map(({ chunk_id }, index) => [chunk_id, index + 1]));
  const useful = labels
    .filter(({ grade }) => grade > 0)
    .sort((a, b) => b.grade - a.grade || compareIds(a.item, b.item))
    .map(({ item, grade }) => ({ id: item, grade }));
  const lacking = useful.filter((each) => !found.has(each.id));
  const missed = lacking.slice(0, SHOWN);
  const ideal = useful.slice(0, SHOWN);
  const ofHits = new Map(hits.flat().map((hit) => [hit.chunk_id, itemOfHit(hit, items)]));
  const shown = new Set([
    ...heads.flat().map(({ chunk_id }) => chunk_id),
    ...[...missed, ...ideal].map((each) => each.id),
  ]);
  return {
    id,
    query,
    labels: words,
    answers: answers.map(({ run, result, scores, tips }, at) => ({
      run,
      error: result === undefined ? "no result" : (result.error ?? null),
      scores,
      hits: (heads[at] ?? []).map(({ chunk_id, score, features }, index) => ({
        rank: index + 1,
        id: chunk_id,
        grade: grades.get(chunk_id) ?? null,
        score: score ?? null,
        features: features ?? {},
      })),
      tips,
    })),
    missed: missed.map((each) => ({
      ...each,
      baseline_rank: ranks.get(each.id) ?? null,
    })),
    missed_count: lacking.length,
    ideal,
    items: Object.fromEntries(
      [...shown].flatMap((each) => {
        const item = items.get(each) ?? ofHits.get(each);
        return item === undefined ? [] : [[each, itemShown(item, showsImages)]];
      }),
    ),
  };
}
