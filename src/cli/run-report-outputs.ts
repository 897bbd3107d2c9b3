import type { Command } from "commander";
import type { ReportTexts } from "../report/index.js";
import { runOutputCards, runOutputs } from "../report/index.js";
import type { GateReport, RunReport } from "../records/index.js";
import { InputError } from "../index.js";
import { formWriter } from "./form-writer.js";
import { isFormPrinted, outputNames, outputOptionsOf, listWantedOutputs } from "./output-flags.js";
import type { Terminal } from "./terminal.js";

/** Whether pages show what hits and answers say. */
export interface TextFlags {
  /** False after `--no-text`; absent where the command has no such option. */
  readonly text?: boolean;
}

/** A report on one run, and what its hits and answers say. */
export interface TextedRunReport {
  readonly report: RunReport;
  readonly texts?: (() => ReportTexts) | undefined;
}

/** `--no-text`, for commands that write pages. */
export function textOptionOf(command: Command): Command {
  return command.option(
    "--no-text",
    "leave out of the HTML page what hits and answers say, for what must stay inside",
  );
}

/** The forms of a report on one run. */
export function runOutputsOf(command: Command): Command {
  return textOptionOf(outputOptionsOf(command, runOutputCards));
}

/** Whether a form of a report on one run goes to stdout, so that scores do not. */
export function isRunReportPrinted(flags: object): boolean {
  return isFormPrinted(flags, runOutputCards);
}

/** Whether a form of a report on one run was asked for. */
export function wantsRunReport(flags: object): boolean {
  return listWantedOutputs(flags, runOutputCards).length > 0;
}

/** The flags of these forms, as one speaks of them. */
export const runOutputNames: string = /*#__PURE__*/ outputNames(runOutputCards, "and");

/** @throws InputError `ARGUMENT` for the form of what a gate says, where there is none. */
export function refuseJunitWithoutGate(flags: object, gate: object | null): void {
  if (gate === null && "junit" in flags)
    throw new InputError("ARGUMENT", "--junit has what a gate says; give one with --gate or --fail-under");
}

/**
 * Writes a report on one run in every form that was asked for. A form that cannot be written takes nothing
 * from the others.
 *
 * @returns throws what kept a form from being written; to be called when all else is said.
 */
export function writeRunReport(
  { report, texts }: TextedRunReport,
  flags: TextFlags,
  terminal: Terminal,
  gate: GateReport | null,
): () => void {
  const { write, settle } = formWriter(terminal);
  const found = { report, gate, texts: flags.text === false ? undefined : texts };
  for (const { output, file } of listWantedOutputs(flags, runOutputs))
    write(file, () => output.render(found));
  return settle;
}
