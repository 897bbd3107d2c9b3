import { checkSeed, wholeNumber } from "../../foundation/checks/index.js";
import { exactMean, seededWords } from "../../foundation/numbers/index.js";
import { checkDifferences } from "../check-pairs.js";
import { packColumns, ROUNDING_OF_DIFFERENCES, unpackSums } from "../packed-columns.js";
import type { Sample } from "./interval.js";

/** How resamples are drawn. */
export interface ResamplingOptions {
  /** Default 10,000. */
  readonly resamples?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

const RESAMPLES = 10_000;
/** Resamples of few queries are drawn together, so that calls cost little beside them. */
const DRAWN_AT_ONCE = 4096;

/**
 * Columns of differences with their bootstrap, resampling queries; null for fewer than two differences.
 * Columns of one length see the same resamples, so what is said of a column depends on its own differences
 * and the seed alone.
 */
export function samplesOf(
  columns: readonly ArrayLike<number>[],
  { resamples = RESAMPLES, seed = 1 }: ResamplingOptions,
): (Sample | null)[] {
  wholeNumber("resamples", resamples);
  checkSeed(seed);
  for (const column of columns) checkDifferences("an interval", column);
  const samples = new Array<Sample | null>(columns.length).fill(null);
  for (const length of new Set(columns.map((column) => column.length))) {
    if (length < 2) continue;
    const indices = [...columns.keys()].filter((index) => columns[index]?.length === length);
    const group = indices.map((index) => Float64Array.from(columns[index] as ArrayLike<number>));
    let drawn: Float64Array[] | undefined;
    const means = (): Float64Array[] =>
      (drawn ??= resampleMeans(group, length, resamples, seed).map((column) => column.sort()));
    group.forEach((differences, place) => {
      samples[indices[place] as number] = {
        differences,
        observed: exactMean(differences),
        means: () => means()[place] as Float64Array,
      };
    });
  }
  return samples;
}

/** By column the means of all resamples: the same queries are drawn for all. */
function resampleMeans(
  columns: readonly Float64Array[],
  length: number,
  resamples: number,
  seed: number,
): Float64Array[] {
  const fill = seededWords(seed);
  const packed = packColumns(columns, (values) => length * largest(values), ROUNDING_OF_DIFFERENCES);
  const sums = packed.map(() => new Float64Array(resamples));
  const atOnce = Math.max(1, Math.floor(DRAWN_AT_ONCE / length));
  const block = new Uint32Array(atOnce * length);
  const scale = length / 2 ** 32;
  for (let done = 0; done < resamples; done += atOnce) {
    const drawn = block.subarray(0, (resamples - done) * length);
    fill(drawn);
    scaleAll(drawn, scale);
    packed.forEach(({ values }, place) => addSums(sums[place] as Float64Array, done, values, drawn));
  }
  const means = columns.map(() => new Float64Array(resamples));
  packed.forEach((column, place) => unpackSums(column, sums[place] as Float64Array, length, means));
  return means;
}

/** The sums of a column's resamples, which were drawn one after the other. */
function addSums(sums: Float64Array, from: number, column: ArrayLike<number>, drawn: Uint32Array): void {
  const { length } = column;
  for (let start = 0; start < drawn.length; start += length)
    sums[from + start / length] = sumDrawn(column, drawn, start);
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** Words of 32 bits to whole numbers below the length; the array cuts the rest. */
function scaleAll(words: Uint32Array, scale: number): void {
  for (let i = 0; i < words.length; i++) words[i] = (words[i] as number) * scale;
}

/** Four sums side by side: one would have the processor wait for each addition. */
function sumDrawn(column: ArrayLike<number>, drawn: Uint32Array, start: number): number {
  const end = start + column.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
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
