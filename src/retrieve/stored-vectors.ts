import type { TextChunk } from "../chunk/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { checkLimit } from "../foundation/checks/index.js";
import { indexChunks } from "./index-chunks.js";
import type { Retriever } from "../records/index.js";
import { VectorMatrix } from "./vector-matrix.js";

/**
 * Embedding search with vectors that were made elsewhere, of chunks and of questions: no model is asked. A
 * question is known by its id; its words are not looked at. Chunks without a vector are never found.
 *
 * @param vectors by chunk id.
 * @param queryVectors by query id.
 * @throws InputError `ARGUMENT` where no chunk has a vector, or where vectors differ in length.
 */
export function storedVectors(
  chunks: Iterable<TextChunk>,
  vectors: ReadonlyMap<string, ArrayLike<number>>,
  queryVectors: ReadonlyMap<string, ArrayLike<number>>,
): Retriever {
  const kept = indexChunks(chunks, () => undefined);
  const known = kept.filter(({ chunk_id }) => vectors.has(chunk_id));
  const dimensions = vectors.get(known[0]?.chunk_id ?? "")?.length;
  if (dimensions === undefined)
    throw new InputError(
      "ARGUMENT",
      `none of the ${kept.length} chunks has a vector; do the ids agree? The first chunk is ` +
        `${quote(kept[0]?.chunk_id)}, the first vector ${quote(vectors.keys().next().value)}`,
    );
  for (const [id, { length }] of [...vectors, ...queryVectors])
    if (length !== dimensions)
      throw new InputError(
        "ARGUMENT",
        `all vectors must have one length, got \`${dimensions}\` numbers for ` +
          `${quote(known[0]?.chunk_id)} and \`${length}\` for ${quote(id)}`,
      );
  const matrix = new VectorMatrix(known, dimensions);
  known.forEach(({ chunk_id }, row) => matrix.set(row, vectors.get(chunk_id) as ArrayLike<number>));
  return {
    search(query, { limit, queryId }) {
      const vector = queryVectors.get(queryId ?? "");
      if (vector === undefined)
        throw new InputError(
          "RETRIEVER_FAILED",
          `there is no vector for the question ${quote(queryId ?? query)}`,
        );
      return matrix.nearest([vector], checkLimit(limit))[0] ?? [];
    },
  };
}
