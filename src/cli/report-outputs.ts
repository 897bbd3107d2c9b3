import type { Command } from "commander";
import {
  comparisonOutputs,
  renderComparisonText,
  renderCompareText,
  renderWarningsText,
  type GatedComparison,
  boardOfComparison,
  renderScoreTable,
  type ReportOutput,
  type ReportTexts,
  type ScoreTableFormat,
} from "../report/index.js";
import {
  type CompareReport,
  isComparable,
  isResult,
  type ScoreComparison,
  statisticsOf,
} from "../records/index.js";
import { formatJson } from "./format-json.js";
import { formWriter } from "./form-writer.js";
import type { GateFlags } from "./gate-flags.js";
import type { OpenGate } from "./open-gate.js";
import { isFormPrinted, outputOptionsOf, listWantedOutputs } from "./output-flags.js";
import { textOptionOf, type TextFlags } from "./run-report-outputs.js";
import { queryPlaces, writeGithubOutputs } from "./write-github-outputs.js";
import type { Terminal } from "./terminal.js";

/** Where a comparison is written to; each output has its file under its own name, too. */
export interface ReportFlags extends GateFlags, TextFlags {
  json?: true;
  /** Of `compare` only. */
  runsDir?: string;
  /** Of `compare` only: one table of all runs instead of the report. */
  format?: ScoreTableFormat;
}

/** A result of `compare`. */
export type Comparison = CompareReport | ScoreComparison;

/** A comparison, and what its hits and answers say. */
export interface TextedComparison {
  readonly comparison: Comparison;
  readonly texts: () => ReportTexts;
}

/** The forms of a report. */
export function reportOptionsOf(
  command: Command,
  outputs: readonly ReportOutput<GatedComparison>[] = comparisonOutputs,
): Command {
  return textOptionOf(outputOptionsOf(command.option("--json", "print the report as JSON"), outputs));
}

/**
 * Writes a comparison in every form that was asked for, to GitHub too when it runs there, and holds the gate
 * against it at the end. A form that cannot be written takes nothing from the others.
 *
 * @param texts what hits and answers say, gathered for a page that shows it.
 * @throws GateError `GATE_FAILED` where the gate does not pass, AdapterError `FILE_UNWRITABLE` or InputError
 * for a form that was not written.
 */
export async function writeComparison(
  comparison: Comparison,
  flags: ReportFlags & { readonly golden?: string; readonly qrels?: string },
  gate: OpenGate | null,
  terminal: Terminal,
  texts?: () => ReportTexts,
  outputs: readonly ReportOutput<GatedComparison>[] = comparisonOutputs,
): Promise<void> {
  const gateReport = gate?.holdAgainst(comparison) ?? null;
  const findings = { comparison, gate: gateReport, texts: flags.text === false ? undefined : texts };
  const { attempt, write, settle } = formWriter(terminal);
  for (const { output, file } of listWantedOutputs(flags, outputs))
    write(file, () => output.render(findings));
  const { runsDir } = flags;
  if (runsDir !== undefined && isResult(comparison, "report")) {
    const { writeReport } = await import("../node/index.js");
    attempt(() => terminal.talk(`wrote ${writeReport(runsDir, comparison, { gate: gateReport })}`));
  }
  if (!isFormPrinted(flags, outputs)) terminal.out(printForm(comparison, flags, terminal));
  for (const warning of renderWarningsText(comparison)) terminal.warn(warning);
  const places = await queryPlaces(flags.qrels ?? flags.golden, terminal);
  writeGithubOutputs(findings, terminal, places);
  if (gateReport === null) return settle();
  const { settleGate, tellGate } = await import("./open-gate.js");
  const areComparable = isComparable(comparison);
  settle(() => tellGate(gateReport, terminal, areComparable));
  settleGate(gateReport, terminal, areComparable);
}

/** What goes to the standard output. */
function printForm(comparison: Comparison, { json, format }: ReportFlags, terminal: Terminal): string {
  if (json === true) return formatJson(comparison);
  const scores = statisticsOf(comparison);
  if (format !== undefined && scores !== null) return renderScoreTable(boardOfComparison(scores), format);
  return isResult(comparison, "comparison")
    ? renderComparisonText(comparison, terminal)
    : renderCompareText(comparison, terminal);
}
