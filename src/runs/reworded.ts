import { goldenQueries, type EvalRun, type Golden } from "../records/index.js";

/** White space and the way in which accents are written do not make another question. */
const plain = (text: string): string => text.normalize("NFC").replace(/\s+/g, " ").trim();

/**
 * The golden queries that were worded otherwise when a run was recorded, in golden order: what it found
 * answers other words, and is scored all the same. Results without the text that was asked say nothing.
 */
export function listReworded({ results }: Pick<EvalRun, "results">, golden: Golden): string[] {
  const asked = new Map(results.map(({ query_id, query }) => [query_id, query ?? null]));
  return goldenQueries(golden)
    .filter(({ id, query }) => plain(asked.get(id) ?? query) !== plain(query))
    .map(({ id }) => id);
}
