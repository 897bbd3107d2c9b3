import { commandCatalog } from "./commands/catalog.js";
import { runProgram } from "./program.js";
import type { Terminal } from "./terminal.js";

/** Runs any command. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  version: string,
): Promise<number> {
  return runProgram(args, terminal, version, commandCatalog);
}
