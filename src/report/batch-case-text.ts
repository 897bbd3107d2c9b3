import { oneLine } from "../foundation/text/index.js";
import type { BatchQuery, RunReport } from "../records/index.js";
import { caseFacts, printRelevance } from "./batch-rows.js";
import { formatScoreOf } from "./printed-statistics.js";
import { columns, plain, type TextOptions } from "./text.js";

const MOST_OF_SCORECARD = 9;
const FIRST = 10;

/** One query of a batch for a terminal: its scores, labels in order, first hits, and what is missing. */
export function renderBatchCaseText(
  query: BatchQuery,
  { metrics }: Pick<RunReport, "metrics">,
  { paint = plain }: TextOptions = {},
): string {
  const [head = "", ...hits] = columns(
    ["rank", "label", "item", "score", "title"],
    query.top_results
      .slice(0, FIRST)
      .map(({ rank, label, id, title, relevance_score }) => [
        String(rank),
        label === null ? "L?" : `L${label}`,
        oneLine(id),
        printRelevance(relevance_score),
        oneLine(title ?? ""),
      ]),
  );
  const scores = columns(
    ["metric", "score"],
    metrics
      .slice(0, MOST_OF_SCORECARD)
      .map(({ metric }, at) => [oneLine(metric), formatScoreOf(query.scores[0]?.[at] ?? null)]),
  );
  const blocks = [
    [
      [...new Set([query.query_id, query.query ?? ""])]
        .map((name) => paint(oneLine(name), "strong"))
        .join("  "),
    ],
    scores,
    hits.length === 0 ? [] : [paint(head, "quiet"), ...hits],
    caseFacts(query).map(([name, text]) => `${paint(`${name}:`, "quiet")} ${text}`),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.map((line) => line.trimEnd()).join("\n"))
    .join("\n\n")}\n`;
}
