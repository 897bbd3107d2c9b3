import type { Correction } from "./correction.js";

/** Hommel (1988), doi:10.1093/biomet/75.2.383. */
export const hommelCorrection: Correction = { label: "Hommel", adjust: hommel };

/**
 * By Wright's way (1992, doi:10.2307/2532694): for each number of true hypotheses the best Simes bound among
 * the largest p values.
 */
function hommel(rising: readonly number[]): number[] {
  const adjusted = [...rising];
  for (let size = rising.length; size > 1; size--) {
    const start = rising.length - size;
    let bound = Infinity;
    for (let i = 0; i < size; i++) bound = Math.min(bound, (size * (rising[start + i] as number)) / (i + 1));
    for (let place = 0; place < rising.length; place++) {
      const own = place < start ? Math.min(bound, size * (rising[place] as number)) : bound;
      adjusted[place] = Math.max(adjusted[place] as number, own);
    }
  }
  return adjusted;
}
