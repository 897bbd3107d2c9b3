import type { GoldenQuery, Ranking, SearchHit } from "../records/index.js";
import type { ChunkPlace } from "./chunk-places.js";

/**
 * Which hits stand for which of the given items: parallel lists of ranks (ascending) and indexes into the
 * items.
 */
export interface Matches {
  readonly ranks: readonly number[];
  readonly items: readonly number[];
  /** Whether hits lay in expected documents, and the place of none could be held against what is expected. */
  readonly isBlind?: boolean;
}

/** Decides which hits of a ranking stand for which expected chunks. */
export interface Matcher {
  readonly kind: "exact" | "docSpan";
  /** For matching by place: whether a query expects a chunk whose place is unknown. */
  readonly isUnplaced?: (query: GoldenQuery) => boolean;
  /** For matching by place: how many hits so far lay in an expected document, without a place to count by. */
  readonly hitsWithoutSpans?: () => number;
  /** For matching by place: where a chunk lies that is among some hits of the run, or known otherwise. */
  readonly placeOf?: (chunkId: string, hits: readonly SearchHit[]) => ChunkPlace | undefined;
  /** @param chunkIds expected chunks, each once. */
  match(query: GoldenQuery, ranking: Ranking, chunkIds: readonly string[]): Matches;
}

/** Nothing found, or nothing looked for. */
const NO_MATCHES: Matches = { ranks: [], items: [] };

/** Beyond this many ids a map is faster than looking through the list. */
const SHORT_LIST = 8;

/** A look-up from id to its place in `ids`, or -1. */
function indexIn(ids: readonly string[]): (id: string) => number {
  if (ids.length <= SHORT_LIST) return (id) => ids.indexOf(id);
  const places = new Map(ids.map((id, index) => [id, index]));
  return (id) => places.get(id) ?? -1;
}

/** Matches ids that are equal. A chunk's later copies stand for nothing, whatever document they claim. */
function matchIds(ranking: Ranking, field: "chunk_id" | "doc_id", ids: readonly string[]): Matches {
  if (ranking.hits.length === 0 || ids.length === 0) return NO_MATCHES;
  const ranks: number[] = [];
  const items: number[] = [];
  const place = indexIn(ids);
  for (let i = 0; i < ranking.hits.length; i++) {
    const item = place((ranking.hits[i] as Ranking["hits"][number])[field]);
    if (item === -1 || ranking.repeated.has(i)) continue;
    ranks.push(ranking.ranks[i] as number);
    items.push(item);
  }
  return { ranks, items };
}

/** A hit stands for an expected chunk when it is that chunk. */
export const exactMatcher: Matcher = {
  kind: "exact",
  match: (_query, ranking, chunkIds) => matchIds(ranking, "chunk_id", chunkIds),
};

/** A hit stands for an expected document when it lies in it. */
export function matchDocuments(ranking: Ranking, docIds: readonly string[]): Matches {
  return matchIds(ranking, "doc_id", docIds);
}
