import type { SearchHit } from "../../records/index.js";

const IDS = ["chunk_id", "doc_id", "id"] as const;

/**
 * Hits as systems return them: an id by itself, or an object with one id of the two that a hit has. What has
 * no id at all stays as it is, for the check that says what is right.
 */
export function looseHits(hits: unknown): readonly SearchHit[] {
  return (Array.isArray(hits) ? hits.map(looseHit) : hits) as readonly SearchHit[];
}

function looseHit(hit: unknown): unknown {
  if (typeof hit === "string") return { chunk_id: hit, doc_id: hit };
  if (typeof hit !== "object" || hit === null) return hit;
  const fields = hit as Readonly<Record<string, unknown>>;
  const id = IDS.map((name) => fields[name]).find((value) => value != null);
  return id === undefined
    ? hit
    : { ...hit, chunk_id: fields["chunk_id"] ?? id, doc_id: fields["doc_id"] ?? id };
}
