import type { Command, Option } from "commander";
import { InputError } from "../index.js";
import { FROM_CONFIG } from "./defaults.js";

/** Those of some options that the user gave, not a default or the project's configuration. */
export function listGivenOptions(called: Command, names: readonly string[]): Option[] {
  return called.options.filter((option) => {
    const name = option.attributeName();
    const source = called.getOptionValueSource(name);
    return names.includes(name) && ![undefined, "default", FROM_CONFIG].includes(source);
  });
}

/** Where the unit does nothing: the metrics of every aggregate have theirs. */
export const WITHOUT_METRICS = "without further metrics (-m), whose unit it is";

/**
 * Refuses options that would do nothing: a user who gives one expects an effect.
 *
 * @param why where they do nothing, such as `without --qrels`.
 * @throws InputError `ARGUMENT`
 */
export function refuseIdleOptions(called: Command, names: readonly string[], why: string): void {
  const [option] = listGivenOptions(called, names);
  if (option === undefined) return;
  throw new InputError("ARGUMENT", `${option.long ?? option.flags} does nothing ${why}; leave it out`);
}
