import type { BackendHit, LabelItem, SearchHit } from "../records/index.js";

/** The id that labels know a hit by: either of its ids that the corpus has, else that of the chunk. */
export function itemIdOf(
  { chunk_id, doc_id }: Pick<SearchHit, "chunk_id" | "doc_id">,
  corpus: ReadonlyMap<string, LabelItem>,
): string {
  return corpus.has(chunk_id) || !corpus.has(doc_id) ? chunk_id : doc_id;
}

/**
 * What is known of a hit: the corpus's item by either of its ids, else what the search says of it; undefined
 * for nothing.
 */
export function itemOfHit(
  { chunk_id, doc_id, fields }: BackendHit,
  corpus: ReadonlyMap<string, LabelItem>,
): LabelItem | undefined {
  const own = Object.keys(fields ?? {}).length === 0 ? undefined : { id: chunk_id, fields: fields ?? {} };
  return corpus.get(chunk_id) ?? corpus.get(doc_id) ?? own;
}
