import { Option } from "commander";
import { computeAggregate } from "../../index.js";
import { renderAggregateText, renderWarningsText } from "../../report/index.js";
import { storeAggregate } from "../../runs/index.js";
import { DEFAULT_STORE } from "../defaults.js";
import { gateOptionsOf, openGate, type GateFlags } from "../gate-flags.js";
import { scoringOptions, sourcesFor, type RunSource, type ScoringFlags } from "../sources.js";
import { examples, printedJson, scoringOptionsOf, type CliCommand } from "./cli-command.js";

interface AggregateFlags extends ScoringFlags, GateFlags {
  json?: true;
  write: boolean;
  match: "exact" | "doc-span";
}

export const aggregateCommand: CliCommand = {
  define(command, terminal) {
    gateOptionsOf(
      scoringOptionsOf(
        command.argument("<run>", "id of a stored run, or a run file, plain or gzip; - is stdin"),
      ),
    )
      .addOption(
        new Option("--match <how>", "find expected chunks by id, or by document and span")
          .choices(["exact", "doc-span"])
          .default("exact"),
      )
      .option("--json", "print the aggregate as JSON")
      .option("--no-write", "do not write the scores into the store")
      .addHelpText(
        "after",
        examples(
          "aggregate baseline",
          "aggregate run.jsonl -g golden.yaml -m nDCG@10,AP --unit doc",
          "aggregate baseline --json --no-write | jq .mrr",
        ),
      )
      .action(async (name: string, flags: AggregateFlags) => {
        const gate = await openGate(flags);
        const { golden, runs, evidence } = await sourcesFor([name], flags, terminal);
        const [{ run, store }] = runs as [RunSource];
        const aggregate = computeAggregate(run, golden, {
          ...evidence,
          ...scoringOptions(flags),
          matching: flags.match === "exact" ? "exact" : "docSpan",
        });
        if (store !== null && flags.write) {
          await storeAggregate(store, run.run_id, aggregate);
          terminal.talk(`wrote the scores into ${flags.store ?? DEFAULT_STORE}`);
        }
        terminal.out(flags.json === true ? printedJson(aggregate) : renderAggregateText(aggregate, terminal));
        for (const warning of renderWarningsText(aggregate))
          terminal.talk(`${terminal.paint("warning:", "strong")} ${warning}`);
        if (gate !== null)
          (await import("../open-gate.js")).settleGateOfScores(gate.holdAgainst(aggregate), terminal);
      });
  },
};
