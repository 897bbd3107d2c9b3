import { InputError, shown } from "../errors.js";
import type { JudgedSubtopics } from "../qrels.js";
import { condensed, judgedRanking, type JudgedRanking } from "../ranking.js";
import type { Conventions } from "../schema/index.js";
import { settleRanks, type SettledRanks } from "./settle-ranks.js";

/** One query's hits, as far as judgments name them, in the order of the input. */
export interface QueryHits {
  readonly queryId: string;
  readonly count: number;
  /** One for each hit, and maybe more; null when the input is in order. */
  readonly scores: Float64Array | null;
  /** The ranks of hits in order; null when they are 1, 2, 3, … */
  readonly ranks: ArrayLike<number> | null;
  /** Positions of the hits that judgments name, rising. */
  readonly named: Int32Array;
  /** The grade of each of them. */
  readonly grades: Float64Array;
  /** Which judged item each of them is; null when no item stands there twice. */
  readonly items: ArrayLike<number> | null;
  /** How many hits repeat an item, judged or not. */
  readonly duplicates: number;
  /** The id of a repeated item. */
  readonly duplicate: string | null;
  /** Whether one of two hits of equal score comes first. */
  precedes(a: number, b: number): boolean;
}

/** The judgments that hits are held against. */
export interface QueryPool {
  /** Grades from 0 on, highest first. */
  readonly pool: ArrayLike<number>;
  readonly subtopics?: JudgedSubtopics;
}

/** A query's ranking as metrics see it, and what was noticed on the way. */
export interface JudgedHits {
  readonly judged: JudgedRanking;
  readonly hits: number;
  readonly unjudged: number;
  readonly hasTies: boolean;
  isTied(k: number): boolean;
}

const NOTHING = new Int32Array(0);

/** A query that the run does not answer. */
export function unanswered({ pool, subtopics }: QueryPool): JudgedRanking {
  const judged = judgedRanking(NOTHING, NOTHING, pool, 0);
  return subtopics === undefined ? judged : { ...judged, subtopics: { documents: subtopics.documents, ranks: NOTHING, found: NOTHING } };
}

/**
 * Puts one query's hits in order and holds them against its judgments.
 *
 * @param documentOf where a hit stands in the list of documents with subtopics; asked only if there are any.
 * @throws InputError `RUN_DUPLICATE_HIT` where duplicates are an error.
 */
export function judgeHits(hits: QueryHits, pool: QueryPool, conventions: Conventions, documentOf?: (position: number) => number): JudgedHits {
  if (hits.duplicates > 0 && conventions.duplicates === "error") {
    throw new InputError("RUN_DUPLICATE_HIT", `query ${shown(hits.queryId)}: item ${shown(hits.duplicate)} stands there twice; keep one of them, or use a profile in which the first counts`, { queryId: hits.queryId });
  }
  const settled = hits.scores === null ? asGiven(hits) : settleRanks(hits.scores, hits.count, hits.named, conventions.ties === "input" ? (a, b) => a < b : hits.precedes);
  const depth = Math.min(conventions.depth ?? Infinity, lastRank(hits));
  const keptAt = keptPositions(settled, hits, conventions, depth);
  const gradeAt = new Map<number, number>();
  if (settled.positions !== hits.named) hits.named.forEach((position, index) => gradeAt.set(position, index));
  const indexAt = (place: number): number => (settled.positions === hits.named ? place : (gradeAt.get(settled.positions[place] as number) as number));
  const judgedAt: number[] = [];
  const pooled: number[] = [];
  for (const place of keptAt) {
    if ((hits.grades[indexAt(place)] as number) >= 0) judgedAt.push(place);
    else pooled.push(settled.ranks[place] as number);
  }
  const ranks = Int32Array.from(judgedAt, (place) => settled.ranks[place] as number);
  const grades = Float64Array.from(judgedAt, (place) => hits.grades[indexAt(place)] as number);
  const judged: JudgedRanking = {
    ...judgedRanking(ranks, grades, pool.pool, depth),
    pooled,
    ...(settled.hasTies && { tied: { first: Int32Array.from(judgedAt, (place) => settled.first[place] as number), last: Int32Array.from(judgedAt, (place) => settled.last[place] as number) } }),
    ...(pool.subtopics && documentOf && { subtopics: { documents: pool.subtopics.documents, ranks, found: Int32Array.from(judgedAt, (place) => documentOf(settled.positions[place] as number)) } }),
  };
  return {
    judged: conventions.unjudged === "remove" ? condensed(judged) : judged,
    hits: hits.count,
    unjudged: hits.count - ranks.length,
    hasTies: settled.hasTies,
    isTied: (k) => settled.isTied(k),
  };
}

function lastRank({ ranks, count }: QueryHits): number {
  return ranks === null || count === 0 ? count : (ranks[count - 1] as number);
}

function asGiven({ ranks: given, named }: QueryHits): SettledRanks {
  const ranks = given === null ? named.map((position) => position + 1) : named.map((position) => given[position] as number);
  return { positions: named, ranks, first: ranks, last: ranks, hasTies: false, isTied: () => false };
}

/** The places in `settled` that count: within the depth, and of an item that stands there twice the better one. */
function keptPositions({ ranks, positions }: SettledRanks, { items, named }: QueryHits, { duplicates }: Conventions, depth: number): number[] {
  const kept: number[] = [];
  const seen = new Set<number>();
  const itemOf = items === null || duplicates === "count" ? null : new Map(Array.from(named, (position, index) => [position, items[index] as number]));
  for (let place = 0; place < ranks.length && (ranks[place] as number) <= depth; place++) {
    const item = itemOf?.get(positions[place] as number);
    if (item !== undefined) {
      if (seen.has(item)) continue;
      seen.add(item);
    }
    kept.push(place);
  }
  return kept;
}
