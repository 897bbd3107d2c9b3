import { defineTrainedFusion } from "./define-trained-fusion.js";
import { segmentShares } from "./segment-shares.js";

/** Probabilities of equal segments: `probFuse({ segments: 10 }).name // => "probfuse(segments=10)"`. */
export const probFuse = /*#__PURE__*/ defineTrainedFusion({
  name: "probfuse",
  aliases: ["ProbFuse"],
  question: "Which items stand in parts of the lists where relevant items stood before?",
  formula:
    "sum over the runs of P(segment) / segment; each list is cut into so many equal segments, and P is " +
    "the mean share of relevant items in a segment over the training queries (probFuseAll)",
  edges:
    "A segment of a list of n hits has ceil(n / segments) of them, so that a list shorter than the number " +
    "of segments has fewer. Unjudged items are not relevant. A run that lacks the item adds nothing.",
  agreesWith: "by its definition ranx method='probfuse'; no values of it were compared",
  paper:
    "Lillis, Toolan, Collier, Dunnion: ProbFuse: A Probabilistic Approach to Data Fusion, " +
    "https://doi.org/10.1145/1148170.1148197",
  reads: "ranks",
  normalizer: "none",
  parameters: {
    segments: {
      default: 25,
      minimum: 1,
      maximum: 1000,
      isWhole: true,
      meaning: "parts into which each list is cut",
    },
  },
  learn(rankings, settled) {
    const segments = settled.number("segments");
    const segmentOf = (rank: number, length: number): number =>
      Math.ceil(rank / Math.ceil(length / segments));
    const shares = segmentShares(rankings, segmentOf);
    return {
      worth(rank, length) {
        const segment = segmentOf(rank, length);
        return (shares[segment] ?? 0) / segment;
      },
      lacking: 0,
    };
  },
});
