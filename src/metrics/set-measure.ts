import type { JudgedRanking } from "./judged-ranking.js";
import { relevantWithin } from "./relevance.js";

/** What the cards of set measures have in common: all that was returned is one set without an order. */
export const setMeasure = {
  cutoff: "none",
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  expected: "score",
  paper: "van Rijsbergen: Information Retrieval, 2nd edition, 1979",
} as const;

/** Why measures that divide by the size of the set break a law. */
export const seesTheEnd = {
  "an unjudged item at the end changes nothing": "all that was returned is one set, and the item is in it",
} as const;

/** Relevant hits in the set. */
export function relevantReturned(judged: JudgedRanking, level: number): number {
  return relevantWithin(judged.hits, level, Infinity);
}

/** Relevant items that the set holds. */
export function relevantFound(judged: JudgedRanking, level: number): number {
  return relevantWithin(judged.finds, level, Infinity);
}

/** How much more recall weighs than precision. */
export const beta = {
  default: 1,
  minimum: 0,
  maximum: 1000,
  meaning: "how much more recall weighs than precision",
} as const;
