import { defineTrainedFusion } from "./define-trained-fusion.js";
import { segmentShares } from "./segment-shares.js";

/** The first segment has 5 items, and each further one twice as many and 5 more: 5, 15, 35, 75, … */
const [FIRST, LESS] = [10, 5];

/** Probabilities of growing segments, with scores: `segFuse().name // => "segfuse"`. */
export const segFuse = /*#__PURE__*/ defineTrainedFusion({
  name: "segfuse",
  aliases: ["SegFuse"],
  question: "Which items have high scores in parts of the lists where relevant items stood before?",
  formula:
    "sum over the runs of P(segment) * (1 + normalized score); segments have 10 * 2^(k-1) - 5 items: 5, " +
    "15, 35, …; P is the mean share of relevant items in a segment over the training queries",
  edges:
    "Unjudged items are not relevant. A place deeper than any in training is worth nothing. A run that " +
    "lacks the item adds nothing.",
  agreesWith:
    "by its definition the paper; ranx takes 5, 15, 35, … for the ends of segments, not for their sizes",
  paper:
    "Shokouhi: Segmentation of Search Results for Improved Data-Fusion, " +
    "https://doi.org/10.1007/978-3-540-71496-5_19",
  reads: "scores",
  normalizer: "min-max",
  parameters: {},
  learn(rankings) {
    const shares = segmentShares(rankings, segmentOf);
    return { worth: (rank) => shares[segmentOf(rank)] ?? 0, lacking: 0 };
  },
});

function segmentOf(rank: number): number {
  let segment = 1;
  let end = FIRST - LESS;
  for (; end < rank; end += FIRST * 2 ** (segment - 1) - LESS) segment++;
  return segment;
}
