import type { Command } from "commander";
import { lookAt } from "../files/index.js";
import { InputError } from "../index.js";
import { moduleSystem, programSystem, type RecordedSystem } from "../node/index.js";
import { isModule, stemOf } from "../node/internal.js";
import { plainLine, type Terminal } from "./terminal.js";
import { untilUncaught } from "./until-uncaught.js";

/** The arguments as they were given, `--` among them. */
export function rawArgsOf(called: Command): readonly string[] {
  return (called.parent as (Command & { readonly rawArgs: readonly string[] }) | null)?.rawArgs ?? [];
}

/** Whether a word of a command is a file: folders and devices are no programs. */
export function isFile(word: string): boolean {
  return lookAt(word)?.isFile() === true;
}

/** A system as the user named it. */
export interface AskedSystem {
  readonly name: string;
  /** The module; or the program and its arguments. */
  readonly words: readonly string[];
  open(limit: number, onSilence: (message: string) => void): Promise<RecordedSystem>;
}

/** A module, or a program behind `--`. */
export function systemToAsk(
  [first, ...rest]: readonly string[],
  called: Command,
  { env }: Terminal,
): AskedSystem {
  if (first === undefined)
    throw new InputError(
      "ARGUMENT",
      "name a module that exports `retrieve`, as in `rankproof run search.mjs`, or a program behind --; or " +
        "write `system: search.mjs` into rankproof.config.yaml",
    );
  const isProgram = rawArgsOf(called).includes("--");
  if (isProgram)
    return {
      // `python search.py` is called after what it runs.
      name: stemOf([...rest, first].find(isFile) ?? first),
      words: [first, ...rest],
      open: async (limit, onSilence) => programSystem(first, rest, { limit, onSilence, env }),
    };
  if (rest.length > 0 || !isModule(first))
    throw new InputError(
      "ARGUMENT",
      `${plainLine(first)}: run takes one module (.js, .mjs, .ts) that exports \`retrieve\`; a program ` +
        "stands behind --, as in `rankproof run -g golden.yaml -- python search.py`",
    );
  return {
    name: stemOf(first),
    words: [first],
    open: async (limit, onWarning) => untilUncaught(first, () => moduleSystem(first, limit), onWarning),
  };
}
