import { groupBy } from "../foundation/columns/index.js";
import { compareIds } from "../foundation/ids/index.js";
import type { LabelOutlier } from "../records/index.js";

/** Labels of a dataset, and what is known of its items and systems. */
export interface OutlierSources {
  /** The queries; labels of others are not looked at. */
  readonly queries: readonly { readonly id: string; readonly query: string }[];
  readonly labels: readonly { readonly query: string; readonly item: string; readonly grade: number }[];
  /** What an item is called; null where it is not known. */
  readonly titleOf: (item: string) => string | null;
  /** Systems: the item at rank 1 by query id. */
  readonly systems: readonly { readonly name: string; readonly firstOf: ReadonlyMap<string, string> }[];
}

/**
 * Labels that should be checked: an Irrelevant that a system puts first, and items of one
 * query and one title with different labels. Titles are the same whatever their case and white space.
 *
 * @returns what more systems put first comes before the rest, then larger differences.
 */
export function labelOutliers({ queries, labels, titleOf, systems }: OutlierSources): LabelOutlier[] {
  const byQuery = groupBy(labels, ({ query }) => query);
  const first: LabelOutlier[] = [];
  const titles: LabelOutlier[] = [];
  for (const { id, query } of queries) {
    const ofQuery = byQuery.get(query) ?? [];
    const zeros = new Set(ofQuery.filter(({ grade }) => grade === 0).map(({ item }) => item));
    const heads = systems.flatMap(({ name, firstOf }) => {
      const item = firstOf.get(id);
      return item !== undefined && zeros.has(item) ? [{ name, item }] : [];
    });
    for (const [item, named] of groupBy(heads, (head) => head.item))
      first.push({
        kind: "irrelevant_at_rank_1",
        query_id: id,
        query,
        items: [{ item, grade: 0 }],
        title: titleOf(item),
        systems: named.map(({ name }) => name),
      });
    const titled = ofQuery.flatMap(({ item, grade }) => {
      const title = titleOf(item);
      return title === null || title.trim() === "" ? [] : [{ item, grade, title }];
    });
    for (const alike of groupBy(titled, ({ title }) => foldTitle(title)).values())
      if (new Set(alike.map(({ grade }) => grade)).size > 1)
        titles.push({
          kind: "same_title",
          query_id: id,
          query,
          items: alike
            .map(({ item, grade }) => ({ item, grade }))
            .sort((a, b) => b.grade - a.grade || compareIds(a.item, b.item)),
          title: alike[0]?.title ?? null,
          systems: [],
        });
  }
  return [
    ...first.sort((a, b) => b.systems.length - a.systems.length),
    ...titles.sort((a, b) => reachOf(b) - reachOf(a)),
  ];
}

function foldTitle(title: string): string {
  return title.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

function reachOf({ items }: LabelOutlier): number {
  return (items[0]?.grade ?? 0) - (items.at(-1)?.grade ?? 0);
}
