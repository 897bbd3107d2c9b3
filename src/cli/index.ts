import { packageVersion } from "./package-version.js";
import type { Terminal } from "./terminal.js";
import { hostModules } from "./host-modules.js";

export { roomierHeap, withHeap } from "./roomy-heap.js";
export { processTerminal, terminalOn, type Host, type Terminal } from "./terminal.js";

/**
 * Runs the command line and returns its exit code: 0 success, 1 an internal error, 2 bad usage or input, 3 a
 * gate that failed, 4 runs that are not comparable, 5 a failure outside, such as a full disk, 130 an
 * interruption.
 */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  // Scripts ask for the version often; loading the commands for it would take longer than starting Node.
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    terminal.out(`${packageVersion()}\n`);
    return 0;
  }
  terminal.leanCompiler?.();
  const { runCommand } =
    args[0] === "evaluate" ? await import("./evaluate-alone.js") : await import("./all-commands.js");
  return hostModules(terminal, () => runCommand(args, terminal, packageVersion()));
}
