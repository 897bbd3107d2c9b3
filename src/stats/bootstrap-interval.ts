import { exactSum, sameEverywhere, seededWords } from "../foundation/numbers/index.js";
import { normalBelow, normalQuantile } from "./normal.js";
import type { Interval } from "./paired-t.js";

/** How resamples are drawn and read. */
export interface BootstrapOptions {
  /** Share of the interval. Default 0.95. */
  readonly confidence?: number | undefined;
  /** Default 10,000. */
  readonly resamples?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
  /** `bca` corrects for bias and skewness; `basic` mirrors the percentiles at the mean. Default `bca`. */
  readonly method?: "bca" | "percentile" | "basic" | undefined;
}

const CONFIDENCE = 0.95;
const RESAMPLES = 10_000;
/** Resamples of few queries are drawn together, so that calls cost little beside them. */
const DRAWN_AT_ONCE = 4096;

/** {@link bootstrapIntervals} of one column. */
export function bootstrapInterval(
  differences: ArrayLike<number>,
  options: BootstrapOptions = {},
): Interval | null {
  return bootstrapIntervals([differences], options)[0] ?? null;
}

/**
 * Where the mean difference lies: the bootstrap, resampling queries. Null for fewer than two pairs.
 *
 * The quantiles of the resampled means are interpolated; for `bca` resamples with the mean itself count half
 * in the bias. Columns of one length see the same resamples, so a column's interval depends on its own
 * differences and the seed alone. Efron (1987), doi:10.1080/01621459.1987.10478410; Efron, Tibshirani (1993),
 * chapter 14.
 *
 * @param columns differences of one metric each.
 */
export function bootstrapIntervals(
  columns: readonly ArrayLike<number>[],
  { confidence = CONFIDENCE, resamples = RESAMPLES, seed = 1, method = "bca" }: BootstrapOptions = {},
): (Interval | null)[] {
  const intervals = new Array<Interval | null>(columns.length).fill(null);
  for (const length of new Set(columns.map((column) => column.length))) {
    if (length < 2) continue;
    const indices = [...columns.keys()].filter((index) => columns[index]?.length === length);
    const group = indices.map((index) => Float64Array.from(columns[index] as ArrayLike<number>));
    const means = resampledMeans(group, length, resamples, seed);
    indices.forEach(
      (index, place) =>
        (intervals[index] = interval(
          group[place] as Float64Array,
          (means[place] as Float64Array).sort(),
          confidence,
          method,
        )),
    );
  }
  return intervals;
}

/** By column the means of all resamples: the same queries are drawn for all. */
function resampledMeans(
  columns: readonly Float64Array[],
  length: number,
  resamples: number,
  seed: number,
): Float64Array[] {
  const fill = seededWords(seed);
  const means = columns.map(() => new Float64Array(resamples));
  const atOnce = Math.max(1, Math.floor(DRAWN_AT_ONCE / length));
  const block = new Uint32Array(atOnce * length);
  const scale = length / 2 ** 32;
  for (let done = 0; done < resamples; done += atOnce) {
    const drawn = block.subarray(0, (resamples - done) * length);
    fill(drawn);
    scaleAll(drawn, scale);
    columns.forEach((column, place) => addMeans(means[place] as Float64Array, done, column, drawn));
  }
  return means;
}

/** The means of a column's resamples, which were drawn one after the other. */
function addMeans(means: Float64Array, from: number, column: Float64Array, drawn: Uint32Array): void {
  const { length } = column;
  for (let start = 0; start < drawn.length; start += length)
    means[from + start / length] = drawnSum(column, drawn, start) / length;
}

/** Words of 32 bits to whole numbers below the length; the array cuts the rest. */
function scaleAll(words: Uint32Array, scale: number): void {
  for (let i = 0; i < words.length; i++) words[i] = (words[i] as number) * scale;
}

/** Four sums side by side: one would have the processor wait for each addition. */
function drawnSum(column: Float64Array, drawn: Uint32Array, start: number): number {
  const end = start + column.length;
  let [a, b, c, d] = [0, 0, 0, 0];
  let i = start;
  for (; i + 3 < end; i += 4) {
    a += column[drawn[i] as number] as number;
    b += column[drawn[i + 1] as number] as number;
    c += column[drawn[i + 2] as number] as number;
    d += column[drawn[i + 3] as number] as number;
  }
  for (; i < end; i++) a += column[drawn[i] as number] as number;
  return a + b + (c + d);
}

function interval(
  differences: Float64Array,
  means: Float64Array,
  confidence: number,
  method: BootstrapOptions["method"],
): Interval {
  const tail = (1 - confidence) / 2;
  const observed = exactSum(differences) / differences.length;
  if (method === "bca") {
    const [low, high] = bcaShares(differences, means, observed, tail);
    return { low: quantile(means, low), high: quantile(means, high) };
  }
  const [low, high] = [quantile(means, tail), quantile(means, 1 - tail)];
  return method === "basic" ? { low: 2 * observed - high, high: 2 * observed - low } : { low, high };
}

/**
 * Which quantiles the ends are, corrected for the bias of the resampled means and for the skewness that the
 * jackknife shows.
 */
function bcaShares(
  differences: Float64Array,
  means: Float64Array,
  observed: number,
  tail: number,
): [number, number] {
  let [squares, cubes] = [0, 0];
  for (const difference of differences) {
    const distance = difference - observed;
    squares += distance * distance;
    cubes += distance * distance * distance;
  }
  const acceleration = squares === 0 ? 0 : cubes / (6 * squares * Math.sqrt(squares));
  let below = 0;
  // Rounding must not tell equal means apart.
  const near =
    1e-12 * (differences.reduce((sum, difference) => sum + Math.abs(difference), 0) / differences.length);
  for (const mean of means) below += mean < observed - near ? 1 : mean <= observed + near ? 0.5 : 0;
  // A mean beyond all resampled ones would have no finite quantile.
  const bias = normalQuantile(Math.min(Math.max(below, 0.5), means.length - 0.5) / means.length);
  const share = (z: number): number => {
    const room = 1 - acceleration * (bias + z);
    // Towards 0 the share goes to an end; below it the formula would come back from the other one.
    return room > 0 ? normalBelow(bias + (bias + z) / room) : bias + z > 0 ? 1 : 0;
  };
  const z = normalQuantile(tail);
  return [sameEverywhere(share(z)), sameEverywhere(share(-z))];
}

/** The quantile between the two nearest values, in proportion. */
export function quantile(rising: Float64Array, share: number): number {
  const place = share * (rising.length - 1);
  const below = rising[Math.floor(place)] as number;
  return below + (place - Math.floor(place)) * ((rising[Math.ceil(place)] as number) - below);
}
