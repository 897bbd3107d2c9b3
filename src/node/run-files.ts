import { join, resolve, sep } from "node:path";
import { InputError, quote } from "../foundation/errors/index.js";
import { resultParts } from "../formats/index.js";
import { renderReportMd, type ReportOptions } from "../report/index.js";
import type { CompareReport, EvalRun } from "../records/index.js";
import { replaceFile } from "../files/index.js";

/**
 * The folder of a run below `runsDir`.
 *
 * @throws InputError `RUN_ID` for an id that would lead out of it, such as `../../x`.
 */
export function runFolder(runsDir: string, runId: string): string {
  const folder = resolve(runsDir, runId);
  const isBelow = folder.startsWith(resolve(runsDir) + sep);
  // A separator inside an id would put one run into another's folder, or nowhere.
  if (!isBelow || /[/\\\0]/.test(runId) || /^\.+$/.test(runId)) {
    throw new InputError(
      "RUN_ID",
      `run id ${quote(runId)} cannot be the name of a folder in ${runsDir}; rename the run, or ` +
        "name a file for the report instead",
      { runId },
    );
  }
  return join(runsDir, runId);
}

/** Writes the Markdown report of a comparison to `runsDir/<run_b>/report.md` and returns that path. */
export function writeReport(runsDir: string, report: CompareReport, options: ReportOptions = {}): string {
  const path = join(runFolder(runsDir, report.run_b), "report.md");
  replaceFile(path, renderReportMd(report, options));
  return path;
}

/** Writes a run's query results to `runsDir/<run_id>/per_query.jsonl` and returns that path. */
export function writePerQuery(runsDir: string, run: EvalRun): string {
  const path = join(runFolder(runsDir, run.run_id), "per_query.jsonl");
  replaceFile(path, resultParts(run.results));
  return path;
}
