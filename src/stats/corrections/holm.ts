import { type Correction, neverFalling } from "./correction.js";

/** Bonferroni, step by step from the smallest p. Holm (1979), jstor.org/stable/4615733. */
export const holm: Correction = {
  label: "Holm",
  adjust: (rising) => neverFalling(rising.map((p, place) => p * (rising.length - place))),
};
