import { benjaminiHochberg } from "./benjamini-hochberg.js";
import type { Correction } from "./correction.js";

/**
 * Benjamini-Hochberg over the tests that a first stage leaves. Benjamini, Krieger, Yekutieli (2006),
 * doi:10.1093/biomet/93.3.491.
 */
export const twoStageBh: Correction = {
  label: "two-stage Benjamini-Hochberg",
  adjust: (rising, alpha) => twoStage(rising, alpha, 1),
};

/** The same with a first stage at alpha / (1 + alpha). */
export const twoStageBky: Correction = {
  label: "two-stage Benjamini-Krieger-Yekutieli",
  adjust: (rising, alpha) => twoStage(rising, alpha, 1 + alpha),
};

/** The first stage counts the findings; the second supposes that the rest are true. */
function twoStage(rising: readonly number[], alpha: number, factor: number): number[] {
  const first = benjaminiHochberg.adjust(rising, alpha);
  const found = first.filter((p) => p <= alpha / factor).length;
  const rest = found === 0 || found === rising.length ? 1 : (rising.length - found) / rising.length;
  return first.map((p) => p * rest * factor);
}
