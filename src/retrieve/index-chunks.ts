import type { TextChunk } from "../chunk/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { SearchHit } from "../records/index.js";

/** What an index keeps of a chunk besides what it is found by. */
export type IndexedChunk = Pick<TextChunk, "chunk_id" | "doc_id" | "source_spans">;

/** @throws InputError `ARGUMENT` for a chunk that is no chunk, or an id that is duplicated. */
export function indexChunks(chunks: Iterable<TextChunk>, each: (chunk: TextChunk) => void): IndexedChunk[] {
  const known = new Set<string>();
  const kept: IndexedChunk[] = [];
  for (const chunk of chunks) {
    if (!isChunk(chunk))
      throw new InputError(
        "ARGUMENT",
        `chunks[${kept.length}] must have chunk_id, doc_id and text, got ${quote(chunk)}`,
      );
    const { chunk_id, doc_id, source_spans } = chunk;
    if (known.has(chunk_id))
      throw new InputError(
        "ARGUMENT",
        `chunks[${kept.length}]: chunk_id ${quote(chunk_id)} is duplicated; every chunk needs an id ` +
          "of its own",
      );
    known.add(chunk_id);
    kept.push({ chunk_id, doc_id, ...(source_spans !== undefined && { source_spans }) });
    each(chunk);
  }
  return kept;
}

function isChunk(chunk: unknown): boolean {
  const { chunk_id, doc_id, text } = (chunk ?? {}) as Record<keyof TextChunk, unknown>;
  return typeof chunk_id === "string" && typeof doc_id === "string" && typeof text === "string";
}

/** A chunk as a hit. */
export function hitOf(
  { chunk_id, doc_id, source_spans }: IndexedChunk,
  rank: number,
  score: number,
): SearchHit {
  return {
    rank,
    chunk_id,
    doc_id,
    score,
    ...(source_spans !== undefined && { source_spans: [...source_spans] }),
  };
}
