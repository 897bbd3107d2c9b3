import { firstIndex } from "../foundation/columns/index.js";
import { positive, type GradedRanks, type JudgedRanking } from "./judged-ranking.js";

/** The parameter that says from which grade on an item is relevant. */
export const relevanceLevel = {
  default: 1,
  minimum: Number.MIN_VALUE,
  maximum: Number.MAX_VALUE,
  meaning: "the lowest grade that counts as relevant",
} as const;

/** How many judged items of the query are relevant. */
export function relevantItems({ pool }: JudgedRanking, level: number): number {
  // Highest first, so that the first one below the level ends them.
  return firstIndex(pool.length, (index) => (pool[index] as number) < level);
}

/** The rank of the first hit that stands for a relevant item, or Infinity. */
export function firstRelevantRank({ hits }: JudgedRanking, level: number): number {
  const { ranks, grades } = positive(hits, level);
  for (let i = 0; i < ranks.length; i++) if ((grades[i] as number) >= level) return ranks[i] as number;
  return Infinity;
}

/** How many of a list are relevant, at ranks up to `cutoff`. */
export function relevantWithin(list: GradedRanks, level: number, cutoff: number): number {
  if (list.within !== undefined) return list.within(level, cutoff);
  const { ranks, grades } = positive(list, level);
  let count = 0;
  for (let i = 0; i < ranks.length && (ranks[i] as number) <= cutoff; i++)
    if ((grades[i] as number) >= level) count++;
  return count;
}
