import type { TextChunk } from "../chunk/index.js";
import { AdapterError, InputError, shown } from "../errors.js";
import type { SearchHit } from "../schema/index.js";
import type { EmbeddingProvider, EmbedOptions } from "./embedding-provider.js";
import { checkedLimit, hitOf, indexedChunks, type IndexedChunk } from "./indexed-chunks.js";
import { packed, unpacked } from "./packed-index.js";
import type { Retriever, SearchOptions } from "./retriever.js";
import { TopHits } from "./top-hits.js";

/** `RPEX` and a version. */
const FORMAT = "RPEX1";

/**
 * Embedding search over chunks in memory: the cosine of the question's vector with every chunk's, exactly, without an approximate index.
 * 4 bytes for each number: 100,000 chunks of 384 dimensions take 154 MB. Equal scores stand in the order of the chunks.
 *
 * @param provider embeds the chunks now, the title before the text, and each question later.
 * @throws InputError `ARGUMENT` for chunk ids that stand twice; AdapterError `EMBEDDING_ANSWER` for vectors that do not fit; what the provider throws.
 */
export async function embeddingIndex(chunks: Iterable<TextChunk>, provider: EmbeddingProvider, options: Omit<EmbedOptions, "kind"> = {}): Promise<EmbeddingIndex> {
  const texts: string[] = [];
  const kept = indexedChunks(chunks, ({ title = "", text }) => texts.push(title === "" ? text : `${title}\n${text}`));
  const vectors = await embedded(texts, provider, { ...options, kind: "document" });
  const dimensions = vectors[0]?.length ?? 0;
  const matrix = new Float32Array(kept.length * dimensions);
  vectors.forEach((vector, row) => {
    if (vector.length !== dimensions || dimensions === 0) throw new AdapterError("EMBEDDING_ANSWER", `${provider.model} must return vectors of one length above 0, got ${vector.length} numbers for chunk ${shown(kept[row]?.chunk_id)}, ${dimensions} for the first`);
    matrix.set(unitVector(vector), row * dimensions);
  });
  return new EmbeddingIndex(kept, matrix, dimensions, provider);
}

async function embedded(texts: readonly string[], provider: EmbeddingProvider, options: EmbedOptions): Promise<readonly Float32Array[]> {
  const vectors = await provider.embed(texts, options);
  if (vectors.length !== texts.length) throw new AdapterError("EMBEDDING_ANSWER", `${provider.model} must return one vector for each text, got ${vectors.length} for ${texts.length}`);
  return vectors;
}

/** Made by {@link embeddingIndex}; can be stored and loaded. */
export class EmbeddingIndex implements Retriever {
  readonly dimensions: number;
  readonly #chunks: readonly IndexedChunk[];
  /** Vectors of unit length, one chunk after the other; all 0 for a chunk that nothing could be embedded of. */
  readonly #matrix: Float32Array;
  readonly #provider: EmbeddingProvider;

  /** @internal */
  constructor(chunks: readonly IndexedChunk[], matrix: Float32Array, dimensions: number, provider: EmbeddingProvider) {
    this.#chunks = chunks;
    this.#matrix = matrix;
    this.dimensions = dimensions;
    this.#provider = provider;
  }

  /** How many chunks there are. */
  get size(): number {
    return this.#chunks.length;
  }

  async search(query: string, options: SearchOptions): Promise<SearchHit[]> {
    const [hits = []] = await this.searchAll([query], options);
    return hits;
  }

  /** Hits of many questions, which are embedded together: the provider decides in how many requests. The same hits as one by one. */
  async searchAll(queries: readonly string[], { limit, signal }: SearchOptions): Promise<SearchHit[][]> {
    checkedLimit(limit);
    const vectors = await embedded(queries, this.#provider, { kind: "query", signal });
    return this.#nearest(vectors.map((vector) => this.#checked(vector)), limit).map((top) => top.ranked().map(({ item, score }, index) => hitOf(this.#chunks[item] as IndexedChunk, index + 1, score)));
  }

  #checked(vector: Float32Array): Float32Array {
    if (this.size > 0 && vector.length !== this.dimensions) throw new AdapterError("EMBEDDING_ANSWER", `${this.#provider.model} must embed questions as it embedded the chunks, in ${this.dimensions} numbers, got ${vector.length}; build the index again with this model`);
    return unitVector(vector);
  }

  /** By question the nearest rows. A block of rows serves all questions while it is in the processor's cache. */
  #nearest(queries: readonly Float32Array[], limit: number): TopHits[] {
    const tops = queries.map(() => new TopHits(Math.min(limit, this.size)));
    const scores = new Float64Array(BLOCK);
    for (let first = 0; first < this.size; first += BLOCK) {
      const count = Math.min(BLOCK, this.size - first);
      queries.forEach((query, at) => {
        const top = tops[at] as TopHits;
        dotProducts(this.#matrix, first, count, query, scores);
        for (let index = 0; index < count; index++) top.offer(first + index, scores[index] as number);
      });
    }
    return tops;
  }

  /** The index as bytes, for {@link loadEmbeddingIndex}. */
  toBytes(): Uint8Array {
    return packed(FORMAT, { identity: this.#provider.identity, dimensions: this.dimensions, chunks: this.#chunks }, [this.#matrix]);
  }
}

const BLOCK = 64;

/** A vector at length 1. One without a length becomes NaN, as 0 / 0 is: it has no cosine with anything, so it is never found and finds nothing. */
function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dotProduct(vector, 0, vector));
  return vector.map((number) => number / length);
}

/** The products of rows of a matrix with a vector, in double precision. */
function dotProducts(matrix: Float32Array, first: number, count: number, vector: Float32Array, products: Float64Array): void {
  const { length } = vector;
  let index = 0;
  for (; index + 3 < count; index += 4) fourDotProducts(matrix, (first + index) * length, vector, products, index);
  for (; index < count; index++) products[index] = dotProduct(matrix, (first + index) * length, vector);
}

/** Of four rows side by side, because a single sum has the processor wait for each addition. Added in the order of {@link dotProduct}, to the same bits. */
function fourDotProducts(matrix: Float32Array, start: number, vector: Float32Array, products: Float64Array, index: number): void {
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

function dotProduct(matrix: Float32Array, start: number, vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (matrix[start + i] as number) * (vector[i] as number);
  return sum;
}

/**
 * Reads what {@link EmbeddingIndex.toBytes} wrote.
 *
 * @param provider the one that the index was made with; it embeds the questions.
 * @throws InputError `INDEX_SHAPE` for bytes that are damaged, or of another version or provider.
 */
export function loadEmbeddingIndex(bytes: Uint8Array, provider: EmbeddingProvider): EmbeddingIndex {
  const { head, arrays } = unpacked<{ identity: string; dimensions: number; chunks: IndexedChunk[] }>(FORMAT, bytes, [Float32Array]);
  if (head.identity !== provider.identity) throw new InputError("INDEX_SHAPE", `the index was made with ${shown(head.identity)}, got the provider ${shown(provider.identity)}; give the same one`);
  return new EmbeddingIndex(head.chunks, arrays[0] as Float32Array, head.dimensions, provider);
}
