import type { Command } from "commander";
import { InputError } from "../index.js";
import { FROM_CONFIG } from "./defaults.js";

/**
 * Refuses options that the user gave and that would do nothing: an effect is expected of them. Defaults and
 * the project's configuration are for all commands.
 *
 * @param why where they do nothing, such as `without --qrels`.
 * @throws InputError `ARGUMENT`
 */
export function refuseIdleOptions(called: Command, names: readonly string[], why: string): void {
  const given: Readonly<Record<string, unknown>> = called.optsWithGlobals();
  const option = called.options.find((each) => {
    const name = each.attributeName();
    // `--cache` and `--no-cache` are one, and it is told which was given.
    if (each.negate !== (given[name] === false)) return false;
    // A command above takes what both have.
    const source = called.getOptionValueSourceWithGlobals(name);
    return names.includes(name) && ![undefined, "default", FROM_CONFIG].includes(source);
  });
  if (option === undefined) return;
  throw new InputError("ARGUMENT", `${option.long ?? option.flags} does nothing ${why}; leave it out`);
}

/**
 * Refuses a unit without the metrics whose unit it is: those of every aggregate have theirs.
 *
 * @throws InputError `ARGUMENT`
 */
export function refuseIdleUnit(called: Command): void {
  if (["metrics", "primary", "guard"].some((name) => called.getOptionValue(name) !== undefined)) return;
  refuseIdleOptions(called, ["unit"], "without further metrics (-m), whose unit it is");
}
