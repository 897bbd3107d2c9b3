import { AdapterError, quote } from "../foundation/errors/index.js";
import type { SearchHit } from "../records/index.js";

/**
 * What a retriever returned, each chunk once, as the contract of retrievers says: a copy must not count
 * twice.
 *
 * @param who returned it, for errors.
 * @throws AdapterError `RETRIEVER_FAILED` for what is no list of hits.
 */
export function checkHits(hits: unknown, who = "search"): SearchHit[] {
  if (!Array.isArray(hits))
    throw new AdapterError("RETRIEVER_FAILED", `${who} must return a list of hits, got ${quote(hits)}`);
  const known = new Map<string, SearchHit>();
  // A hole in the list is a hit, too.
  Array.from(hits as (Partial<SearchHit> | null)[]).forEach((hit, index) => {
    if (typeof hit?.chunk_id !== "string" || typeof hit.doc_id !== "string")
      throw new AdapterError(
        "RETRIEVER_FAILED",
        `${who} must return hits with chunk_id and doc_id, got ${quote(hit)} at rank ${index + 1}`,
      );
    if (!known.has(hit.chunk_id)) known.set(hit.chunk_id, hit as SearchHit);
  });
  return [...known.values()];
}
