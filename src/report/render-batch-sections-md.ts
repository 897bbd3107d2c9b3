import { formatScoreOf } from "./printed-statistics.js";
import type { BatchQuery, BatchReport } from "../records/index.js";
import { caseFacts, labelLines, printRelevance, worstFirst } from "./batch-rows.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks, markdownTable } from "./markdown-table.js";
import { renderCorrectedMd, trustMd } from "./trust-md.js";
import { moreRows } from "./more-rows.js";

const FIRST = 5;
const LEGEND =
  "L3 is Fully Relevant, L2 Mostly, L1 Weakly, L0 Irrelevant, L? without a label; *not there* is " +
  "said of an item that a stage of the search does not list.";

/** Whose labels the scores of a batch rest on, and what people's make of them. */
export function labelsMd(report: BatchReport): string {
  const { trust, corrected, settings } = report;
  return markdownBlocks(
    "## Labels",
    trustMd(trust),
    labelLines(report)
      .map((line) => `- ${escapeSentence(line)}`)
      .join("\n"),
    corrected === null ? "" : renderCorrectedMd(corrected, settings.confidence),
  );
}

/** Its queries, the worst first: labels in order, the first hits, what is missing, what to do. */
export function casesMd(report: BatchReport, maxRows: number): string {
  const queries = worstFirst(report);
  if (queries.length === 0) return "";
  return markdownBlocks(
    "## Queries, the worst first",
    LEGEND,
    ...queries.slice(0, maxRows).map((query) => caseMd(query, report)),
    moreRows(queries.length - maxRows),
  );
}

/** Labels in order have nothing to escape, and are read as they are. */
function factMd(text: string): string {
  return /^[\d:L?| ]+$/.test(text) ? `\`${text}\`` : escapeSentence(text);
}

function caseMd(query: BatchQuery, { metrics, primary }: BatchReport): string {
  const score = query.scores[0]?.[metrics.findIndex(({ metric }) => metric === primary)];
  const title = query.query === null ? query.query_id : `${query.query_id}: ${query.query}`;
  return markdownBlocks(
    `### ${escapeMarkdown(title)}`,
    [
      `- ${escapeMarkdown(primary ?? "score")}: ${formatScoreOf(score)}`,
      ...caseFacts(query).map(([name, text]) => `- ${name}: ${factMd(text)}`),
    ].join("\n"),
    query.top_results.length === 0
      ? ""
      : markdownTable(
          ["rank", "label", "item", "title", "score"],
          "rrllr",
          query.top_results
            .slice(0, FIRST)
            .map(({ rank, label, id, title: name, relevance_score }) => [
              String(rank),
              label === null ? "?" : String(label),
              escapeMarkdown(id),
              escapeMarkdown(name ?? ""),
              printRelevance(relevance_score),
            ]),
        ),
  );
}
