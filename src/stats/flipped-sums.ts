import { seededWords } from "../foundation/numbers/index.js";
import type { RandomizationOptions } from "./randomization-test.js";

const PERMUTATIONS = 100_000;
/** Flips at a time: their sums stay in the processor's nearest memory. */
const BLOCK = 1024;
const GROUP = 8;
const PATTERNS = 1 << GROUP;
const WORD = 32;
const WORD_SUMS = (WORD / GROUP) * PATTERNS;
/** Seeds lie so far apart that their streams do not meet. */
const STREAM_STEP = 0x9e3779b1;

/** The sums of all sign flips. */
export function signedSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** values.length);
  fillSignedSums(sums, values);
  return sums;
}

/** Each value doubles the sums: first those with it, then those without. */
function fillSignedSums(sums: Float64Array, values: readonly number[]): void {
  sums[0] = 0;
  let count = 1;
  for (const value of values) {
    for (let index = 0; index < count; index++) {
      const sum = sums[index] as number;
      sums[index] = sum + value;
      sums[count + index] = sum - value;
    }
    count *= 2;
  }
}

/** Values ready to be flipped: for each eight of them the sums of all their sign patterns. */
export class FlippedSums {
  /** How many words of signs it takes. */
  readonly words: number;
  readonly #patterns: Float64Array;
  readonly #total = new Float64Array(BLOCK);

  /** @param sign 1, or -1 for the sums of the opposite values. */
  constructor(values: ArrayLike<number>, sign: 1 | -1 = 1) {
    this.words = Math.ceil(values.length / WORD);
    this.#patterns = new Float64Array(this.words * WORD_SUMS);
    for (let from = 0; from * PATTERNS < this.#patterns.length * GROUP; from += GROUP) {
      const start = (from / GROUP) * PATTERNS;
      fillSignedSums(
        this.#patterns.subarray(start, start + PATTERNS),
        Array.from({ length: GROUP }, (_, i) => sign * (values[from + i] ?? 0)),
      );
    }
  }

  /** The sum under each of a block of flips; good until the next block. */
  of(signs: readonly Uint32Array[], flips: number): Float64Array {
    const total = this.#total.fill(0);
    for (let word = 0; word < this.words; word++)
      addSums(
        total,
        this.#patterns.subarray(word * WORD_SUMS, (word + 1) * WORD_SUMS),
        signs[word] as Uint32Array,
        flips,
      );
    return total;
  }
}

/** Adds what 32 values come to under each flip: four sums of eight. */
function addSums(total: Float64Array, sums: Float64Array, signs: Uint32Array, flips: number): void {
  for (let flip = 0; flip < flips; flip++) {
    const word = signs[flip] as number;
    (total[flip] as number) +=
      (sums[word & 0xff] as number) +
      (sums[PATTERNS + ((word >>> 8) & 0xff)] as number) +
      ((sums[2 * PATTERNS + ((word >>> 16) & 0xff)] as number) +
        (sums[3 * PATTERNS + (word >>> 24)] as number));
  }
}

/**
 * Draws signs, a block of flips at a time. Each 32 values have their own stream: further values change no
 * draw.
 *
 * @param words of signs for each flip.
 * @returns how many flips were drawn.
 */
export function flipBlocks(
  words: number,
  { permutations = PERMUTATIONS, seed = 1 }: Omit<RandomizationOptions, "alternative">,
  visit: (signs: readonly Uint32Array[], flips: number) => void,
): number {
  const streams = Array.from({ length: words }, (_, word) =>
    seededWords(Math.imul(seed, STREAM_STEP) + word),
  );
  const signs = streams.map(() => new Uint32Array(BLOCK));
  for (let done = 0; words > 0 && done < permutations; done += BLOCK) {
    streams.forEach((fill, word) => fill(signs[word] as Uint32Array));
    visit(signs, Math.min(BLOCK, permutations - done));
  }
  return permutations;
}
