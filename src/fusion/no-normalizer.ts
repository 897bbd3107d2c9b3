import { defineNormalizer } from "./define-normalizer.js";

/** Scores as they are: `noNormalizer.name // => "none"`. */
export const noNormalizer = /*#__PURE__*/ defineNormalizer({
  name: "none",
  question: "What did the run itself say?",
  formula: "s",
  edges:
    "Right only where the scores of all runs have one scale, and for methods that read ranks. " +
    "Otherwise the run with the largest numbers wins.",
  agreesWith: "ranx norm=None",
  paper: "none of its own",
  normalize: (scores) => ({ scores: Float64Array.from(scores) }),
});
