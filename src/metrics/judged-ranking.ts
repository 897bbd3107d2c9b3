import { ownMemory, type ColumnMemory } from "../foundation/columns/index.js";
/** Judged things at ranks: parallel lists, by rank from the top. */
export interface GradedRanks {
  /** Whole numbers from 1, never falling. */
  readonly ranks: ArrayLike<number>;
  /** From 0. */
  readonly grades: ArrayLike<number>;
  /** The same list without grades of 0, where it has been made: see {@link positive}. */
  readonly positive?: GradedRanks | undefined;
  /** How many grades are at least so high at ranks up to a cutoff, where that is known without counting. */
  readonly within?: ((level: number, cutoff: number) => number) | undefined;
}

/**
 * A list without its grades of 0, which is all that most metrics count; the list itself where there is no
 * shorter one, and for scores in which an item of grade 0 counts.
 *
 * @param from the lowest grade that counts.
 */
export function positive(list: GradedRanks, from: number = Number.MIN_VALUE): GradedRanks {
  return from > 0 ? (list.positive ?? list) : list;
}

/** One query's judgments by subtopic, for metrics of diversity. */
export interface SubtopicJudgments {
  /**
   * What each judged document is worth: pairs of a subtopic's number (from 0, rising) and a grade. By id, the
   * largest first: of equally good documents an ideal takes the first one.
   */
  readonly documents: readonly (readonly (readonly [subtopic: number, grade: number])[])[];
  /** The ranks of judged hits, rising, and the place of each in `documents`. */
  readonly ranks: ArrayLike<number>;
  readonly found: ArrayLike<number>;
}

/**
 * What a metric sees of one query: where in the ranking the judged items are. Where each hit is one item, as
 * in a run over documents, the three lists are the same. A chunk can stand for two expected ones, though, and
 * two halves for one.
 */
export interface JudgedRanking {
  /** How deep the ranking is: hits that came back, judged or not, with the gaps that their ranks leave. */
  readonly returned: number;
  /** Hits that stand for a judged item, with the best of their grades: what precision counts. */
  readonly hits: GradedRanks;
  /** Judged items that were found, each at its best rank: what recall counts. */
  readonly finds: GradedRanks;
  /** Items earned on the way down, one for each hit, each once: what gain adds up. */
  readonly earned: GradedRanks;
  /** The grades of all judged items of the query, found or not, highest first. */
  readonly pool: ArrayLike<number>;
  /**
   * Ranks of hits that the judgments name with a negative grade: in the pool, yet unjudged. In no other list.
   */
  readonly pooled: ArrayLike<number>;
  /** Ranks of hits that repeat a judged item from higher up, rising. In no other list; they are judged. */
  readonly copies?: ArrayLike<number> | undefined;
  /** Present where hits tie: the first and the last rank that each of `hits` could have. */
  readonly tied?: { readonly first: ArrayLike<number>; readonly last: ArrayLike<number> } | undefined;
  /** Present when the judgments name subtopics. */
  readonly subtopics?: SubtopicJudgments | undefined;
}

const NONE: readonly number[] = [];

/**
 * A judged ranking in which every hit is one item. `pool` is ordered here. All keys are there, so that
 * metrics see objects of one shape and stay compiled.
 */
export function judgeRanking(
  ranks: ArrayLike<number>,
  grades: ArrayLike<number>,
  pool: ArrayLike<number>,
  returned: number,
  more: Partial<JudgedRanking> = {},
): JudgedRanking {
  return judgeRankingIn(ownMemory, ranks, grades, pool, returned, more);
}

/** A judged ranking that is good as long as its memory is. */
export function judgeRankingIn(
  memory: ColumnMemory,
  ranks: ArrayLike<number>,
  grades: ArrayLike<number>,
  pool: ArrayLike<number>,
  returned: number,
  { pooled = NONE, copies = NONE, tied, subtopics }: Partial<JudgedRanking>,
): JudgedRanking {
  const hits = gradeRanks(ranks, grades, memory);
  return {
    returned,
    hits,
    finds: hits,
    earned: hits,
    pool: highestFirst(pool),
    pooled,
    copies,
    tied,
    subtopics,
  };
}

function gradeRanks(
  ranks: ArrayLike<number>,
  grades: ArrayLike<number>,
  memory: ColumnMemory = ownMemory,
): GradedRanks {
  let count = 0;
  for (let i = 0; i < grades.length; i++) if ((grades[i] as number) > 0) count++;
  const positive = { ranks: memory.doubles(count), grades: memory.doubles(count), positive: undefined };
  let filled = 0;
  for (let i = 0; i < grades.length; i++) {
    if ((grades[i] as number) <= 0) continue;
    positive.ranks[filled] = ranks[i] as number;
    positive.grades[filled++] = grades[i] as number;
  }
  return { ranks, grades, positive };
}

function highestFirst(grades: ArrayLike<number>): ArrayLike<number> {
  for (let i = 1; i < grades.length; i++) {
    if ((grades[i] as number) > (grades[i - 1] as number)) return Float64Array.from(grades).sort().reverse();
  }
  return grades;
}

/**
 * A judged ranking from pairs of a hit and an item it stands for. A grade below 0 is of an item that was
 * pooled and is not judged.
 *
 * @param ranks of each pair's hit, never falling.
 * @param items index into `grades` of each pair's item.
 * @param grades of all judged items.
 */
export function judgePairs(
  ranks: readonly number[],
  items: readonly number[],
  grades: readonly number[],
  returned: number,
): JudgedRanking {
  const hits = emptyList();
  const finds = emptyList();
  const earned = emptyList();
  const pooled: number[] = [];
  const found = new Set<number>();
  const spent = new Set<number>();
  const add = (list: typeof hits, rank: number, item: number): void => {
    list.ranks.push(rank);
    list.grades.push(grades[item] as number);
  };
  const best = (a: number, b: number): number =>
    a === NO_ITEM || (grades[b] as number) > (grades[a] as number) ? b : a;
  for (let i = 0; i < ranks.length;) {
    const rank = ranks[i] as number;
    let top = NO_ITEM;
    let free = NO_ITEM;
    for (; ranks[i] === rank; i++) {
      const item = items[i] as number;
      if ((grades[item] as number) < 0) continue;
      top = best(top, item);
      if (!spent.has(item)) free = best(free, item);
      if (!found.has(item)) add(finds, rank, item);
      found.add(item);
    }
    if (top === NO_ITEM) {
      pooled.push(rank);
      continue;
    }
    add(hits, rank, top);
    if (free !== NO_ITEM) add(earned, rank, free);
    spent.add(free);
  }
  return {
    returned,
    hits,
    finds,
    earned,
    pool: highestFirst(grades.some((grade) => grade < 0) ? grades.filter((grade) => grade >= 0) : grades),
    pooled,
    copies: NONE,
    tied: undefined,
    subtopics: undefined,
  };
}

const NO_ITEM = -1;

const emptyList = (): { ranks: number[]; grades: number[] } => ({ ranks: [], grades: [] });

/** The ranking without its unjudged hits: what is judged moves up. */
export function condenseRanking(judged: JudgedRanking): JudgedRanking {
  const ranks = new Map<number, number>();
  const { tied, subtopics, pool, copies = NONE } = judged;
  const at: number[] = [];
  const again: number[] = [];
  for (let i = 0; i < judged.hits.ranks.length; i++) {
    const rank = judged.hits.ranks[i] as number;
    while ((copies[again.length] as number) < rank) again.push(i + again.length + 1);
    ranks.set(rank, (at[i] = i + 1 + again.length));
  }
  while (again.length < copies.length) again.push(ranks.size + again.length + 1);
  const moveRanks = (list: GradedRanks): GradedRanks =>
    gradeRanks(
      Array.from(list.ranks, (rank) => ranks.get(rank) as number),
      list.grades,
    );
  const hits = moveRanks(judged.hits);
  return {
    returned: ranks.size + copies.length,
    hits,
    finds: judged.finds === judged.hits ? hits : moveRanks(judged.finds),
    earned: judged.earned === judged.hits ? hits : moveRanks(judged.earned),
    pool,
    pooled: NONE,
    copies: again,
    tied: tied && closeUp(tied.first, at),
    subtopics: subtopics && {
      ...subtopics,
      ranks: Array.from(subtopics.ranks, (rank) => ranks.get(rank) as number),
    },
  };
}

/** Tied groups of judged hits after the unjudged ones between them have gone, and at which ranks they are. */
function closeUp(groups: ArrayLike<number>, ranks: readonly number[]): NonNullable<JudgedRanking["tied"]> {
  const first = [...ranks];
  const last = [...ranks];
  for (let i = 1; i < first.length; i++) if (groups[i] === groups[i - 1]) first[i] = first[i - 1] as number;
  for (let i = last.length - 2; i >= 0; i--) if (groups[i] === groups[i + 1]) last[i] = last[i + 1] as number;
  return { first, last };
}
