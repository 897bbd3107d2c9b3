import type { Command } from "commander";
import {
  renderComparisonCsv,
  renderComparisonText,
  renderCompareText,
  renderJunit,
  renderReportHtml,
  renderReportMd,
  renderWarningsText,
} from "../report/index.js";
import type { CompareReport, ScoreComparison } from "../records/schema/index.js";
import { InputError } from "../index.js";
import { printedJson } from "./commands/cli-command.js";
import { formWriter } from "./form-writer.js";
import type { GateFlags } from "./gate-flags.js";
import type { OpenGate } from "./open-gate.js";
import { tellGithub } from "./tell-github.js";
import type { Terminal } from "./terminal.js";

/** Where a comparison is written to. */
export interface ReportFlags extends GateFlags {
  json?: true;
  md?: string;
  html?: string;
  junit?: string;
  csv?: string;
  /** Of `compare` only. */
  runsDir?: string;
}

/** A result of `compare`. */
export type Comparison = CompareReport | ScoreComparison;

/** The forms of a report. */
export function reportOptionsOf(command: Command): Command {
  return command
    .option("--json", "print the report as JSON")
    .option("--md <file>", "write the report as Markdown")
    .option("--html <file>", "write the report as one HTML file, to be opened in a browser")
    .option("--junit <file>", "write verdict and gate as JUnit XML")
    .option("--csv <file>", "write the scores of every query as CSV");
}

/** The statistics of a comparison; null in reports of earlier versions. */
export function statisticsOf(comparison: Comparison): ScoreComparison | null {
  return "comparisons" in comparison ? comparison : comparison.statistics;
}

/**
 * Writes a comparison in every form that was asked for, to GitHub too when it runs there, and holds the gate
 * against it at the end. A form that cannot be written takes nothing from the others.
 *
 * @throws GateError `GATE_FAILED` where the gate does not pass, AdapterError `FILE_UNWRITABLE` or InputError
 * for a form that was not written.
 */
export async function writeComparison(
  comparison: Comparison,
  flags: ReportFlags,
  gate: OpenGate | null,
  terminal: Terminal,
): Promise<void> {
  const gateReport = gate?.holdAgainst(comparison) ?? null;
  const findings = { comparison, gate: gateReport };
  const { unwritten, attempt, write } = formWriter(terminal);
  write(flags.md, () => renderReportMd(comparison, { gate: gateReport }));
  const { runsDir } = flags;
  if (runsDir !== undefined && !("comparisons" in comparison)) {
    const { writeReport } = await import("../node/index.js");
    attempt(() => terminal.talk(`wrote ${writeReport(runsDir, comparison, { gate: gateReport })}`));
  }
  write(flags.html, () => renderReportHtml(comparison, { gate: gateReport }));
  write(flags.junit, () => renderJunit(findings));
  write(flags.csv, () => renderComparisonCsv(requiredStatistics(comparison)));
  terminal.out(
    flags.json === true
      ? printedJson(comparison)
      : "comparisons" in comparison
        ? renderComparisonText(comparison, terminal)
        : renderCompareText(comparison, terminal),
  );
  for (const warning of renderWarningsText(comparison))
    terminal.talk(`${terminal.paint("warning:", "strong")} ${warning}`);
  attempt(() => tellGithub(findings, terminal));
  const [first, ...others] = unwritten;
  if (first !== undefined) {
    // Whoever lets a build go on after a failed gate does not mean it to go on without its reports, so this
    // code wins.
    if (gateReport !== null) (await import("./open-gate.js")).tellGate(gateReport, terminal);
    for (const { message } of others) terminal.talk(`${terminal.paint("error:", "bad")} ${message}`);
    throw first;
  }
  const isComparable =
    statisticsOf(comparison)?.comparisons.every(({ verdict }) => verdict.kind !== "not_comparable") ?? true;
  if (gateReport !== null) (await import("./open-gate.js")).settleGate(gateReport, terminal, isComparable);
}

function requiredStatistics(comparison: Comparison): ScoreComparison {
  const statistics = statisticsOf(comparison);
  if (statistics === null)
    throw new InputError(
      "ARGUMENT",
      "--csv: the report was stored without statistics, and so without the scores of queries; " +
        "compare the runs again",
    );
  return statistics;
}
