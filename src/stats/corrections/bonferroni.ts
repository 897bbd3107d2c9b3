import type { Correction } from "./correction.js";

/** Each p times the number of tests. */
export const bonferroni: Correction = {
  label: "Bonferroni",
  adjust: (rising) => rising.map((p) => p * rising.length),
};
