import { defineMetric } from "./define-metric.js";
import { relevanceLevel, relevantItems, relevantWithin } from "./relevance.js";

/** What trec_eval 9 adds before it cuts a share of R down to a whole number. */
const ROUNDING = 0.9;

/** Precision at R: `rPrecision().name // => "Rprec"`. */
export const rPrecision = /*#__PURE__*/ defineMetric({
  name: "Rprec",
  aliases: ["RPrec", "r_precision"],
  question:
    "If exactly as many hits were returned as there are relevant items, how many of them would be relevant?",
  formula: "relevant hits in the top R / R; with mult=m the top m * R, rounded up from 0.1",
  edges: "Nothing relevant judged: 0. Fewer than R hits: still divided by R. Unjudged hits are not relevant.",
  agreesWith: "trec_eval Rprec (mult=m: Rprec_mult_m), ir_measures Rprec, ranx r-precision",
  paper: "Buckley, Voorhees: Evaluating Evaluation Measure Stability, https://doi.org/10.1145/345508.345543",
  cutoff: "none",
  parameters: {
    rel: relevanceLevel,
    mult: { default: 1, minimum: 0, maximum: 1000, meaning: "how many times R" },
  },
  range: [0, 1],
  higherIsBetter: true,
  bounds: "counted",
  fraction:
    ({ rel, mult }) =>
    (judged) => {
      const depth = Math.floor(mult * relevantItems(judged, rel) + ROUNDING);
      return { numerator: relevantWithin(judged.hits, rel, depth), denominator: Math.max(1, depth) };
    },
  linear: ({ rel, mult }) => ({
    over: "hits",
    gain: (grade) => (grade >= rel ? 1 : 0),
    discount: (rank, judged) => (rank <= Math.floor(mult * relevantItems(judged, rel) + ROUNDING) ? 1 : 0),
    norm: (judged) => Math.floor(mult * relevantItems(judged, rel) + ROUNDING),
  }),
});
