import type { GradedRanks, JudgedRanking } from "./judged-ranking.js";

/** Hits of one score: the ranks they share, and the grades of those that are judged. */
export interface TiedGroup {
  readonly first: number;
  /** Included. */
  readonly last: number;
  readonly grades: readonly number[];
}

/**
 * The groups of tied hits that hold a judged one, from the top; a hit that ties with none is a group of its
 * own.
 */
export function groupTies(judged: JudgedRanking, list: GradedRanks = judged.hits): TiedGroup[] {
  const groups: (TiedGroup & { grades: number[] })[] = [];
  for (let i = 0; i < list.ranks.length; i++) {
    const rank = list.ranks[i] as number;
    const first = judged.tied?.first[i] ?? rank;
    const previous = groups.at(-1);
    if (previous?.first === first) previous.grades.push(list.grades[i] as number);
    else groups.push({ first, last: judged.tied?.last[i] ?? rank, grades: [list.grades[i] as number] });
  }
  return groups;
}

/**
 * The expected value of a function of the first relevant rank. In a group of n tied hits, m of them relevant,
 * the first is at place j with probability C(n - j, m - 1) / C(n, m).
 */
export function firstRelevantGroup(
  judged: JudgedRanking,
  level: number,
  valueAt: (rank: number) => number,
): number {
  for (const { first, last, grades } of groupTies(judged)) {
    const relevant = grades.filter((grade) => grade >= level).length;
    if (relevant === 0) continue;
    const size = last - first + 1;
    let none = 1;
    let sum = 0;
    for (let place = 0; place <= size - relevant; place++) {
      const here = relevant / (size - place);
      sum += none * here * valueAt(first + place);
      none *= 1 - here;
    }
    return sum;
  }
  return 0;
}
