import type { FusionParameterCard } from "./define-fusion.js";

/** The parameter of the weighted methods. */
export const runWeights = {
  perRun: true,
  meaning: "how much each run counts, in the order of the runs; they need not add up to 1",
} as const satisfies FusionParameterCard;
