import { exactMean } from "../../foundation/numbers/index.js";
import { defineTrainedFusion } from "./define-trained-fusion.js";

/** Mean average precision over rank: `mapFuse().name // => "mapfuse"`. */
export const mapFuse = /*#__PURE__*/ defineTrainedFusion({
  name: "mapfuse",
  aliases: ["MAPFuse"],
  question: "Which items stand at the top of runs that were good before?",
  formula:
    "sum over the runs of MAP / rank; MAP is the mean average precision of the run over the training queries",
  edges:
    "A run that lacks the item adds nothing. Equal scores have different ranks, in the order of the list " +
    "(by id descending).",
  agreesWith: "by its definition the paper; no values of another program were compared",
  paper:
    "Lillis, Zhang, Toolan, Collier, Leonard, Dunnion: Estimating Probabilities for Effective Data Fusion, " +
    "https://doi.org/10.1145/1835449.1835508",
  reads: "ranks",
  normalizer: "none",
  parameters: {},
  learn(rankings) {
    const precisions = rankings.map(({ relevantRanks, relevant }) =>
      relevant === 0 ? 0 : relevantRanks.reduce((all, rank, at) => all + (at + 1) / rank, 0) / relevant,
    );
    const mean = rankings.length === 0 ? 0 : exactMean(precisions);
    return { worth: (rank) => mean / rank, lacking: 0 };
  },
});
