import type { FusionTuning } from "../records/index.js";
import { checkKind } from "./check-kind.js";
import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks } from "./markdown-table.js";
import { sectionMd } from "./report-section.js";
import { tuningSections, tuningSummary, tuningTitle } from "./tuning-rows.js";

/** How a search is written. */
export interface TuningMdOptions {
  /** Most queries that are listed. Default 50; what is left out is counted. */
  readonly maxRows?: number | undefined;
}

const MOST_ROWS = 50;

/** A search for a way to fuse runs as a Markdown document. Text from data cannot break it. */
export function renderTuningMd(tuning: FusionTuning, { maxRows = MOST_ROWS }: TuningMdOptions = {}): string {
  checkKind(tuning, "fusion_tuning", "tuneFusion");
  const [verdict = "", ...sentences] = tuningSummary(tuning);
  const document = markdownBlocks(
    `# ${escapeMarkdown(tuningTitle(tuning))}`,
    `**${escapeSentence(verdict)}**`,
    sentences.map((sentence) => `- ${escapeSentence(sentence)}`).join("\n"),
    ...tuningSections(tuning, { maxRows }).map(sectionMd),
  );
  return `${document}\n`;
}
