import { Option, type Command } from "commander";
import { rankingAgreement } from "../../index.js";
import type { NamedRun } from "../../node/evaluate/index.js";
import { renderAgreementText } from "../../report/index.js";
import type { RankingAgreement } from "../../records/index.js";
import type { Terminal } from "../terminal.js";
import { shareOption, wholeNumberOption } from "../number-flag.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import { anyRunsByName } from "../runs-by-name.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

interface AgreeFlags {
  cutoff: number;
  depth?: number;
  persistence: number;
  top: number;
  unit: "chunk" | "doc";
  json?: true;
  store?: string;
}

export const agreeCommand: CliCommand = {
  define(command, terminal) {
    storeOption(command)
      .argument("<a>", "a run of any known format, plain or gzip, or the id of a stored one; - is stdin")
      .argument("<b...>", "runs that are held against it")
      .option("-k, --cutoff <n>", "of Jaccard's index", wholeNumberOption("cutoff"), 10)
      .option("--depth <n>", "look at the top n of each query only", wholeNumberOption("depth"))
      .option(
        "--persistence <p>",
        "of rank-biased overlap: how far down the reader looks, above 0 and below 1",
        shareOption("persistence"),
        0.9,
      )
      .option("--top <n>", "queries listed", wholeNumberOption("top"), 10)
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
      .action(async (pathA: string, paths: string[], flags: AgreeFlags, called: Command) => {
        if (flags.json === true) refuseIdleOptions(called, ["top"], "with --json, which has every query");
        const { cutoff, depth, persistence, unit, top } = flags;
        const options = { cutoff, depth, persistence, unit };
        const [first, ...others] = (await anyRunsByName([pathA, ...paths], flags.store, terminal)) as [
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
