import { firstIndex } from "../foundation/columns/index.js";
import { defineMetric } from "./define-metric.js";
import { positive, type JudgedRanking } from "./judged-ranking.js";
import { relevanceLevel, relevantItems } from "./relevance.js";

/** What a relevant item is worth below so many hits that are not relevant. */
const worthBelow = (others: number): number => 1 / Math.log2(2 + Math.max(0, others));

/**
 * binG after each label, up to rounding. A new label takes one hit that is not relevant from above all
 * relevant items below it; labels that move together are counted together.
 */
function binGAlong(judged: JudgedRanking, labels: readonly number[], level: number): Float64Array {
  const { ranks, grades } = positive(judged.hits, level);
  const known = Array.from(ranks).filter((_, index) => (grades[index] as number) >= level);
  const worth = Float64Array.from({ length: judged.returned + 1 }, (_, others) => worthBelow(others));
  const isFromTop = labels.length < 2 || (labels[0] as number) < (labels[1] as number);
  /** By known item: hits above it that are not relevant now, and labels that come to lie above it. */
  const above = known.map((rank, index) => {
    const first = firstIndex(labels.length, (at) => (labels[at] as number) > rank === isFromTop);
    return { others: rank - 1 - index, first: isFromTop ? 0 : first, last: isFromTop ? first : Infinity };
  });
  /** Labels by how many hits above them would not be relevant, were no later label above them. */
  const moving = new Map<number, number>();
  const relevant = relevantItems(judged, level);
  let fixed = 0;
  return Float64Array.from({ length: labels.length + 1 }, (_, count) => {
    if (count > 0) {
      const rank = labels[count - 1] as number;
      const others = rank - 1 - firstIndex(known.length, (at) => (known[at] as number) > rank);
      if (isFromTop) fixed += worth[others - (count - 1)] as number;
      else moving.set(others + count, (moving.get(others + count) ?? 0) + 1);
    }
    let sum = fixed;
    for (const [others, many] of moving) sum += many * (worth[others - count] as number);
    for (const { others, first, last } of above)
      sum += worth[others - Math.max(0, Math.min(count, last) - first)] as number;
    return sum === 0 ? 0 : sum / (relevant + count);
  });
}

/** trec_eval's binG: average precision's sibling with a logarithm. */
export const binG = /*#__PURE__*/ defineMetric({
  name: "BinG",
  question: "How few non-relevant hits does one pass on the way to each relevant item?",
  formula: "sum over the relevant items found of 1 / log2(2 + hits above that are not relevant) / R",
  edges: "Nothing relevant judged or found: 0. Unjudged hits are not relevant.",
  agreesWith: "trec_eval binG",
  paper: "Buckley: the manual of trec_eval, https://github.com/usnistgov/trec_eval (experimental)",
  cutoff: "none",
  parameters: { rel: relevanceLevel },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  score:
    ({ rel }) =>
    (judged) => {
      const { ranks, grades } = positive(judged.finds, rel);
      let found = 0;
      let sum = 0;
      for (let i = 0; i < ranks.length; i++) {
        if ((grades[i] as number) < rel) continue;
        sum += worthBelow((ranks[i] as number) - 1 - found);
        found++;
      }
      return sum === 0 ? 0 : sum / relevantItems(judged, rel);
    },
  along:
    ({ rel }) =>
    (judged, labels) =>
      binGAlong(judged, labels, rel),
});
