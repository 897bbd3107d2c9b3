import { firstIndex } from "../foundation/columns/index.js";

/** A way to adjust the p values of a family of tests. */
export type PValueAdjustment =
  | "none"
  | "bonferroni"
  | "sidak"
  | "holm"
  | "holm-sidak"
  | "hochberg"
  | "hommel"
  | "benjamini-hochberg"
  | "benjamini-yekutieli"
  | "two-stage-bh"
  | "two-stage-bky";

/** What two-stage methods decide their first stage by. */
const ALPHA = 0.05;

/**
 * p values of a family of tests, adjusted so that each can be held against alpha by itself. In the order
 * given, at most 1.
 *
 * `bonferroni`, `sidak`, `holm`, `holm-sidak`, `hochberg` (Simes) and `hommel` keep the chance of any false
 * finding below alpha; the rest keep the expected share of false ones among the findings. `hochberg`,
 * `hommel` and `benjamini-hochberg` suppose that the tests are independent or positively dependent, as those
 * of several metrics on the same queries usually are. Holm (1979), jstor.org/stable/4615733; Hochberg (1988),
 * doi:10.1093/biomet/75.4.800; Hommel (1988), doi:10.1093/biomet/75.2.383; Benjamini, Hochberg (1995),
 * doi:10.1111/j.2517-6161.1995.tb02031.x; Benjamini, Yekutieli (2001), doi:10.1214/aos/1013699998; Benjamini,
 * Krieger, Yekutieli (2006), doi:10.1093/biomet/93.3.491.
 *
 * @param alpha of the two-stage methods: their values are good for this level only.
 */
export function adjustPValues(
  pValues: readonly number[],
  method: PValueAdjustment,
  alpha: number = ALPHA,
): number[] {
  const order = Array.from(pValues.keys()).sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = adjustments[method](
    order.map((index) => pValues[index] as number),
    alpha,
  );
  const result = new Array<number>(pValues.length);
  order.forEach((index, place) => (result[index] = Math.min(1, adjusted[place] as number)));
  return result;
}

/** By method, from rising p values to adjusted ones. */
const adjustments: Readonly<
  Record<PValueAdjustment, (rising: readonly number[], alpha: number) => number[]>
> = {
  none: (rising) => [...rising],
  bonferroni: (rising) => rising.map((p) => p * rising.length),
  sidak: (rising) => rising.map((p) => anyOf(p, rising.length)),
  holm: (rising) => neverFalling(rising.map((p, place) => p * (rising.length - place))),
  "holm-sidak": (rising) => neverFalling(rising.map((p, place) => anyOf(p, rising.length - place))),
  hochberg: (rising) => neverRising(rising.map((p, place) => p * (rising.length - place))),
  hommel,
  "benjamini-hochberg": falseDiscoveryRate,
  "benjamini-yekutieli": (rising) => {
    const harmonic = rising.reduce((sum, _, place) => sum + 1 / (place + 1), 0);
    return neverRising(rising.map((p, place) => (p * rising.length * harmonic) / (place + 1)));
  },
  "two-stage-bh": (rising, alpha) => twoStage(rising, alpha, 1),
  "two-stage-bky": (rising, alpha) => twoStage(rising, alpha, 1 + alpha),
};

/** The chance that any of so many independent tests has such a p, or a smaller one. */
function anyOf(p: number, tests: number): number {
  return -Math.expm1(tests * Math.log1p(-p));
}

/** Each value, or the largest before it. */
function neverFalling(values: readonly number[]): number[] {
  let most = 0;
  return values.map((value) => (most = Math.max(most, value)));
}

/** Each value, or the smallest after it; 1 at most. */
function neverRising(values: readonly number[]): number[] {
  let least = 1;
  return values
    .map((_, place) => (least = Math.min(least, values[values.length - 1 - place] as number)))
    .reverse();
}

function falseDiscoveryRate(rising: readonly number[]): number[] {
  return neverRising(rising.map((p, place) => (p * rising.length) / (place + 1)));
}

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

/** The first stage counts the findings; the second supposes that the rest are true. */
function twoStage(rising: readonly number[], alpha: number, factor: number): number[] {
  const first = falseDiscoveryRate(rising);
  const found = first.filter((p) => p <= alpha / factor).length;
  const rest = found === 0 || found === rising.length ? 1 : (rising.length - found) / rising.length;
  return first.map((p) => p * rest * factor);
}
