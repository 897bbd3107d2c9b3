import { InputError, quote } from "../foundation/errors/index.js";
import { ownMemory, type ColumnMemory } from "../foundation/columns/index.js";
import type { Conventions, JudgedSubtopics } from "../records/index.js";
import { judgeRanking, type JudgedRanking } from "../metrics/index.js";
import { condenseRanking, judgeRankingIn } from "../metrics/internal.js";
import { settleRanks, type SettledRanks, type TieOrder } from "./settle-ranks.js";

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
  /** Which judged item each of them is; null when no item is duplicated. */
  readonly items: ArrayLike<number> | null;
  /** How many hits repeat an item, judged or not. */
  readonly duplicates: number;
  /** The id of a repeated item. */
  readonly duplicate: string | null;
  /** The higher id first. */
  readonly tieOrder: TieOrder;
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
  /** Hits that were looked at, and those of them that are unjudged. */
  readonly hits: number;
  readonly unjudged: number;
  readonly hasTies: boolean;
  readonly isTied: (k: number) => boolean;
}

const NOTHING = new Int32Array(0);
const NO_GRADES = new Float64Array(0);

/** A query that the run does not answer. */
export function judgeUnanswered({ pool, subtopics }: QueryPool): JudgedRanking {
  return judgeRanking(NOTHING, NO_GRADES, pool, 0, {
    subtopics: subtopics && { documents: subtopics.documents, ranks: NOTHING, found: NOTHING },
  });
}

/**
 * Puts one query's hits in order and holds them against its judgments.
 *
 * @param documentOf where a hit stands in the list of documents with subtopics; asked only if there are any.
 * @param memory of what is judged, for as long as it is needed.
 * @throws InputError `RUN_DUPLICATE_HIT` where duplicates are an error.
 */
export function judgeHits(
  hits: QueryHits,
  pool: QueryPool,
  conventions: Conventions,
  documentOf?: (position: number) => number,
  memory: ColumnMemory = ownMemory,
): JudgedHits {
  checkDuplicates(hits, conventions);
  const settled =
    hits.scores === null
      ? asGiven(hits)
      : settleRanks(
          hits.scores,
          hits.count,
          hits.named,
          conventions.ties === "input" ? inputOrder : hits.tieOrder,
          memory,
        );
  const depth = Math.min(conventions.depth ?? Infinity, lastRank(hits));
  const looked = hitsUpTo(depth, hits);
  const {
    ranks,
    grades,
    places,
    pooled,
    copies,
    judged: judgedHits,
  } = keepHits(settled, hits.grades, depth, copiesIn(hits, conventions), memory);
  const { order } = settled;
  const positionAt = (place: number): number =>
    hits.named[order === null ? place : (order[place] as number)] as number;
  const judged = judgeRankingIn(memory, ranks, grades, pool.pool, depth, {
    pooled,
    copies,
    tied: settled.hasTies
      ? {
          first: at(places, settled.first),
          last: at(places, settled.last),
        }
      : undefined,
    subtopics: pool.subtopics &&
      documentOf && {
        documents: pool.subtopics.documents,
        ranks,
        found: ranks.map((_, index) =>
          documentOf(positionAt(places === null ? index : (places[index] as number))),
        ),
      },
  });
  return {
    judged: conventions.unjudged === "remove" ? condenseRanking(judged) : judged,
    hits: looked,
    unjudged: looked - judgedHits,
    hasTies: settled.hasTies,
    isTied: settled.isTied,
  };
}
/** Hits that metrics see, and what was noticed of the others. */
interface KeptHits {
  readonly ranks: Int32Array;
  readonly grades: Float64Array;
  /** The places of these hits in the order of all; null where all are kept. */
  readonly places: Int32Array | null;
  /** Ranks of hits with a negative grade. */
  readonly pooled: number[];
  /** Ranks of hits with another grade that repeat an item. */
  readonly copies: number[];
  /** How many hits have another grade; copies are among them. */
  readonly judged: number;
}

/** The named hits down to a depth that are no copies. A loop of its own, as in `settleRanks`. */
function keepHits(
  { order, ranks: given }: SettledRanks,
  gradesOfNamed: Float64Array,
  depth: number,
  isCopy: ((index: number) => boolean) | null,
  memory: ColumnMemory,
): KeptHits {
  const ranks = memory.ints(given.length);
  const grades = memory.doubles(given.length);
  const places = memory.ints(given.length);
  const pooled: number[] = [];
  const copies: number[] = [];
  let count = 0;
  let judged = 0;
  for (let place = 0; place < given.length; place++) {
    const rank = given[place] as number;
    if (rank > depth) break;
    const index = order === null ? place : (order[place] as number);
    const grade = gradesOfNamed[index] as number;
    if (grade >= 0) judged++;
    if (isCopy?.(index) === true) {
      if (grade >= 0) copies.push(rank);
      continue;
    }
    if (grade < 0) {
      pooled.push(rank);
      continue;
    }
    ranks[count] = rank;
    grades[count] = grade;
    places[count] = place;
    count++;
  }
  return count === given.length
    ? { ranks, grades, places: null, pooled, copies, judged }
    : {
        ranks: ranks.subarray(0, count),
        grades: grades.subarray(0, count),
        places: places.subarray(0, count),
        pooled,
        copies,
        judged,
      };
}

/** What is known of the hits at some places. */
function at(places: Int32Array | null, values: Int32Array): Int32Array {
  return places === null ? values : places.map((place) => values[place] as number);
}

function checkDuplicates({ queryId, duplicates, duplicate }: QueryHits, conventions: Conventions): void {
  if (duplicates > 0 && conventions.duplicates === "error")
    throw new InputError(
      "RUN_DUPLICATE_HIT",
      `query ${quote(queryId)}: item ${quote(duplicate)} is duplicated; keep one of them, or use a ` +
        "profile in which the first counts",
      { queryId },
    );
}

function hitsUpTo(depth: number, { ranks, count }: QueryHits): number {
  if (ranks === null) return Math.min(count, depth);
  return Array.from(ranks)
    .slice(0, count)
    .filter((rank) => rank <= depth).length;
}

const inputOrder: TieOrder = (a, b) => a - b;

function lastRank({ ranks, count }: QueryHits): number {
  return ranks === null || count === 0 ? count : (ranks[count - 1] as number);
}

function asGiven({ ranks: given, named }: QueryHits): SettledRanks {
  const ranks =
    given === null
      ? named.map((position) => position + 1)
      : named.map((position) => given[position] as number);
  return { order: null, ranks, first: ranks, last: ranks, hasTies: false, isTied: () => false };
}

/**
 * Tells, asked in the order of ranks, whether a named hit is an item that stood higher already; null when
 * none does, or when each counts.
 */
function copiesIn({ items }: QueryHits, { duplicates }: Conventions): ((index: number) => boolean) | null {
  if (items === null || duplicates === "count") return null;
  const seen = new Set<number>();
  return (index) => {
    const before = seen.size;
    return seen.add(items[index] as number).size === before;
  };
}
