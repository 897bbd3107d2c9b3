import type { Command } from "commander";
import { InputError } from "../index.js";

/**
 * The flags of a command below another one, which takes those that both have, wherever they stand; with none
 * of its defaults.
 *
 * @throws InputError `ARGUMENT` for a flag that only the upper command has: it would be read, and never
 * looked at.
 */
export function subcommandFlags<Flags extends object>(command: Command): Flags {
  const upper = command.parent as Command;
  const given = upper.options.filter(
    (option) => upper.getOptionValueSource(option.attributeName()) === "cli",
  );
  const own = new Set(command.options.map((option) => option.attributeName()));
  const foreign = given.find((option) => !own.has(option.attributeName()));
  if (foreign !== undefined)
    throw new InputError(
      "ARGUMENT",
      `${foreign.long ?? foreign.flags} is an option of \`${upper.name()}\`, not of \`${upper.name()} ` +
        `${command.name()}\`; leave it out`,
    );
  return {
    ...command.opts<Flags>(),
    ...Object.fromEntries(
      given.map((option) => [
        option.attributeName(),
        upper.getOptionValue(option.attributeName()) as unknown,
      ]),
    ),
  };
}
