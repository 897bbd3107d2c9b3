import { countOf } from "../../foundation/numbers/index.js";
import { tuningContent, type AnyTuning } from "../tuning-content.js";
import { CURVE_ID } from "../tuning-rows.js";
import { curvePlot } from "./curve-plot.js";
import { bdi, nothing } from "./markup.js";
import { comparisonSource, pageData } from "./page-data.js";
import { pageFrame, type PageSection } from "./page-frame.js";
import { partSection, summarySection } from "./part-section.js";

/** How the HTML page of a search is headed. */
export interface TuningHtmlOptions {
  /** Default: what was tuned, and for what. */
  readonly title?: string | undefined;
  /** When the page was made, as it is to be printed. Without it no time is. */
  readonly generatedAt?: string | undefined;
}

const MOST_ROWS = 100;

/**
 * A search for a better setting as one HTML file for people, with the whole curve of weights. It asks the
 * network for nothing, opens from disk, and is the same bytes for the same search. Text from data is shown
 * and does nothing.
 */
export function renderTuningHtml(tuning: AnyTuning, options: TuningHtmlOptions = {}): string {
  const { title = tuningContent(tuning, MOST_ROWS).title, generatedAt } = options;
  return pageFrame({
    title,
    heading: bdi(title),
    facts: [countOf(tuning.queries, "query")],
    generatedAt,
    warnings: 0,
    sections: tuningPageSections(tuning),
    // The page has no queries to look into; its script has a theme and keys all the same.
    data: pageData(comparisonSource(null, null)).data,
  });
}

/** The sections of {@link renderTuningHtml}, for pages that have a frame of their own. */
export function tuningPageSections(tuning: AnyTuning): readonly PageSection[] {
  const content = tuningContent(tuning, MOST_ROWS);
  return [
    ["summary", "Summary", summarySection(content.summary)],
    ...content.sections.map((part): PageSection => [
      part.id,
      part.title,
      partSection(
        part,
        part.id === CURVE_ID && tuning.kind === "fusion_tuning" ? curvePlot(tuning) : nothing,
      ),
    ]),
  ];
}
