import { Command, CommanderError } from "commander";
import type { CliCommand } from "./commands/cli-command.js";
import type { Terminal } from "./terminal.js";

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

/** Parses the arguments, runs one of the commands, and returns the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal, version: string, list: readonly CliCommand[]): Promise<number> {
  const program = createProgram(terminal, version, list);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return (await import("./exit-code.js")).reportError(error, terminal);
  }
}
