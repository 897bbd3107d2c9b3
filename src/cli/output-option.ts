import { existsSync, fstatSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Option, type Command, type OptionValues } from "commander";
import { isSqliteFile } from "../files/index.js";
import { InputError, quote } from "../foundation/errors/index.js";

/** Commands whose arguments are ids of what is stored. */
const BY_ID = new Set(["export", "export-features"]);

/** What the values of options are called that name a file to be read, behind a `=` or by themselves. */
const READ = [
  "file",
  "path",
  "partials...",
  "sheet",
  "rules",
  "qrels",
  "prompt",
  "run",
  "run:name=file",
  "mode=source",
];

/** Whether a flag may name a file that is read. */
export function isInput({ flags }: Pick<Option, "flags">): boolean {
  return READ.some((called) => flags.endsWith(`<${called}>`));
}

/** A flag that names a file to write. */
export class OutputOption extends Option {}

/**
 * Refuses to write over what a command reads, over a store, and to write two things to one file: all of it is
 * lost for good, and most of it is a slip.
 *
 * @throws InputError `ARGUMENT`
 */
export function refuseOverwriting(command: Command): void {
  // A command above takes what both have.
  const values = command.optsWithGlobals();
  const filesNamed = (option: Option): string[] => filesOf(values[option.attributeName()]);
  const isOutput = (option: Option): boolean => option instanceof OutputOption;
  const outputs = command.options
    .filter(isOutput)
    .flatMap((option) => filesNamed(option).map((file) => ({ flag: option.long ?? option.flags, file })));
  refuseTwoOnStdout(command, values);
  if (outputs.length === 0) return;
  // What is no file is the id of a run, say.
  const inputs = [
    ...(BY_ID.has(command.name()) ? [] : command.args),
    ...command.options
      .filter((option) => isInput(option) && !isOutput(option))
      .flatMap(filesNamed)
      .flatMap((value) => [value, value.slice(value.indexOf("=") + 1)]),
  ].filter((input) => existsSync(input));
  for (const [at, { flag, file }] of outputs.entries()) {
    if (file === "") throw new InputError("ARGUMENT", `${flag} needs the name of a file`);
    for (const input of inputs) refuseInput(flag, file, input);
    const other = outputs.slice(0, at).find((each) => isSameFile(each.file, file));
    if (other !== undefined) refuse(flag, file, `would replace what ${other.flag} writes`);
    if (isStdout(file)) refuse(flag, file, "would replace what goes to the standard output");
    refuseStore(flag, file);
  }
}

function refuseTwoOnStdout({ options }: Command, values: OptionValues): void {
  const valueOf = (option: Option): unknown => values[option.attributeName()] as unknown;
  const printed = [
    ...options.filter((option) => option instanceof OutputOption && valueOf(option) === "-"),
    ...options.filter((option) => option.long === "--json" && valueOf(option) === true),
  ].map((option) => option.long ?? option.flags);
  if (printed.length > 1)
    throw new InputError(
      "ARGUMENT",
      `${printed.join(" and ")} cannot both go to the standard output; name a file`,
    );
}

/** @throws InputError `ARGUMENT` for an output that is what the command reads. */
export function refuseInput(flag: string, file: string, input: string): void {
  if (existsSync(input) && isSameFile(input, file))
    refuse(flag, file, "would replace what the command reads");
}

/** @throws InputError `ARGUMENT` for an output that would take the place of a store. */
export function refuseStore(flag: string, file: string): void {
  if (statOf(file)?.isFile() === true && isSqliteFile(file))
    refuse(flag, file, "would replace an SQLite database");
}

function refuse(flag: string, file: string, why: string): never {
  throw new InputError("ARGUMENT", `${flag} ${quote(file)} ${why}; name another file`);
}

/** The files that a value may name; `-` is none. */
function filesOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (each): each is string => typeof each === "string" && each !== "-",
  );
}

/** Whether two names are of one file, by its place where it is still to be made; pipes are none. */
function isSameFile(a: string, b: string): boolean {
  const [one, other] = [statOf(a), statOf(b)];
  if (one === undefined || other === undefined) return one === other && placeOf(a) === placeOf(b);
  return isSame(one, other);
}

function isSame(one: Stats, other: Stats): boolean {
  return one.isFile() && one.dev === other.dev && one.ino === other.ino;
}

/** Whether a name is of the file that the shell has the standard output go to. */
function isStdout(name: string): boolean {
  const named = statOf(name);
  try {
    return named !== undefined && isSame(named, fstatSync(process.stdout.fd));
  } catch {
    // It is closed.
    return false;
  }
}

/** Where a file will be made, whatever links lead there. */
function placeOf(name: string): string {
  const path = resolve(name);
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    // The folder is still to be made, too.
    return dirname(path) === path ? path : join(placeOf(dirname(path)), basename(path));
  }
}

/** Undefined for what is not there, or cannot be looked at: whoever writes there says why. */
function statOf(name: string): Stats | undefined {
  try {
    return statSync(name);
  } catch {
    return undefined;
  }
}
