import type { CliCommand } from "./commands/cli-command.js";
import { runProgram } from "./program.js";
import type { Terminal } from "./terminal.js";

/** Every command by name, in the order of the help text. Only the one that is called is loaded. */
const commands: ReadonlyMap<string, () => Promise<CliCommand>> = new Map([
  ["init", async () => (await import("./commands/init.js")).initCommand],
  ["check", async () => (await import("./commands/check.js")).checkCommand],
  ["import", async () => (await import("./commands/import.js")).importCommand],
  ["export", async () => (await import("./commands/export.js")).exportCommand],
  ["runs", async () => (await import("./commands/runs.js")).runsCommand],
  ["aggregate", async () => (await import("./commands/aggregate.js")).aggregateCommand],
  ["compare", async () => (await import("./commands/compare.js")).compareCommand],
  ["report", async () => (await import("./commands/report.js")).reportCommand],
  ["power", async () => (await import("./commands/power.js")).powerCommand],
  ["agree", async () => (await import("./commands/agree.js")).agreeCommand],
  ["paraphrases", async () => (await import("./commands/paraphrases.js")).paraphrasesCommand],
  ["evaluate", async () => (await import("./commands/evaluate.js")).evaluateCommand],
  ["fuse", async () => (await import("./commands/fuse.js")).fuseCommand],
  ["convert", async () => (await import("./commands/convert.js")).convertCommand],
  ["bench", async () => (await import("./commands/bench.js")).benchCommand],
  ["search", async () => (await import("./commands/search.js")).searchCommand],
  ["metrics", async () => (await import("./commands/metrics.js")).metricsCommand],
  ["conformance", async () => (await import("./commands/conformance.js")).conformanceCommand],
  ["demo", async () => (await import("./commands/demo.js")).demoCommand],
]);

/** The command that the arguments call, or all of them where they call none: help, and names that are not known. */
async function commandsFor([name]: readonly string[]): Promise<CliCommand[]> {
  const called = commands.get(name ?? "");
  return called === undefined ? Promise.all([...commands.values()].map((load) => load())) : [await called()];
}

/** Runs any command. */
export async function runCommand(args: readonly string[], terminal: Terminal, version: string): Promise<number> {
  return runProgram(args, terminal, version, await commandsFor(args));
}
