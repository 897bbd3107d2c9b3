import { Option } from "commander";
import { computeAggregate, InputError } from "../../index.js";
import { renderAggregateText, renderRunScoreRows, renderWarningsText } from "../../report/index.js";
import { storeAggregate } from "../../runs/index.js";
import { DEFAULT_STORE } from "../defaults.js";
import { gateOptionsOf, openGate, type GateFlags } from "../gate-flags.js";
import { runOutputsOf, wantsRunReport, writeRunReport, type TextFlags } from "../run-report-outputs.js";
import { oneRunOptions, reportSource } from "../report-source.js";
import { sourcesFor, type RunSource, type ScoringFlags } from "../sources.js";
import { examples, formatJson, scoringOptionsOf, type CliCommand } from "./cli-command.js";

interface AggregateFlags extends ScoringFlags, GateFlags, TextFlags {
  json?: true;
  perQuery?: true;
  write: boolean;
  match: "exact" | "doc-span";
}

export const aggregateCommand: CliCommand = {
  define(command, terminal) {
    gateOptionsOf(
      runOutputsOf(
        scoringOptionsOf(
          command.argument("<run>", "id of a stored run, or a run file, plain or gzip; - is stdin"),
        ),
      ),
    )
      .addOption(
        new Option("--match <how>", "find expected chunks by id, or by document and span")
          .choices(["exact", "doc-span"])
          .default("exact"),
      )
      .option("-q, --per-query", "also the scores of every query, a line each")
      .option("--json", "print the aggregate as JSON")
      .option("--no-write", "do not write the scores into the store")
      .addHelpText(
        "after",
        examples(
          "aggregate baseline",
          "aggregate run.jsonl -g golden.yaml -m nDCG@10,AP --unit doc",
          "aggregate run.jsonl --html run.html",
          "aggregate baseline --json --no-write | jq .mrr",
        ),
      )
      .action(async (name: string, flags: AggregateFlags) => {
        if (flags.json === true && flags.perQuery === true)
          throw new InputError(
            "ARGUMENT",
            "--per-query does nothing with --json; `rankproof report RUN --json` has the scores of queries",
          );
        const gate = await openGate(flags);
        const sources = await sourcesFor([name], flags, terminal);
        const [{ run, store }] = sources.runs as [RunSource];
        const aggregate = computeAggregate(run, sources.golden, oneRunOptions(sources, flags));
        const held = gate?.holdAgainst(aggregate) ?? null;
        const isWanted = wantsRunReport(flags) || flags.perQuery === true;
        const reported = isWanted ? reportSource(sources, flags) : null;
        const settle = reported === null ? null : writeRunReport(reported, flags, terminal, held);
        if (store !== null && flags.write) {
          await storeAggregate(store, run.run_id, aggregate);
          terminal.talk(`wrote the scores into ${flags.store ?? DEFAULT_STORE}`);
        }
        terminal.out(flags.json === true ? formatJson(aggregate) : renderAggregateText(aggregate, terminal));
        if (reported !== null && flags.perQuery === true && flags.json !== true)
          terminal.out(`\n${renderRunScoreRows(reported.report)}`);
        for (const warning of renderWarningsText(aggregate))
          terminal.talk(`${terminal.paint("warning:", "strong")} ${warning}`);
        settle?.();
        if (held !== null) (await import("../open-gate.js")).settleGateOfScores(held, terminal);
      });
  },
};
