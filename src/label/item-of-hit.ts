import type { BackendHit, LabelItem } from "../records/index.js";

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
