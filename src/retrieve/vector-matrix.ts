import type { SearchHit } from "../schema/index.js";
import { hitOf, type IndexedChunk } from "./indexed-chunks.js";
import { TopHits } from "./top-hits.js";

/** Rows that serve all questions while they are in the processor's cache. */
const BLOCK = 64;

/** Vectors of chunks at length 1, one after the other, and the exact search among them. */
export class VectorMatrix {
  readonly dimensions: number;
  readonly chunks: readonly IndexedChunk[];
  readonly numbers: Float32Array<ArrayBuffer>;

  /** @param numbers as many rows as there are chunks, each of length 1, or all NaN. */
  constructor(chunks: readonly IndexedChunk[], dimensions: number, numbers = new Float32Array(chunks.length * dimensions)) {
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
    for (let first = 0; first < this.chunks.length; first += BLOCK) {
      const last = Math.min(first + BLOCK, this.chunks.length);
      vectors.forEach((vector, at) => {
        const top = tops[at] as TopHits;
        for (let row = first; row < last; row++) top.offer(row, dotProduct(this.numbers, row * this.dimensions, vector));
      });
    }
    return tops.map((top) => top.ranked().map(({ item, score }, index) => hitOf(this.chunks[item] as IndexedChunk, index + 1, score)));
  }
}

/** A vector at length 1. One without a length becomes NaN, as 0 / 0 is: it has no cosine with anything, so it is never found and finds nothing. */
function unitVector(vector: ArrayLike<number>): Float64Array {
  const unit = Float64Array.from(vector);
  const length = Math.sqrt(unit.reduce((sum, number) => sum + number * number, 0));
  return unit.map((number) => number / length);
}

/** In double precision, with four sums side by side: one would have the processor wait for each addition. */
function dotProduct(matrix: Float32Array, start: number, vector: Float64Array): number {
  const { length } = vector;
  let [a, b, c, d] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < length; i += 4) {
    a += (matrix[start + i] as number) * (vector[i] as number);
    b += (matrix[start + i + 1] as number) * (vector[i + 1] as number);
    c += (matrix[start + i + 2] as number) * (vector[i + 2] as number);
    d += (matrix[start + i + 3] as number) * (vector[i + 3] as number);
  }
  for (; i < length; i++) a += (matrix[start + i] as number) * (vector[i] as number);
  return a + b + (c + d);
}
