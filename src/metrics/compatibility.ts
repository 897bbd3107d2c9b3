import type { JudgedRanking } from "./judged-ranking.js";
import { defineMetric } from "./define-metric.js";

/**
 * Rank-biased overlap, cut at a depth, with the ideal ranking that is most like the run: grades descending,
 * items of one grade in the order of the run, those that were not found last.
 */
function overlapWithIdeal(
  { returned, finds: { ranks, grades }, pool }: JudgedRanking,
  p: number,
  normalize: boolean,
): number {
  let size = 0;
  while (size < pool.length && (pool[size] as number) > 0) size++;
  if (size === 0) return 0;
  const depth = Math.max(returned, size);
  // How many found items come into both lists at each depth.
  const enters = new Uint32Array(depth + 1);
  const places = new Map<number, number>();
  for (let place = size - 1; place >= 0; place--) places.set(pool[place] as number, place + 1);
  for (let i = 0; i < ranks.length; i++) {
    const grade = grades[i] as number;
    const place = places.get(grade);
    if (place === undefined) continue;
    places.set(grade, place + 1);
    const at = Math.max(place, ranks[i] as number);
    enters[at] = (enters[at] as number) + 1;
  }
  let shared = 0;
  let overlap = 0;
  let best = 0;
  let weights = 0;
  let weight = 1;
  for (let at = 1; at <= depth; at++) {
    shared += enters[at] as number;
    overlap += (weight * shared) / at;
    best += (weight * Math.min(at, size)) / at;
    weights += weight;
    weight *= p;
  }
  return overlap / (normalize ? best : weights);
}

/** Compatibility with an ideal ranking: `compatibility().name // => "Compat"`. */
export const compatibility = /*#__PURE__*/ defineMetric({
  name: "Compat",
  question: "How much does the ranking overlap with the most similar ideal one, the top weighing most?",
  formula:
    "rank-biased overlap with an ideal ranking, down to the deeper of both, divided by the ideal's " +
    "with itself",
  edges: "Nothing of positive grade judged: 0. Items of one grade may stand in any order.",
  agreesWith:
    "ir_measures Compat(p=..), which puts items that were not found above found ones of negative score",
  paper: "Clarke, Vtyurina, Smucker: Assessing Top-k Preferences, https://doi.org/10.1145/3451161",
  cutoff: "none",
  parameters: {
    p: {
      default: 0.95,
      minimum: 0,
      maximum: 1,
      meaning: "how much a rank weighs, compared with the one above it",
    },
    normalize: { default: true, meaning: "divide by what an ideal ranking would have" },
  },
  range: [0, 1],
  higherIsBetter: true,
  exempt: {
    "an unjudged item at the end changes nothing": "the overlap is looked at as deep as the ranking goes",
  },
  score:
    ({ p, normalize }) =>
    (judged) =>
      overlapWithIdeal(judged, p, normalize),
});
