import { InputError, shown } from "./errors.js";
import type { SearchHit } from "./schema/index.js";

declare const ordered: unique symbol;

/** One query's hits in rank order. Only {@link rankingOf} makes one, so whoever holds one need not sort or check again. */
export interface Ranking {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** The rank of each hit: whole numbers from 1, strictly rising, with gaps where the hits have gaps. */
  readonly ranks: readonly number[];
  /** For each hit, whether its chunk stands at a better rank already. Such a copy keeps its rank and is not relevant. */
  readonly repeated: readonly boolean[];
  readonly repeats: number;
  /** Whether two hits claimed the same rank. They keep the order of the list, the later one moves down. */
  readonly tiedRanks: boolean;
  readonly [ordered]: true;
}

/**
 * Hits as a ranking: by `rank`, equal ranks in the order of the list, hits without a rank at their place in the list.
 *
 * @throws InputError `RUN_RANK` for a rank that is not a whole number from 1.
 */
export function rankingOf(hits: readonly SearchHit[], queryId: string): Ranking {
  let inOrder = true;
  let previous = 0;
  for (let i = 0; i < hits.length; i++) {
    const rank = rankAt(hits, i, queryId);
    if (rank <= previous) inOrder = false;
    previous = rank;
  }
  const sorted = inOrder ? hits : sortedByRank(hits, queryId);
  const ranks: number[] = [];
  const repeated: boolean[] = [];
  const seen = new Set<string>();
  let repeats = 0;
  let tiedRanks = false;
  let last = 0;
  let lastClaimed = 0;
  for (let i = 0; i < sorted.length; i++) {
    const hit = sorted[i] as SearchHit;
    const claimed = inOrder ? rankAt(hits, i, queryId) : (hit.rank ?? last + 1);
    if (claimed === lastClaimed) tiedRanks = true;
    lastClaimed = claimed;
    // Two hits at rank 1 would give a precision at 1 of 2.
    last = Math.max(claimed, last + 1);
    ranks.push(last);
    const before = seen.size;
    seen.add(hit.chunk_id);
    const isRepeat = seen.size === before;
    repeated.push(isRepeat);
    if (isRepeat) repeats++;
  }
  return { hits: sorted, ranks, repeated, repeats, tiedRanks } as unknown as Ranking;
}

function rankAt(hits: readonly SearchHit[], index: number, queryId: string): number {
  const rank = hits[index]?.rank;
  if (rank === undefined || rank === null) return index + 1;
  if (!Number.isSafeInteger(rank) || rank < 1) {
    throw new InputError("RUN_RANK", `query ${shown(queryId)}, hit ${index + 1}: rank must be a whole number from 1, got ${shown(rank)}`, { queryId, rank });
  }
  return rank;
}

function sortedByRank(hits: readonly SearchHit[], queryId: string): SearchHit[] {
  return hits
    .map((hit, index) => ({ hit, rank: rankAt(hits, index, queryId) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ hit, rank }) => (hit.rank === rank ? hit : { ...hit, rank }));
}

/**
 * What a metric sees of one query: which hits stand for which judged items. A hit may stand for several items (a large chunk
 * around two expected ones) and several hits for one (the parts of a split chunk).
 */
export interface JudgedRanking {
  /** Rank of each (hit, item) pair, ascending. */
  readonly ranks: readonly number[];
  /** Index into `grades` of each pair's judged item. */
  readonly items: readonly number[];
  /** The grade of every judged item of the query, found or not. */
  readonly grades: readonly number[];
}
