import type { SearchHit } from "../records/index.js";
import { hitOf, type IndexedChunk } from "./index-chunks.js";
import { TopHits } from "./top-hits.js";

/** Rows that serve all questions while they are in the processor's cache. */
const BLOCK = 64;

/** Vectors of chunks at length 1, one after the other, and the exact search among them. */
export class VectorMatrix {
  readonly dimensions: number;
  readonly chunks: readonly IndexedChunk[];
  readonly numbers: Float32Array;

  /** @param numbers as many rows as there are chunks, each of length 1, or all NaN. */
  constructor(
    chunks: readonly IndexedChunk[],
    dimensions: number,
    numbers: Float32Array = new Float32Array(chunks.length * dimensions),
  ) {
    this.chunks = chunks;
    this.dimensions = dimensions;
    this.numbers = numbers;
  }

  set(row: number, vector: ArrayLike<number>): void {
    this.numbers.set(unitVector(vector), row * this.dimensions);
  }

  /** By question the chunks of highest cosine; equal ones in the order of the chunks. */
  nearest(questions: readonly ArrayLike<number>[], limit: number): SearchHit[][] {
    const vectors = questions.map(unitVector);
    const tops = vectors.map(() => new TopHits(Math.min(limit, this.chunks.length)));
    const cosines = new Float64Array(BLOCK);
    for (let first = 0; first < this.chunks.length; first += BLOCK) {
      const count = Math.min(BLOCK, this.chunks.length - first);
      vectors.forEach((vector, at) => {
        const top = tops[at] as TopHits;
        dotProducts(this.numbers, first, count, vector, cosines);
        for (let index = 0; index < count; index++) top.offer(first + index, cosines[index] as number);
      });
    }
    return tops.map((top) =>
      top.rank().map(({ item, score }, index) => hitOf(this.chunks[item] as IndexedChunk, index + 1, score)),
    );
  }
}

/**
 * A vector at length 1. One without a length becomes NaN, as 0 / 0 is: it has no cosine with anything, so it
 * is never found and finds nothing.
 */
function unitVector(vector: ArrayLike<number>): Float64Array {
  const numbers = Float64Array.from(vector);
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  // Squares of very large and very small numbers are out of range. A power of two changes no digit.
  const scale = 2 ** Math.floor(Math.log2(largest));
  const scaled = numbers.map((number) => number / scale);
  const length = Math.sqrt(scaled.reduce((sum, number) => sum + number * number, 0));
  return scaled.map((number) => number / length);
}

/** The products of rows of a matrix with a vector, in double precision. */
function dotProducts(
  matrix: Float32Array,
  first: number,
  count: number,
  vector: Float64Array,
  products: Float64Array,
): void {
  const { length } = vector;
  let index = 0;
  for (; index + 3 < count; index += 4)
    fourDotProducts(matrix, (first + index) * length, vector, products, index);
  for (; index < count; index++) products[index] = dotProduct(matrix, (first + index) * length, vector);
}

/**
 * Of four rows side by side, because a single sum has the processor wait for each addition. Added in the
 * order of {@link dotProduct}, to the same bits.
 */
function fourDotProducts(
  matrix: Float32Array,
  start: number,
  vector: Float64Array,
  products: Float64Array,
  index: number,
): void {
  const { length } = vector;
  const second = start + length;
  const third = second + length;
  const fourth = third + length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < length; i++) {
    const number = vector[i] as number;
    a += (matrix[start + i] as number) * number;
    b += (matrix[second + i] as number) * number;
    c += (matrix[third + i] as number) * number;
    d += (matrix[fourth + i] as number) * number;
  }
  products[index] = a;
  products[index + 1] = b;
  products[index + 2] = c;
  products[index + 3] = d;
}

function dotProduct(matrix: Float32Array, start: number, vector: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (matrix[start + i] as number) * (vector[i] as number);
  return sum;
}
