import type { CompareReport, GateReport, RunReport, ScoreComparison } from "../records/index.js";
import type { ReportTexts } from "./report-texts.js";

/** A form in which a result can be written to a file. */
export interface ReportOutput<Result> {
  /** Of the form, and of the flag that asks for it: `md`; `json` and `output` are taken. */
  readonly name: string;
  /** What is written, in a few words. */
  readonly about: string;
  /** @throws InputError `ARGUMENT` for a result that lacks what the form shows. */
  render(result: Result): string;
}

/** A comparison, and the gate that was held against it. */
export interface GatedComparison {
  readonly comparison: CompareReport | ScoreComparison;
  readonly gate: GateReport | null;
  /** What hits and answers say, gathered once a form shows it; undefined where it must not be shown. */
  readonly texts?: (() => ReportTexts) | undefined;
}

/** A report on one run, and the gate that was held against its scores. */
export interface GatedRun extends Pick<GatedComparison, "gate" | "texts"> {
  readonly report: RunReport;
}
