import { firstIndex } from "../foundation/columns/index.js";
import { seededWords } from "../foundation/numbers/index.js";
import type { Alternative } from "./alternative.js";

/** How signs are flipped. */
export interface RandomizationOptions {
  readonly alternative?: Alternative | undefined;
  /** Sign flips that are drawn where there are too many to enumerate. Default 100,000. */
  readonly permutations?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

/** What a randomization test found. */
export interface RandomizationTest {
  readonly p: number;
  /** Whether every sign flip was counted. */
  readonly isExact: boolean;
}

const PERMUTATIONS = 100_000;
/** Up to so many differences other than 0 all 2^n sign flips are counted. */
const MOST_EXACT = 20;
/** Sums that differ by less, as a share of the sum of all sizes, are equal but for rounding. */
const EQUAL_SHARE = 1e-12;
/** Flips at a time: their sums stay in the processor's nearest memory. */
const BLOCK = 1024;
const GROUP = 8;
const PATTERNS = 1 << GROUP;
const WORD = 32;
const WORD_SUMS = (WORD / GROUP) * PATTERNS;
/** Seeds lie so far apart that their streams do not meet. */
const STREAM_STEP = 0x9e3779b1;

/** {@link randomizationTests} of one column. */
export function randomizationTest(
  differences: ArrayLike<number>,
  options: RandomizationOptions = {},
): RandomizationTest {
  return randomizationTests([differences], options)[0] as RandomizationTest;
}

/**
 * Could the mean difference be chance? The paired randomization test: were both runs alike, each query's
 * difference could as well have the other sign; p is the share of sign flips whose mean is at least as far
 * out.
 *
 * Up to 20 differences other than 0 all flips are counted. Else they are drawn, and p = (b + 1) / (B + 1) for
 * b of B flips: the observed one is among them, so that p is never 0. All columns are flipped together, query
 * by query, so a column's p depends on its own differences and the seed alone. Edges: p is 1 where every
 * difference is 0. Fisher (1935); Smucker, Allan, Carterette (2007), doi:10.1145/1321440.1321528; Phipson,
 * Smyth (2010), doi:10.2202/1544-6115.1585.
 *
 * @param columns differences of one metric each, in the same order of queries; 0 where a query has none.
 */
export function randomizationTests(
  columns: readonly ArrayLike<number>[],
  { alternative = "two-sided", permutations = PERMUTATIONS, seed = 1 }: RandomizationOptions = {},
): RandomizationTest[] {
  const results = columns.map((column) => exactTest(column, alternative));
  const drawn = columns.flatMap((column, index) =>
    results[index] === null ? [new FlippedColumn(column, alternative)] : [],
  );
  flipAll(drawn, permutations, seed);
  let next = 0;
  return results.map(
    (result) =>
      result ?? { p: ((drawn[next++] as FlippedColumn).extreme + 1) / (permutations + 1), isExact: false },
  );
}

/** The sum that is held against those of the flips, turned so that far out is high. */
function observedSum(
  differences: ArrayLike<number>,
  alternative: Alternative,
): { observed: number; sizes: number } {
  let [sum, sizes] = [0, 0];
  for (let i = 0; i < differences.length; i++) {
    sum += differences[i] as number;
    sizes += Math.abs(differences[i] as number);
  }
  return {
    observed: alternative === "two-sided" ? Math.abs(sum) : alternative === "greater" ? sum : -sum,
    sizes,
  };
}

/**
 * Counts all flips: the sums of one half of the differences, sorted, are searched for those that each sum of
 * the other half needs.
 */
function exactTest(differences: ArrayLike<number>, alternative: Alternative): RandomizationTest | null {
  const moved = Array.from(differences).filter((difference) => difference !== 0);
  if (moved.length > MOST_EXACT) return null;
  const { observed, sizes } = observedSum(moved, alternative);
  const limit = observed - EQUAL_SHARE * sizes;
  const half = moved.length >> 1;
  const others = signedSums(moved.slice(half)).sort();
  let extreme = 0;
  for (const sum of signedSums(moved.slice(0, half))) {
    // Signs are symmetric: as many sums lie at or below the negative limit.
    extreme += others.length - firstIndex(others.length, (index) => (others[index] as number) >= limit - sum);
  }
  const all = 2 ** moved.length;
  const sides = alternative === "two-sided" ? 2 : 1;
  return { p: Math.min(1, (sides * extreme) / all), isExact: true };
}

/** The sums of all sign flips. */
function signedSums(values: readonly number[]): Float64Array {
  let sums = Float64Array.of(0);
  for (const value of values) {
    const next = new Float64Array(sums.length * 2);
    sums.forEach((sum, index) => {
      next[index] = sum + value;
      next[sums.length + index] = sum - value;
    });
    sums = next;
  }
  return sums;
}

/** A column ready to be flipped: for each eight queries the sums of all their sign patterns. */
class FlippedColumn {
  extreme = 0;
  /** How many words of signs it takes. */
  readonly words: number;
  readonly #sums: Float64Array;
  readonly #limit: number;
  readonly #isTwoSided: boolean;
  readonly #total = new Float64Array(BLOCK);

  constructor(differences: ArrayLike<number>, alternative: Alternative) {
    const { observed, sizes } = observedSum(differences, alternative);
    this.#limit = observed - EQUAL_SHARE * sizes;
    this.#isTwoSided = alternative === "two-sided";
    this.words = Math.ceil(differences.length / WORD);
    this.#sums = new Float64Array(this.words * WORD_SUMS);
    const sign = alternative === "less" ? -1 : 1;
    for (let from = 0; from * PATTERNS < this.#sums.length * GROUP; from += GROUP) {
      const values = Array.from({ length: GROUP }, (_, i) => sign * (differences[from + i] ?? 0));
      this.#sums.set(signedSums(values), (from / GROUP) * PATTERNS);
    }
  }

  /** Adds up a block of flips and counts those as far out. */
  count(signs: readonly Uint32Array[], flips: number): void {
    const total = this.#total.fill(0);
    for (let word = 0; word < this.words; word++)
      addSums(
        total,
        this.#sums.subarray(word * WORD_SUMS, (word + 1) * WORD_SUMS),
        signs[word] as Uint32Array,
        flips,
      );
    const limit = this.#limit;
    for (let flip = 0; flip < flips; flip++) {
      const sum = total[flip] as number;
      if (sum >= limit || (this.#isTwoSided && sum <= -limit)) this.extreme++;
    }
  }
}

/** Adds what 32 queries come to under each flip: four sums of eight. */
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
 * Draws signs, a block of flips at a time, and shows them to all columns. Each 32 queries have their own
 * stream: further queries change no draw.
 */
function flipAll(columns: readonly FlippedColumn[], permutations: number, seed: number): void {
  const words = columns.reduce((most, column) => Math.max(most, column.words), 0);
  const streams = Array.from({ length: words }, (_, word) =>
    seededWords(Math.imul(seed, STREAM_STEP) + word),
  );
  const signs = streams.map(() => new Uint32Array(BLOCK));
  for (let done = 0; done < permutations; done += BLOCK) {
    streams.forEach((fill, word) => fill(signs[word] as Uint32Array));
    for (const column of columns) column.count(signs, Math.min(BLOCK, permutations - done));
  }
}
