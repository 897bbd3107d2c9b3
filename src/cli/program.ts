import { Command, CommanderError } from "commander";
import { findRestorePoints } from "../node/restore/index.js";
import type { CatalogedCommand } from "./commands/catalog.js";
import { projectFolders } from "./project-folders.js";
import { refuseOverwriting } from "./output-option.js";
import type { Terminal } from "./terminal.js";

const EXAMPLES = [
  ["demo", "see it work on a real knowledge base"],
  ["init", "write golden.yaml, with a header that explains it"],
  ["run search.mjs", "record your own search, and compare it with the run before"],
  ["compare before.jsonl after.jsonl -g golden.yaml", "compare two run files, no store needed"],
  ["import run.jsonl", "keep a run in .rankproof/store.sqlite"],
  ["aggregate run --json", "scores of a stored run, for scripts"],
  ["evaluate qrels.txt bm25.run dense.run", "score TREC runs, or any known format"],
  ["bench fixture.json --html bench.html", "do embeddings earn their keep?"],
  ["help compare", "all options of a command"],
] as const;

const AFTER_HELP = `
Examples:
${EXAMPLES.map(([command, what]) => `  $ rankproof ${command.padEnd(49)}${what}`).join("\n")}

Results go to stdout, messages to stderr. Exit codes: 0 fine, 1 internal error, 2 bad usage or input,
3 a gate failed, 4 not comparable, 5 something outside failed (a locked store, a full disk), \
130 interrupted.`;

/** The command that puts configurations back by itself. */
const RESTORING = "restore";

/** The command that knows the others. */
const COMPLETION = "completion";

/**
 * The whole command line. Only the command that is called, or that help is asked for, is loaded: of the
 * others the names and summaries are enough.
 */
async function createProgram(
  args: readonly string[],
  terminal: Terminal,
  version: string,
  catalog: readonly CatalogedCommand[],
): Promise<Command> {
  const program = new Command("rankproof")
    .description("Proof, in numbers, that a change to a search or RAG system is an improvement.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "explain the command")
    .addHelpText("after", AFTER_HELP)
    .showHelpAfterError("(add --help for the commands)")
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.talk(text.trimEnd()),
    })
    .exitOverride();
  program.hook("preAction", async (_, action) => {
    const unrestored = projectFolders(terminal).flatMap(findRestorePoints);
    if (unrestored.length > 0 && action.name() !== RESTORING)
      await (await import("./unrestored.js")).restoreLeftovers(unrestored, terminal);
    // `batch run` is a part of `batch`, and no `run`.
    const findCataloged = (command: Command | null): CatalogedCommand | undefined =>
      catalog.find(({ name }) => name === command?.name());
    const called = findCataloged(action.parent) ?? findCataloged(action);
    if (called?.configured !== undefined)
      await (await import("./config-flags.js")).applyConfig(action, called, terminal);
    refuseOverwriting(action);
  });
  const named = args.filter((argument) => catalog.some(({ name }) => name === argument));
  // What completes words needs the command that they call, too.
  const loaded = new Set(named.slice(0, named[0] === COMPLETION ? 2 : 1));
  for (const { name, group, summary, load } of catalog) {
    const command = program.command(name).description(summary);
    if (group !== undefined) command.helpGroup(`${group}:`);
    if (loaded.has(name)) {
      (await load()).define(command, terminal);
      showUsageAfterErrors(command);
    }
  }
  // After the commands, which would take it over: arguments are known of a command that is loaded.
  return program.configureHelp({ subcommandTerm: (command) => command.name() });
}

/** A mistake in a call shows how it is made: a word too many may be a misspelt neighbour. */
function showUsageAfterErrors(command: Command): void {
  const usageOf = (each: Command): string => each.createHelp().commandUsage(each);
  const show = (each: Command, others: readonly Command[]): Command =>
    each.showHelpAfterError(
      `usage: ${[each, ...others].map(usageOf).join("\n   or: ")}\n(add --help for the options)`,
    );
  show(command, []);
  for (const part of command.commands)
    show(part, part.registeredArguments.length > 0 ? [] : command.commands.filter((other) => other !== part));
}

/** Parses the arguments, runs one of the commands, and returns the exit code. */
export async function runProgram(
  args: readonly string[],
  terminal: Terminal,
  version: string,
  catalog: readonly CatalogedCommand[],
): Promise<number> {
  const program = await createProgram(args, terminal, version, catalog);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(withoutVainHelp(args, catalog), { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return (await import("./exit-code.js")).reportError(error, terminal);
  }
}

/** `help nope` as `nope`, which is an error that names what was meant; else help would be of everything. */
function withoutVainHelp(args: readonly string[], catalog: readonly CatalogedCommand[]): readonly string[] {
  const [first, asked] = args;
  return first === "help" && asked !== undefined && catalog.every(({ name }) => name !== asked)
    ? args.slice(1)
    : args;
}
