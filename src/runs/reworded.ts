import { goldenQueries, type EvalRun, type Golden } from "../records/index.js";
import { quote } from "../foundation/errors/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { firstOf } from "../foundation/text/index.js";

/** White space and the way in which accents are written do not make another question. */
const plain = (text: string): string => text.normalize("NFC").replace(/\s+/g, " ").trim();

const MOST_NAMED = 5;

/**
 * Which golden queries were worded otherwise when a run was recorded, in golden order, in a sentence; null
 * for none. What it found answers other words, and is scored all the same.
 */
export function describeReworded(run: Pick<EvalRun, "run_id" | "results">, golden: Golden): string | null {
  const ids = listReworded(run, golden);
  return ids.length === 0
    ? null
    : `${countOf(ids.length, "query")} ${ids.length === 1 ? "was" : "were"} worded otherwise when ` +
        `${run.run_id} was recorded, which answers other words there: ` +
        `${firstOf(ids.map(quote), MOST_NAMED)}; record it again, or give a query that is worded anew an ` +
        "id of its own";
}

/** Results without the text that was asked say nothing. */
function listReworded({ results }: Pick<EvalRun, "results">, golden: Golden): string[] {
  const asked = new Map(results.map(({ query_id, query }) => [query_id, query ?? null]));
  return goldenQueries(golden)
    .filter(({ id, query }) => plain(asked.get(id) ?? query) !== plain(query))
    .map(({ id }) => id);
}
