import { reportRun } from "../index.js";
import { reportTexts } from "../report/index.js";
import type { AggregateOptions, ReportStatistics } from "../index.js";
import type { TextedRunReport } from "./run-report-outputs.js";
import { scoringOptions, type ScoringFlags, type Sources } from "./sources.js";

/** How one run is scored. */
export interface OneRunFlags extends ScoringFlags {
  readonly match?: "exact" | "doc-span";
}

/** The scoring options of one run. */
export function oneRunOptions({ evidence }: Sources, flags: OneRunFlags): AggregateOptions {
  return {
    ...evidence,
    ...scoringOptions(flags),
    matching: flags.match === "doc-span" ? "docSpan" : "exact",
  };
}

/** For a report of which nobody sees the intervals: nearly all of its time. */
export const withoutIntervals: ReportStatistics = { resamples: 100 };

/** The report on the first run, and what its hits and answers say. */
export function reportSource(
  sources: Sources,
  flags: OneRunFlags,
  statistics?: ReportStatistics,
): TextedRunReport {
  const { golden, runs, evidence } = sources;
  const options = { ...oneRunOptions(sources, flags), statistics };
  const given = runs.map(({ run }) => run);
  return {
    report: reportRun(given[0] as (typeof given)[number], golden, options),
    texts: () =>
      reportTexts({
        runs: given,
        golden,
        chunks: evidence.corpus?.chunks,
        textMatch: options.textMatch,
      }),
  };
}
