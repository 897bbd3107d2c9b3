import type { TextChunk } from "../chunk/index.js";
import { AdapterError, InputError, quote } from "../foundation/errors/index.js";
import {
  CheckedVectors,
  type EmbeddingProvider,
  type EmbedOptions,
  type Retriever,
  type SearchHit,
  type SearchOptions,
} from "../records/index.js";
import { checkLimit, searchOptions } from "../foundation/checks/index.js";
import { indexChunks, type IndexedChunk } from "./index-chunks.js";
import { packIndex, unpackIndex } from "./packed-index.js";
import { VectorMatrix } from "./vector-matrix.js";

/** `RPEX` and a version. */
const FORMAT = "RPEX1";

/**
 * Embedding search over chunks in memory: the cosine of the question's vector with every chunk's, exactly,
 * without an approximate index. 4 bytes for each number: 100,000 chunks of 384 dimensions take 154 MB. Equal
 * scores stand in the order of the chunks.
 *
 * @param provider embeds the chunks now, the title before the text, and each question later.
 * @throws InputError `ARGUMENT` for duplicated chunk ids; AdapterError `EMBEDDING_ANSWER` for vectors
 * that do not fit; what the provider throws.
 */
export async function embeddingIndex(
  chunks: Iterable<TextChunk>,
  provider: EmbeddingProvider,
  options: Omit<EmbedOptions, "kind"> = {},
): Promise<EmbeddingIndex> {
  const texts: string[] = [];
  const kept = indexChunks(chunks, ({ title = "", text }) =>
    texts.push(title === "" ? text : `${title}\n${text}`),
  );
  const vectors = await embedTexts(texts, provider, { ...options, kind: "document" });
  const dimensions = vectors.find(({ length }) => length > 0)?.length ?? 0;
  if (dimensions === 0 && kept.length > 0)
    throw new AdapterError(
      "EMBEDDING_ANSWER",
      `${provider.model} returned no vector with numbers in it: all texts are blank`,
    );
  const matrix = new VectorMatrix(kept, dimensions);
  vectors.forEach((vector, row) => matrix.set(row, vector));
  return new EmbeddingIndex(matrix, provider);
}

async function embedTexts(
  texts: readonly string[],
  provider: EmbeddingProvider,
  options: EmbedOptions,
): Promise<readonly Float32Array[]> {
  const vectors = await provider.embed(texts, options);
  return new CheckedVectors(provider.model).from(vectors, texts.length, (at) => texts[at]?.trim() === "");
}

/** Made by {@link embeddingIndex}; can be stored and loaded. */
export class EmbeddingIndex implements Retriever {
  readonly #matrix: VectorMatrix;
  readonly #provider: EmbeddingProvider;

  /** @internal */
  constructor(matrix: VectorMatrix, provider: EmbeddingProvider) {
    this.#matrix = matrix;
    this.#provider = provider;
  }

  /** How many chunks there are. */
  get size(): number {
    return this.#matrix.chunks.length;
  }

  /** How many numbers a vector has. */
  get dimensions(): number {
    return this.#matrix.dimensions;
  }

  /** The nearest chunks to one question, best first. */
  async search(query: string, options: SearchOptions): Promise<SearchHit[]> {
    const [hits = []] = await this.searchAll([query], options);
    return hits;
  }

  /**
   * Hits of many questions, which are embedded together: the provider decides in how many requests. The same
   * hits as one by one.
   */
  async searchAll(queries: readonly string[], options: SearchOptions): Promise<SearchHit[][]> {
    const { limit, signal } = searchOptions(options);
    checkLimit(limit);
    const { dimensions, size } = this;
    const embedded = await embedTexts(queries, this.#provider, { kind: "query", signal });
    // A blank question has no direction.
    const vectors = embedded.map((vector) => (vector.length === 0 ? new Float32Array(dimensions) : vector));
    const other = vectors.find(({ length }) => size > 0 && length !== dimensions);
    if (other !== undefined)
      throw new AdapterError(
        "EMBEDDING_ANSWER",
        `${this.#provider.model} must embed questions as it embedded the chunks, in ${dimensions} ` +
          `numbers, got ${other.length}; build the index again with this model`,
      );
    return this.#matrix.nearest(vectors, limit);
  }

  /** The index as bytes, for {@link loadEmbeddingIndex}. */
  toBytes(): Uint8Array {
    const { dimensions, chunks, numbers } = this.#matrix;
    return packIndex(FORMAT, { identity: this.#provider.identity, dimensions, chunks }, [numbers]);
  }
}

/**
 * Reads what {@link EmbeddingIndex.toBytes} wrote.
 *
 * @param provider the one that the index was made with; it embeds the questions.
 * @throws InputError `INDEX_SHAPE` for bytes that are damaged, or of another version or provider.
 */
export function loadEmbeddingIndex(bytes: Uint8Array, provider: EmbeddingProvider): EmbeddingIndex {
  const { head, arrays } = unpackIndex<{ identity: string; dimensions: number; chunks: IndexedChunk[] }>(
    FORMAT,
    bytes,
    [Float32Array],
  );
  if (head.identity !== provider.identity)
    throw new InputError(
      "INDEX_SHAPE",
      `the index was made with ${quote(head.identity)}, got the provider ` +
        `${quote(provider.identity)}; give the same one`,
    );
  return new EmbeddingIndex(
    new VectorMatrix(head.chunks, head.dimensions, arrays[0] as Float32Array<ArrayBuffer>),
    provider,
  );
}
