import { groupBy } from "../foundation/columns/index.js";
import type { Qrel } from "../records/index.js";
import type { Label } from "./label-view.js";
import { normalizeQuery } from "./query-text.js";

/** How much of some pairs has a label. */
export interface Coverage {
  /** Pairs of query and item. */
  readonly pairs: number;
  readonly labelled: number;
  /** Labelled pairs whose item has changed since. */
  readonly stale: number;
}

/**
 * Labels as judgments, for `prepareQrels` and every function that takes judgments.
 *
 * @param queries ids with texts; of two ids with one text each has the judgments.
 */
export function labelJudgments(
  labels: Iterable<Label>,
  queries: Iterable<{ readonly id: string; readonly query: string }>,
): Qrel[] {
  const byText = groupBy(labels, ({ query }) => query);
  return [...queries].flatMap(({ id, query }) =>
    (byText.get(normalizeQuery(query)) ?? []).map(({ item, grade }) => ({
      query_id: id,
      doc_id: item,
      grade,
    })),
  );
}

/** How much of what a run returned is labelled. */
export function labelCoverage(
  labels: Iterable<Label>,
  rankings: Iterable<{ readonly query: string; readonly items: readonly string[] }>,
): Coverage {
  const byText = groupBy(labels, ({ query }) => query);
  let pairs = 0;
  let labelled = 0;
  let stale = 0;
  for (const { query, items } of rankings) {
    const known = new Map((byText.get(normalizeQuery(query)) ?? []).map((label) => [label.item, label]));
    for (const item of new Set(items)) {
      pairs++;
      const label = known.get(item);
      if (label !== undefined) labelled++;
      if (label?.isStale === true) stale++;
    }
  }
  return { pairs, labelled, stale };
}
