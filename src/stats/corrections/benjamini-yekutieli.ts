import { type Correction, neverRising } from "./correction.js";

/** The share of false findings, of any tests. Benjamini, Yekutieli (2001), doi:10.1214/aos/1013699998. */
export const benjaminiYekutieli: Correction = {
  label: "Benjamini-Yekutieli",
  adjust: (rising) => {
    const harmonic = rising.reduce((sum, _, place) => sum + 1 / (place + 1), 0);
    return neverRising(rising.map((p, place) => (p * rising.length * harmonic) / (place + 1)));
  },
};
