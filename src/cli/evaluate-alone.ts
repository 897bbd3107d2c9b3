import { evaluateCommand } from "./commands/evaluate.js";
import { evaluateSummary } from "./commands/evaluate-summary.js";
import { runProgram } from "./program.js";
import type { Terminal } from "./terminal.js";

/**
 * Runs `evaluate`, for which the build puts nothing into a file but what it needs: a small run is scored
 * faster than all commands are loaded.
 */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  version: string,
): Promise<number> {
  return runProgram(args, terminal, version, [
    { name: "evaluate", summary: evaluateSummary, load: async () => evaluateCommand },
  ]);
}
