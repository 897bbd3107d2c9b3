import { Argument, type Command, type Option } from "commander";
import { isRankproofError } from "../../index.js";
import type { Surroundings } from "../../files/index.js";
import { findConfiguredStore } from "../config-flags.js";
import { DEFAULT_STORE } from "../defaults.js";
import { examples, type CliCommand } from "./cli-command.js";

/** What can stand for a word, and what it is. */
type Candidate = readonly [word: string, what: string];

/** Asks for candidates, one a line with what it is behind a tab; files are left to the shell. */
const ASK = "rankproof completion words --";

/** What a shell runs at start. None of them expands a candidate, which may be the id of a stored run. */
const SCRIPTS: Readonly<Record<string, string>> = {
  // Bash cuts words at @, = and :, and puts what is chosen behind the last of them.
  bash: `_rankproof() {
  local line typed="\${COMP_LINE:0:COMP_POINT}" breaks="\${COMP_WORDBREAKS//[^@=:]/}" cut=""
  local -a words
  read -ra words <<< "$typed"
  [[ "$typed" == *[[:space:]] ]] && words+=("")
  local last="\${words[\${#words[@]}-1]}"
  [[ -n "$breaks" ]] && cut="\${last%"\${last##*[$breaks]}"}"
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("\${line#"$cut"}"); done < <(
    ${ASK} "\${words[@]:1}" 2> /dev/null | cut -f 1
  )
}
complete -o default -F _rankproof rankproof
`,
  zsh: `#compdef rankproof
_rankproof() {
  local line
  local -a candidates
  while IFS= read -r line; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(${ASK} "\${(@)words[2,CURRENT]}" 2> /dev/null)
  _describe rankproof candidates
  _files
}
whence compdef > /dev/null || { autoload -Uz compinit && compinit }
compdef _rankproof rankproof
`,
  fish: `complete -c rankproof -a '(${ASK} (commandline -opc)[2..-1] (commandline -ct) 2> /dev/null)'
`,
};

/** What arguments say of themselves that may be the id of a stored run. */
const STORED = /\bstored (?:run|one)s?\b|\bid of the run\b/;

export const completionCommand: CliCommand = {
  define(command, terminal) {
    command
      .addArgument(new Argument("<shell>", "what to print the script for").choices([...Object.keys(SCRIPTS)]))
      .addHelpText(
        "after",
        examples(
          "completion bash >> ~/.bashrc",
          "completion zsh >> ~/.zshrc",
          "completion fish > ~/.config/fish/completions/rankproof.fish",
        ),
      )
      .action((shell: string) => {
        terminal.out(SCRIPTS[shell] as string);
      });
    command
      .command("words", { hidden: true })
      .argument("[word...]", "the words after `rankproof`, the last of which is being typed")
      .action(async (words: readonly string[]) => {
        const typed = words.at(-1) ?? "";
        // The value of `--flag=value` is looked for as a word of its own.
        const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
        const before = [...words.slice(0, -1), ...(flag === undefined ? [] : [flag])];
        const [begun, head] = flag === undefined ? [typed, ""] : [value ?? "", `${flag}=`];
        const all = await candidates(command.parent as Command, before, begun, terminal);
        for (const [word, what] of all.filter(([each]) => each.startsWith(begun)))
          terminal.out(`${head}${word}\t${what}\n`);
      });
  },
};

/** What could be typed next; empty where a file is wanted. */
async function candidates(
  program: Command,
  before: readonly string[],
  begun: string,
  around: Surroundings,
): Promise<Candidate[]> {
  // `help` takes the words of what it explains.
  const { command, rest } = commandOf(program, before[0] === "help" ? before.slice(1) : before);
  const asking = command.options.find((option) => awaitsValue(option, before.at(-1)));
  if (asking !== undefined) return await valuesOf(asking, before, around);
  if (command === program && rest.length > 0) return [];
  if (begun.startsWith("-")) return optionsOf(command);
  if (command.name() === "metrics") return metricNames();
  const named = command.commands
    .filter((each) => !isHidden(each))
    .map((each): Candidate => [each.name(), each.description()]);
  const at = Math.min(rest.length, command.registeredArguments.length - 1);
  const argument = command.registeredArguments[at];
  const choices = (argument?.argChoices ?? []).map((choice): Candidate => [
    choice,
    argument?.description ?? "",
  ]);
  const wantsRun = command.registeredArguments.some(({ description }) => STORED.test(description));
  return [...named, ...choices, ...(wantsRun ? await listStoredIds(before, around) : [])];
}

/** The command that words lead to, and its arguments so far. */
function commandOf(
  program: Command,
  words: readonly string[],
): { command: Command; rest: readonly string[] } {
  let command = program;
  const rest: string[] = [];
  words.forEach((word, at) => {
    const deeper = command.commands.find((each) => each.name() === word && !isHidden(each));
    const isValue = command.options.some((option) => awaitsValue(option, words[at - 1]));
    if (deeper !== undefined) command = deeper;
    else if (!word.startsWith("-") && !isValue) rest.push(word);
  });
  return { command, rest };
}

/** Whether a word is an option that the next word is the value of. */
function awaitsValue({ short, long, required, optional }: Option, word: string | undefined): boolean {
  return (required || optional) && word !== undefined && (word === short || word === long);
}

/** Commander says it in its help only. */
function isHidden(command: Command): boolean {
  return command.parent !== null && !command.createHelp().visibleCommands(command.parent).includes(command);
}

function optionsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }): Candidate[] => (long == null ? [] : [[long, description]]));
}

async function valuesOf(
  option: Option,
  before: readonly string[],
  around: Surroundings,
): Promise<Candidate[]> {
  if (option.argChoices !== undefined) return option.argChoices.map((choice) => [choice, option.description]);
  if (STORED.test(option.description)) return listStoredIds(before, around);
  return option.long === "--metrics" || option.long === "--primary" ? metricNames() : [];
}

async function metricNames(): Promise<Candidate[]> {
  const { metricCatalog } = await import("../../metrics/index.js");
  return metricCatalog.map(({ definition }) => [definition.name, definition.question]);
}

/** The store that the words name. */
function storeOf(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^(?:-s|--store)(?:=|$)/.test(word));
  const [, given] = (words[at] ?? "").split(/=(.*)/s);
  return at === -1 ? undefined : (given ?? words[at + 1]);
}

/** Ids of stored runs that no shell reads anything into. */
async function listStoredIds(words: readonly string[], around: Surroundings): Promise<Candidate[]> {
  try {
    const path = storeOf(words) ?? (await findConfiguredStore(around)) ?? DEFAULT_STORE;
    const { isStoreThere, openStore } = await import("../../node/index.js");
    if (!isStoreThere(path)) return [];
    const store = await openStore(path);
    const runs = await store.listRuns();
    return runs
      .filter(({ run_id }) => /^[\w.@%+-]+$/.test(run_id))
      .map(({ run_id }) => [run_id, "a stored run"]);
  } catch (error) {
    // Whoever presses the key for completion is not to be told of a broken store.
    if (isRankproofError(error)) return [];
    throw error;
  }
}
