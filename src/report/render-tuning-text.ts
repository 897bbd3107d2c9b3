import { oneLine } from "../foundation/text/index.js";
import { sectionText } from "./report-section.js";
import { plain, type TextOptions } from "./text.js";
import { tuningContent, type AnyTuning } from "./tuning-content.js";

const MOST_ROWS = 5;

/** A search for a better setting for a terminal. */
export function renderTuningText(
  tuning: AnyTuning,
  { paint = plain, maxRows = MOST_ROWS }: TextOptions = {},
): string {
  const { title, summary, sections } = tuningContent(tuning, maxRows);
  const colour = { better: "good", not_better: "strong", worse: "bad" } as const;
  const [verdict = "", ...sentences] = summary.map(oneLine);
  const blocks = [
    [paint(oneLine(title), "strong")],
    [paint(verdict, colour[tuning.verdict.kind]), ...sentences],
    ...sections.map((section) => sectionText(section, paint)),
  ];
  return `${blocks.map((block) => block.join("\n")).join("\n\n")}\n`;
}
