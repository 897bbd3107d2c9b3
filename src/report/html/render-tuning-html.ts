import type { FusionTuning } from "../../records/index.js";
import { checkKind } from "../check-kind.js";
import { CURVE_ID, tuningSections, tuningSummary, tuningTitle } from "../tuning-rows.js";
import { curvePlot } from "./curve-plot.js";
import { named, nothing } from "./markup.js";
import { comparisonSource, pageData } from "./page-data.js";
import { pageFrame, type PageSection } from "./page-frame.js";
import { partSection, summarySection } from "./part-section.js";
import { counted } from "./printed-numbers.js";

/** How the HTML page of a search is headed. */
export interface TuningHtmlOptions {
  /** Default: runs and metric. */
  readonly title?: string | undefined;
  /** When the page was made, as it is to be printed. Without it no time is. */
  readonly generatedAt?: string | undefined;
}

const MOST_ROWS = 100;

/**
 * A search for a way to fuse runs as one HTML file for people, with the whole curve. It asks the network for
 * nothing, opens from disk, and is the same bytes for the same search. Text from data is shown and does
 * nothing.
 */
export function renderTuningHtml(tuning: FusionTuning, options: TuningHtmlOptions = {}): string {
  checkKind(tuning, "fusion_tuning", "tuneFusion");
  const { title = tuningTitle(tuning), generatedAt } = options;
  const parts = tuningSections(tuning, { maxRows: MOST_ROWS });
  const sections: readonly PageSection[] = [
    ["summary", "Summary", summarySection(tuningSummary(tuning))],
    ...parts.map((part): PageSection => [
      part.id,
      part.title,
      partSection(part, part.id === CURVE_ID ? curvePlot(tuning) : nothing),
    ]),
  ];
  return pageFrame({
    title,
    heading: named(title),
    facts: [counted(tuning.queries, "query", "queries")],
    generatedAt,
    warnings: 0,
    sections,
    // The page has no queries to look into; its script has a theme and keys all the same.
    data: pageData(comparisonSource(null, null)).data,
  });
}
