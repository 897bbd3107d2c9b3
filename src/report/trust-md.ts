import type { CorrectedScore, LabelTrust } from "../records/index.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownTable } from "./markdown-table.js";
import { listCorrectedHeads, listCorrectedRows, poolLine, trustLines, trustTitle } from "./trust-rows.js";

/** Whose labels a result rests on, and what to do. */
export function trustMd(trust: LabelTrust): string {
  const lines = [...trustLines(trust), ...poolLine(trust)];
  return `**${trustTitle(trust)}.** ${lines.map(escapeSentence).join(" ")}`;
}

/** What people's labels make of scores. */
export function renderCorrectedMd(
  scores: readonly CorrectedScore[],
  confidence: number,
  printed?: (value: number) => string,
): string {
  return markdownTable(
    listCorrectedHeads(confidence),
    "lrrrrr",
    listCorrectedRows(scores, printed).map(([metric = "", ...cells]) => [escapeMarkdown(metric), ...cells]),
  );
}
