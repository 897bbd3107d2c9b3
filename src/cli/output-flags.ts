import { Option, type Command } from "commander";
import type { ReportOutput } from "../report/index.js";
import { OutputOption } from "./output-option.js";

/** What is known of an output without a result. */
type NamedOutput = Pick<ReportOutput<never>, "name" | "about">;

/** A flag for each form, with the file that it is written to. */
export function outputOptionsOf(command: Command, outputs: readonly NamedOutput[]): Command {
  for (const { name, about } of outputs)
    command.addOption(new OutputOption(`--${name} <file>`, `write ${about}`));
  return command;
}

/** The file of each form that was asked for. */
export function listWantedOutputs<Output extends NamedOutput>(
  flags: object,
  outputs: readonly Output[],
): { output: Output; file: string }[] {
  return outputs.flatMap((output) => {
    const name = new Option(`--${output.name} <file>`).attributeName();
    const file: unknown = Object.getOwnPropertyDescriptor(flags, name)?.value;
    return typeof file === "string" ? [{ output, file }] : [];
  });
}

/** Whether a form goes to stdout, by the name `-`: what is printed otherwise would be mixed with it. */
export function isFormPrinted(flags: object, outputs: readonly NamedOutput[]): boolean {
  return listWantedOutputs(flags, outputs).some(({ file }) => file === "-");
}

/** The flags of some forms, as one speaks of them: `--md, --html and --csv`. */
export function outputNames(outputs: readonly NamedOutput[], last: "and" | "or", ...more: string[]): string {
  const names = [...outputs.map(({ name }) => `--${name}`), ...more];
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${last} ${names.at(-1) ?? ""}`;
}
