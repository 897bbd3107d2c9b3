import { InputError, quote } from "../foundation/errors/index.js";
import { findRepeatedPositions } from "../foundation/ids/index.js";
import type { SearchHit } from "./types/index.js";

declare const ordered: unique symbol;

/**
 * One query's hits in rank order. Only {@link rankingOf} makes one, so its users need not sort or
 * check again.
 */
export interface Ranking {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /**
   * The rank of each hit: whole numbers from 1, strictly rising, with gaps where the hits have gaps. May be
   * longer than `hits`.
   */
  readonly ranks: readonly number[];
  /**
   * Positions of hits whose chunk stands at a better rank already. Such a copy keeps its rank and is not
   * relevant.
   */
  readonly repeated: ReadonlySet<number>;
  /** Whether two hits claimed the same rank. They keep the order of the list, the later one moves down. */
  readonly tiedRanks: boolean;
  readonly [ordered]: true;
}

const chunkOf = (hit: SearchHit): string => hit.chunk_id;

/** 1, 2, 3, …: the ranks of every list without gaps, shared by all of them. */
const withoutGaps: number[] = [];

/**
 * Hits as a ranking: by `rank`, equal ranks in the order of the list, hits without a rank at their place in
 * the list.
 *
 * @throws InputError `RUN_RANK` for a rank that is not a whole number from 1.
 */
export function rankingOf(hits: readonly SearchHit[], queryId: string): Ranking {
  let isRising = true;
  let hasGaps = false;
  let previous = 0;
  for (let i = 0; i < hits.length; i++) {
    const rank = rankAt(hits, i, queryId);
    if (rank <= previous) isRising = false;
    if (rank !== i + 1) hasGaps = true;
    previous = rank;
  }
  const sorted = isRising ? hits : sortByRank(hits, queryId);
  const { ranks, tiedRanks } = hasGaps
    ? resolveRanks(sorted)
    : { ranks: upTo(hits.length), tiedRanks: false };
  return {
    hits: sorted,
    ranks,
    repeated: findRepeatedPositions(sorted, chunkOf),
    tiedRanks,
  } as unknown as Ranking;
}

function upTo(count: number): readonly number[] {
  for (let rank = withoutGaps.length + 1; rank <= count; rank++) withoutGaps.push(rank);
  return withoutGaps;
}

/**
 * Ranks of hits in order, where equal ones make room for each other: two hits at rank 1 would give a
 * precision at 1 of 2.
 */
function resolveRanks(sorted: readonly SearchHit[]): { ranks: number[]; tiedRanks: boolean } {
  let tiedRanks = false;
  let lastClaimed = 0;
  let last = 0;
  const ranks = sorted.map(({ rank }, index) => {
    const claimed = rank ?? index + 1;
    if (claimed === lastClaimed) tiedRanks = true;
    lastClaimed = claimed;
    last = Math.max(claimed, last + 1);
    return last;
  });
  return { ranks, tiedRanks };
}

function rankAt(hits: readonly SearchHit[], index: number, queryId: string): number {
  const rank = hits[index]?.rank;
  if (rank === undefined || rank === null) return index + 1;
  if (!Number.isSafeInteger(rank) || rank < 1) {
    throw new InputError(
      "RUN_RANK",
      `query ${quote(queryId)}, hit ${index + 1}: rank must be a whole number from 1, got ${quote(rank)}`,
      { queryId, rank },
    );
  }
  return rank;
}

function sortByRank(hits: readonly SearchHit[], queryId: string): SearchHit[] {
  return hits
    .map((hit, index) => ({ hit, rank: rankAt(hits, index, queryId) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ hit, rank }) => (hit.rank === rank ? hit : { ...hit, rank }));
}
