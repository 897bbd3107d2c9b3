import { checkSeed, wholeNumber } from "../foundation/checks/index.js";
import { seededWords } from "../foundation/numbers/index.js";
import { packColumns, unpackSums } from "./packed-columns.js";

const PERMUTATIONS = 100_000;
/** Flips at a time: their sums stay near the processor, and the sums of patterns are made seldom enough. */
const BLOCK = 8192;
const GROUP = 8;
const PATTERNS = 1 << GROUP;
const WORD = 32;
const WORD_SUMS = (WORD / GROUP) * PATTERNS;
/** Seeds lie so far apart that their streams do not meet. */
const STREAM_STEP = 0x9e3779b1;

/** The sums of all sign flips. */
export function sumSigns(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** values.length);
  values.forEach((value, index) => doubleSums(sums, 0, 2 ** index, value));
  return sums;
}

/** A value doubles the sums that there are: first those with it, then those without. */
function doubleSums(sums: Float64Array, start: number, count: number, value: number): void {
  for (let index = start; index < start + count; index++) {
    const sum = sums[index] as number;
    sums[index] = sum + value;
    sums[count + index] = sum - value;
  }
}

/** How flips are drawn. */
export interface FlipOptions {
  readonly permutations?: number | undefined;
  readonly seed?: number | undefined;
  /** How far values may be from the fractions that they are summed as; 0 unless given. */
  readonly rounding?: number | undefined;
}

/**
 * The sums of columns under sign flips, which are drawn a block at a time. All columns are flipped together,
 * query by query. Each 32 queries have their own stream: further queries change no draw. What is kept does
 * not grow with the queries but for the state of their streams.
 *
 * @param columns values in the same order of queries.
 * @param visit takes the sums of each column under each flip of a block; good until the next block.
 * @returns how many flips were drawn.
 */
export function sumFlips(
  columns: readonly ArrayLike<number>[],
  { permutations = PERMUTATIONS, seed = 1, rounding = 0 }: FlipOptions,
  visit: (sums: readonly Float64Array[], flips: number) => void,
): number {
  wholeNumber("permutations", permutations);
  checkSeed(seed);
  const queries = columns.reduce((most, { length }) => Math.max(most, length), 0);
  const streams = Array.from({ length: Math.ceil(queries / WORD) }, (_, word) =>
    seededWords(Math.imul(seed, STREAM_STEP) + word),
  );
  const packed = packColumns(columns, sumOfSizes, rounding);
  const sums = columns.map(() => new Float64Array(BLOCK));
  const packedSums = packed.map(() => new Float64Array(BLOCK));
  const patterns = new Float64Array(WORD_SUMS);
  for (let done = 0; queries > 0 && done < permutations; done += BLOCK) {
    const signs = new Uint32Array(Math.min(BLOCK, permutations - done));
    for (const sum of packedSums) sum.fill(0);
    for (const [word, fill] of streams.entries()) {
      fill(signs);
      for (const [at, { values }] of packed.entries())
        if (fillPatterns(patterns, values, word * WORD))
          addSums(packedSums[at] as Float64Array, patterns, signs);
    }
    for (const [at, column] of packed.entries()) unpackSums(column, packedSums[at] as Float64Array, 1, sums);
    visit(sums, signs.length);
  }
  return permutations;
}

/**
 * For each eight of 32 values the sums of all their sign patterns.
 *
 * @returns false where all values are 0, so that no sign changes anything; nothing is filled then.
 */
function fillPatterns(patterns: Float64Array, column: ArrayLike<number>, from: number): boolean {
  const end = Math.min(from + WORD, column.length);
  let moved = from;
  while (moved < end && column[moved] === 0) moved++;
  if (moved >= end) return false;
  for (let group = 0; group < WORD / GROUP; group++) {
    const start = group * PATTERNS;
    patterns[start] = 0;
    let count = 1;
    for (let bit = 0; bit < GROUP; bit++) {
      const at = from + group * GROUP + bit;
      doubleSums(patterns, start, count, at < end ? (column[at] as number) : 0);
      count *= 2;
    }
  }
  return true;
}

/** Adds what 32 values come to under each flip: four sums of eight. */
function addSums(total: Float64Array, sums: Float64Array, signs: Uint32Array): void {
  for (let flip = 0; flip < signs.length; flip++) {
    const word = signs[flip] as number;
    (total[flip] as number) +=
      (sums[word & 0xff] as number) +
      (sums[PATTERNS + ((word >>> 8) & 0xff)] as number) +
      ((sums[2 * PATTERNS + ((word >>> 16) & 0xff)] as number) +
        (sums[3 * PATTERNS + (word >>> 24)] as number));
  }
}

/** No sum of these values under any flip is larger. */
function sumOfSizes(values: Float64Array): number {
  return values.reduce((sum, value) => sum + Math.abs(value), 0);
}
