import type { ScoreComparison } from "../records/index.js";

/** A relevant item that a part of a fused mode had within the cutoff, and the fused list has not. */
export interface LostItem {
  /** Place of the query in the comparison. */
  readonly at: number;
  readonly query_id: string;
  readonly query: string | null;
  readonly item: string;
  readonly grade: number;
  readonly mode: string;
  /** In the fused list; null where it is not in it at all. */
  readonly rank: number | null;
  /** The parts that had it, and where. */
  readonly had: readonly { readonly channel: string; readonly rank: number }[];
}

/** What fusion lost, the best grades first. */
export function findLostByFusion({ runs, per_query }: ScoreComparison): LostItem[] {
  return per_query
    .flatMap(({ query_id, query, expected }, at) =>
      (expected ?? []).flatMap(({ id, grade, runs: fates }) =>
        fates.flatMap(({ fate, rank, channels }, run): LostItem[] => {
          if (fate !== "lost_by_fusion") return [];
          const had = Object.entries(channels).flatMap(([channel, place]) =>
            place === null ? [] : [{ channel, rank: place }],
          );
          return [{ at, query_id, query, item: id, grade, mode: runs[run]?.run ?? "", rank, had }];
        }),
      ),
    )
    .sort((a, b) => b.grade - a.grade);
}
