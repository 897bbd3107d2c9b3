import type { JudgedRanking } from "./judged-ranking.js";

/** How deep C/W/L measures look, also when fewer hits came back: as cwl_eval. */
const DEPTH = 1000;

/**
 * The expected rate of gain of a reader who goes from each rank to the next with some probability: gains
 * weighted by the chance that their rank is looked at, divided by how many ranks are looked at.
 *
 * @param goesOn the probability of going on, given the rank, its gain, and the gain so far with this rank's.
 */
export function expectedRate(
  { earned: { ranks, grades } }: JudgedRanking,
  gain: (grade: number) => number,
  goesOn: (rank: number, gain: number, total: number) => number,
): number {
  let looks = 1;
  let looked = 0;
  let gained = 0;
  let total = 0;
  let next = 0;
  for (let rank = 1; rank <= DEPTH && looks > 0; rank++) {
    let here = 0;
    if (ranks[next] === rank) here = gain(grades[next++] as number);
    total += here;
    gained += looks * here;
    looked += looks;
    looks *= goesOn(rank, here, total);
  }
  return gained / looked;
}

/** What the cards of C/W/L measures have in common. */
export const cwlMeasure = {
  edges:
    "Nothing relevant found: 0. Unjudged hits have no gain. Fewer than 1,000 hits: the rest has no gain.",
  range: [0, 1],
  higherIsBetter: true,
} as const;

/** How much gain the reader wants. */
export const wantedGain = {
  default: 1,
  minimum: 0.001,
  maximum: 1000,
  meaning: "how much gain the reader wants",
} as const;

/** The chance to go on of a reader who wants `wanted` items and has waited for `rank` of them: as in INSQ. */
export function patience(rank: number, wanted: number): number {
  return ((rank + 2 * wanted - 1) / (rank + 2 * wanted)) ** 2;
}
