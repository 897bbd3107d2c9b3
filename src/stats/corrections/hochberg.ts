import { type Correction, neverRising } from "./correction.js";

/** Step by step from the largest p (Simes). Hochberg (1988), doi:10.1093/biomet/75.4.800. */
export const hochberg: Correction = {
  label: "Hochberg",
  adjust: (rising) => neverRising(rising.map((p, place) => p * (rising.length - place))),
};
