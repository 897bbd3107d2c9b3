import type { JudgedRanking } from "../ranking.js";
import type { ParameterCard } from "./define-metric.js";

/** The parameter that says from which grade on an item is relevant. */
export const relevanceLevel: ParameterCard = { default: 1, minimum: Number.MIN_VALUE, maximum: Number.MAX_VALUE, meaning: "the lowest grade that counts as relevant" };

/** How many judged items of the query are relevant. */
export function relevantItems(judged: JudgedRanking, level: number): number {
  let count = 0;
  for (const grade of judged.grades) if (grade >= level) count++;
  return count;
}

/** The rank of the first hit that stands for a relevant item, or Infinity. */
export function firstRelevantRank(judged: JudgedRanking, level: number): number {
  for (let i = 0; i < judged.ranks.length; i++) {
    if ((judged.grades[judged.items[i] as number] as number) >= level) return judged.ranks[i] as number;
  }
  return Infinity;
}

/** How many hits at ranks up to `cutoff` stand for a relevant item; a hit that stands for two counts once. */
export function relevantHits(judged: JudgedRanking, level: number, cutoff: number): number {
  let count = 0;
  let last = 0;
  for (let i = 0; i < judged.ranks.length; i++) {
    const rank = judged.ranks[i] as number;
    if (rank > cutoff) break;
    if (rank === last || (judged.grades[judged.items[i] as number] as number) < level) continue;
    last = rank;
    count++;
  }
  return count;
}

/** How many relevant items the hits at ranks up to `cutoff` stand for; an item found twice counts once. */
export function relevantItemsFound(judged: JudgedRanking, level: number, cutoff: number): number {
  const found = new Set<number>();
  for (let i = 0; i < judged.ranks.length; i++) {
    if ((judged.ranks[i] as number) > cutoff) break;
    const item = judged.items[i] as number;
    if ((judged.grades[item] as number) >= level) found.add(item);
  }
  return found.size;
}
