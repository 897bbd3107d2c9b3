import { escapeMarkdown, escapeSentence } from "./escape-markdown.js";
import { markdownBlocks } from "./markdown-table.js";
import { sectionMd } from "./report-section.js";
import { tuningContent, type AnyTuning } from "./tuning-content.js";

/** How a search is written. */
export interface TuningMdOptions {
  /** Most queries that are listed. Default 50; what is left out is counted. */
  readonly maxRows?: number | undefined;
}

const MOST_ROWS = 50;

/** A search for a better setting as a Markdown document. Text from data cannot break it. */
export function renderTuningMd(tuning: AnyTuning, { maxRows = MOST_ROWS }: TuningMdOptions = {}): string {
  const { title, summary, sections } = tuningContent(tuning, maxRows);
  const [verdict = "", ...sentences] = summary;
  const document = markdownBlocks(
    `# ${escapeMarkdown(title)}`,
    `**${escapeSentence(verdict)}**`,
    sentences.map((sentence) => `- ${escapeSentence(sentence)}`).join("\n"),
    ...sections.map(sectionMd),
  );
  return `${document}\n`;
}
