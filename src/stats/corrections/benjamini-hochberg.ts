import { type Correction, neverRising } from "./correction.js";

/**
 * The share of false findings, of independent tests. Benjamini, Hochberg (1995),
 * doi:10.1111/j.2517-6161.1995.tb02031.x.
 */
export const benjaminiHochberg: Correction = {
  label: "Benjamini-Hochberg",
  adjust: (rising) => neverRising(rising.map((p, place) => (p * rising.length) / (place + 1))),
};
