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

/** The first stage counts the findings; the second supposes that the rest are true. */
function twoStage(rising: readonly number[], alpha: number, factor: number): number[] {
  const first = falseDiscoveryRate(rising);
  const found = first.filter((p) => p <= alpha / factor).length;
  const rest = found === 0 || found === rising.length ? 1 : (rising.length - found) / rising.length;
  return first.map((p) => p * rest * factor);
}
