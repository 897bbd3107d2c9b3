import { firstIndex } from "../../foundation/columns/index.js";
import type { Correction } from "./correction.js";

/** Hommel (1988), doi:10.1093/biomet/75.2.383. */
export const hommelCorrection: Correction = { label: "Hommel", adjust: hommel };

/**
 * By Wright's way (1992, doi:10.2307/2532694): for each number of true hypotheses the best Simes bound among
 * the largest p values, or so many times the own p value where that is less. Meijer, Krebs, Goeman (2019),
 * doi:10.1002/bimj.201700316: more of them lower the bound and raise the multiple, so the largest minimum is
 * where both meet.
 */
function hommel(rising: readonly number[]): number[] {
  const bounds = simesBounds(rising);
  return rising.map((p, place) => {
    // From so many on the value is among the largest itself.
    const included = Math.max(2, rising.length - place);
    const size = firstIndex(included, (each) => each * p >= (bounds[each] as number));
    return Math.max(bounds[size] as number, (size - 1) * p);
  });
}

/** Relative; rounding is far below it. Points this near to the hull bend it, so what is seen gets more. */
const NEARLY = 1e-12;
const NEAR = 1e-11;

/**
 * By size from 2: the least of size * p / rank over so many of the largest p values, or what more of them
 * have, should rounding make that larger.
 *
 * As points (rank, p) seen from a place on the axis of ranks, the lowest one is on the lower convex hull, and
 * moves left with that place. Points that rounding could make the lowest are kept beside those of the hull,
 * so that the result is that of trying all.
 */
function simesBounds(rising: readonly number[]): Float64Array {
  const bounds = new Float64Array(Math.max(3, rising.length + 1));
  bounds.fill(Infinity, 0, 2);
  /** Places of the hull, from the right, and how many of them are too high for good. */
  const hull: number[] = [];
  let passed = 0;
  const p = (at: number): number => rising[hull[at] as number] as number;
  for (let size = 1; size <= rising.length; size++) {
    const start = rising.length - size;
    while (hull.length - passed > 1 && isAbove(rising, start, hull.at(-1) as number, hull.at(-2) as number))
      hull.pop();
    hull.push(start);
    const bound = (at: number): number => (size * p(at)) / ((hull[at] as number) - start + 1);
    while (passed < hull.length - 1 && bound(passed) > bound(passed + 1) * (1 + NEAR)) passed++;
    let least = bound(passed);
    for (let at = passed + 1; at < hull.length && least > 0 && bound(at) <= least * (1 + NEAR); at++)
      least = Math.min(least, bound(at));
    if (size > 1) bounds[size] = least;
  }
  for (let size = rising.length - 1; size > 1; size--)
    bounds[size] = Math.max(bounds[size] as number, bounds[size + 1] as number);
  return bounds;
}

/** Whether a point lies clearly above the line between its neighbours. */
function isAbove(rising: readonly number[], left: number, at: number, right: number): boolean {
  const [low, high] = [rising[left] as number, rising[right] as number];
  return (rising[at] as number) > (low + ((high - low) * (at - left)) / (right - left)) * (1 + NEARLY);
}
