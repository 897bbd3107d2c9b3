import { oneLine } from "../foundation/text/index.js";
import type { FusionTuning } from "../records/index.js";
import { checkKind } from "./check-kind.js";
import { sectionText } from "./report-section.js";
import { plain, type TextOptions } from "./text.js";
import { tuningSections, tuningSummary, tuningTitle } from "./tuning-rows.js";

const MOST_ROWS = 5;

/** A search for a way to fuse runs for a terminal. */
export function renderTuningText(
  tuning: FusionTuning,
  { paint = plain, maxRows = MOST_ROWS }: TextOptions = {},
): string {
  checkKind(tuning, "fusion_tuning", "tuneFusion");
  const colour = { better: "good", not_better: "strong", worse: "bad" } as const;
  const [verdict = "", ...sentences] = tuningSummary(tuning).map(oneLine);
  const blocks = [
    [paint(oneLine(tuningTitle(tuning)), "strong")],
    [paint(verdict, colour[tuning.verdict.kind]), ...sentences],
    ...tuningSections(tuning, { maxRows }).map((section) => sectionText(section, paint)),
  ];
  return `${blocks.map((block) => block.join("\n")).join("\n\n")}\n`;
}
