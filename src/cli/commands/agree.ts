import { Option } from "commander";
import { InputError, rankingAgreement, type RunInput } from "../../index.js";
import { renderAgreementText } from "../../report/index.js";
import type { RankingAgreement } from "../../records/index.js";
import type { Terminal } from "../terminal.js";
import { disambiguateNames } from "../disambiguate-names.js";
import { anyRunByName } from "../runs-by-name.js";
import { examples, formatJson, storeOption, type CliCommand } from "./cli-command.js";

interface AgreeFlags {
  cutoff: string;
  depth?: string;
  persistence: string;
  top: string;
  unit: "chunk" | "doc";
  json?: true;
  store?: string;
}

/** A run with the name that tells it from the others. */
interface NamedRun {
  readonly name: string;
  readonly run: RunInput;
}

export const agreeCommand: CliCommand = {
  define(command, terminal) {
    storeOption(command)
      .argument("<a>", "a run of any known format, plain or gzip, or the id of a stored one; - is stdin")
      .argument("<b...>", "runs that are held against it")
      .option("-k, --cutoff <n>", "of Jaccard's index", "10")
      .option("--depth <n>", "look at the top n of each query only")
      .option(
        "--persistence <p>",
        "of rank-biased overlap: how far down the reader looks, above 0 and below 1",
        "0.9",
      )
      .option("--top <n>", "queries listed", "10")
      .addOption(
        new Option("--unit <unit>", "which ids of recorded runs").choices(["chunk", "doc"]).default("doc"),
      )
      .option("--json", "print JSON, with every query")
      .addHelpText(
        "after",
        examples(
          "agree bm25.run dense.run",
          "agree before.run after.run --depth 100 --json | jq '.per_query[:5]'",
        ),
      )
      .action(async (pathA: string, paths: string[], flags: AgreeFlags) => {
        const options = {
          cutoff: whole("--cutoff", flags.cutoff),
          ...(flags.depth !== undefined && { depth: whole("--depth", flags.depth) }),
          persistence: share("--persistence", flags.persistence),
          unit: flags.unit,
        };
        const top = whole("--top", flags.top);
        const runs: NamedRun[] = [];
        for (const path of [pathA, ...paths]) {
          terminal.progress(`reading ${path}`);
          runs.push(await anyRunByName(path, flags.store, terminal));
        }
        const names = disambiguateNames(
          runs.map(({ name }) => name),
          [pathA, ...paths],
        );
        const [first, ...others] = runs.map(({ run }, index) => ({ name: names[index] as string, run })) as [
          NamedRun,
          ...NamedRun[],
        ];
        const agreements = others.map((other) => {
          terminal.progress(`comparing ${other.name}`);
          return rankingAgreement(first, other, options);
        });
        for (const agreement of agreements) warnOfNothingShared(agreement, terminal);
        if (flags.json === true)
          terminal.out(formatJson(agreements.length === 1 ? agreements[0] : agreements));
        else terminal.out(agreements.map((agreement) => renderAgreementText(agreement, top)).join("\n"));
      });
  },
};

/** An overlap of 0 throughout says more about the files than about the rankings. */
function warnOfNothingShared({ run_a, run_b, per_query }: RankingAgreement, terminal: Terminal): void {
  const warn = (what: string): void => terminal.warn(`${run_a} and ${run_b} have ${what}`);
  if (!per_query.some(({ hits_a, hits_b }) => hits_a > 0 && hits_b > 0))
    warn("no query in common; do the query ids agree?");
  else if (!per_query.some(({ shared }) => shared > 0))
    warn("no item in common in any query; do the item ids agree, and is the unit right?");
}

function whole(flag: string, text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1)
    throw new InputError("ARGUMENT", `${flag} must be a whole number from 1, got \`${text}\``);
  return Number(text);
}

function share(flag: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1))
    throw new InputError("ARGUMENT", `${flag} must be a number above 0 and below 1, got \`${text}\``);
  return value;
}
