import { checkResult } from "./check-result.js";
import { escapeJson } from "../foundation/text/index.js";
import type { ScoreComparison } from "../records/index.js";

/**
 * The queries of a comparison as JSONL, one a line: id, words, labels, what each run scored and ranked, and
 * what became of the relevant items. Runs and metrics stand by name, so that a line can be read without the
 * others.
 */
export function renderComparisonJsonl(comparison: ScoreComparison): string {
  checkResult(comparison, ["comparison"], "what compareSystems or another comparison of several returned");
  const { runs, metrics, per_query } = comparison;
  return per_query
    .map(({ query_id, query, labels, scores, rankings, expected }) => {
      const ofRuns = runs.map(({ run }, index) => ({
        run,
        // Object.fromEntries defines own properties, so a metric may be called anything.
        scores: Object.fromEntries(
          metrics.map((metric, column) => [metric, scores[index]?.[column] ?? null]),
        ),
        ranking: rankings?.[index] ?? null,
      }));
      const fates =
        expected?.map(({ id, grade, runs: ofItem }) => ({
          id,
          grade,
          runs: ofItem.map((fate, index) => ({ run: runs[index]?.run ?? null, ...fate })),
        })) ?? null;
      return `${oneRecord({ query_id, query, labels, runs: ofRuns, expected: fates })}\n`;
    })
    .join("");
}

/** JSON without the characters that readers other than JSON's own take for the end of a line. */
function oneRecord(record: unknown): string {
  return escapeJson(record, /[\u0085\u2028\u2029]/g);
}
