import { quote } from "../foundation/errors/index.js";
import { countOf } from "../foundation/numbers/index.js";
import type { GivenWarning, SearchHit } from "../records/index.js";
import type { RecordOptions } from "./record-options.js";
import { recordQuery } from "./record-query.js";
import type { Recording } from "./recording.js";

/**
 * Whether the search of an interrupted recording is still the one that began it: the configuration and the
 * commit say nothing of another index behind the same address. One query that was answered is asked again.
 *
 * @returns a warning where it finds other hits by now, or in another order; null where it finds the same, and
 * where there is nothing to compare.
 */
export async function findChangedSearch(
  { waiting, kept, sample }: Recording,
  options: RecordOptions,
): Promise<GivenWarning | null> {
  if (waiting.length === 0 || sample === undefined) return null;
  const { query, result } = sample;
  const again = await recordQuery(
    query,
    { ...options, answer: undefined },
    new AbortController().signal,
    () => undefined,
  );
  if (again === null || again.error !== null) return null;
  if (serializeHits(again.hits_top_k) === serializeHits(result.hits_top_k)) return null;
  return {
    code: "RUN_OF_TWO_STATES",
    message:
      `${quote(options.runId)} goes on with ${countOf(kept, "result")}, but the search has changed since: ` +
      `query ${quote(query.id)}, asked again, finds other hits, or in another order. Record it anew, ` +
      "unless the search never answers twice alike",
    count: kept,
  };
}

/** Scores may differ in their last digits. */
function serializeHits(hits: readonly SearchHit[]): string {
  return JSON.stringify(
    hits.map(({ doc_id, chunk_id, chunker_version }) => [doc_id, chunk_id, chunker_version]),
  );
}
