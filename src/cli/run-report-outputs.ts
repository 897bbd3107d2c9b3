import type { Command } from "commander";
import type { ReportTexts } from "../report/index.js";
import {
  gateOutputCards,
  gateOutputs,
  runOutputCards,
  runOutputs,
  type ReportOutput,
} from "../report/index.js";
import type { GateReport, RunReport } from "../records/index.js";
import { InputError } from "../index.js";
import { formWriter, type FormWriter } from "./form-writer.js";
import { isFormPrinted, outputNames, outputOptionsOf, listWantedOutputs } from "./output-flags.js";
import type { Terminal } from "./terminal.js";
import { settleHeld } from "./gate-flags.js";

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

/** The forms of what is said of one run. */
export const runForms: readonly Pick<ReportOutput<never>, "name" | "about">[] = [
  ...runOutputCards,
  ...gateOutputCards,
];

/** The forms of a report on one run, and of what a gate says of it. */
export function runOutputsOf(command: Command): Command {
  return textOptionOf(outputOptionsOf(command, runForms));
}

/** The forms of what a gate says, for commands whose report has a folder of its own, or none. */
export function gateFormsOf(command: Command): Command {
  return outputOptionsOf(command, gateOutputCards);
}

/** Whether a form goes to stdout, so that scores do not. */
export function isRunFormPrinted(flags: object): boolean {
  return isFormPrinted(flags, runForms);
}

/** Whether a form was asked for. */
export function wantsRunForm(flags: object): boolean {
  return listWantedOutputs(flags, runForms).length > 0;
}

/** Whether a form of a report on one run was asked for, and not only one of what a gate says. */
export function wantsRunReport(flags: object): boolean {
  return listWantedOutputs(flags, runOutputCards).length > 0;
}

/** The flags of the forms of a report on one run. */
export const runOutputNames: string = /*#__PURE__*/ outputNames(runOutputCards, "and");

/** @throws InputError `ARGUMENT` for a form of what a gate says, where there is none. */
export function refuseFormsWithoutGate(flags: object, gate: object | null): void {
  if (gate === null && listWantedOutputs(flags, gateOutputCards).length > 0)
    throw new InputError(
      "ARGUMENT",
      `${outputNames(gateOutputCards, "and")} has what a gate says; give one with --gate or --fail-under`,
    );
}

/**
 * Writes what is said of one run in every form that was asked for. A form that cannot be written takes
 * nothing from the others.
 *
 * @param reported null where none of its forms is wanted.
 * @returns throws what kept a form from being written; to be called when all else is said.
 */
export function writeRunForms(
  reported: TextedRunReport | null,
  flags: TextFlags,
  terminal: Terminal,
  gate: GateReport | null,
): FormWriter["settle"] {
  const { write, settle } = formWriter(terminal);
  if (reported !== null) {
    const { report, texts } = reported;
    const found = { report, gate, texts: flags.text === false ? undefined : texts };
    for (const { output, file } of listWantedOutputs(flags, runOutputs))
      write(file, () => output.render(found));
  }
  writeGateForms(gate, flags, write);
  return settle;
}

/**
 * Writes what a gate says of scores without a report, then says it, last of all.
 *
 * @throws what kept a form from being written, else GateError `GATE_FAILED` where the gate does not pass.
 */
export async function settleGateForms(
  gate: GateReport | null,
  flags: object,
  terminal: Terminal,
): Promise<void> {
  const { write, settle } = formWriter(terminal);
  writeGateForms(gate, flags, write);
  await settleHeld(gate, terminal, settle);
}

/** Writes what a gate says in every form that was asked for. */
export function writeGateForms(gate: GateReport | null, flags: object, write: FormWriter["write"]): void {
  if (gate === null) return;
  for (const { output, file } of listWantedOutputs(flags, gateOutputs))
    write(file, () => output.render(gate));
}
