import { Command, CommanderError } from "commander";
import type { CliCommand } from "./commands/cli-command.js";
import { reportError } from "./exit-code.js";
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

const EXAMPLES = `
Examples:
  $ rankproof demo                                             see it work on a real knowledge base
  $ rankproof init                                             write golden.yaml, with a header that explains it
  $ rankproof compare before.jsonl after.jsonl -g golden.yaml  compare two run files, no store needed
  $ rankproof import run.jsonl                                 keep a run in .rankproof/store.sqlite
  $ rankproof aggregate run --json                             scores of a stored run, for scripts
  $ rankproof evaluate qrels.txt bm25.run dense.run            score TREC runs, or any known format
  $ rankproof bench fixture.json --html bench.html             do embeddings earn their keep?
  $ rankproof help compare                                     all options of a command

Data goes to stdout, talk to stderr. Exit codes: 0 fine, 1 internal error, 2 bad usage or input,
3 a gate failed, 4 not comparable, 5 something outside failed (a locked store, a full disk), 130 interrupted.`;

/** The whole command line. Commands come in as a list, so that flags can be tested without their work being done. */
export function createProgram(terminal: Terminal, version: string, list: readonly CliCommand[]): Command {
  const program = new Command("rankproof")
    .description("Proof, in numbers, that a change to a search or RAG system is an improvement.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "explain the command")
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(add --help for the options)")
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.talk(text.trimEnd()) })
    .exitOverride();
  for (const command of list) command.define(program, terminal);
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands: children }) => children)]) {
    command.copyInheritedSettings(program).showHelpAfterError("(add --help for the options)");
  }
  return program;
}

/** Parses the arguments, runs the command, and returns the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal, version: string): Promise<number> {
  const program = createProgram(terminal, version, await commandsFor(args));
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error, terminal);
  }
}
