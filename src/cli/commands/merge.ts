import { Option, type Command } from "commander";
import { decodeText, formatPartial, isAggregatePartial, parsePartial } from "../../formats/index.js";
import {
  aggregateOfPartials,
  evaluationOfPartials,
  InputError,
  mergeAggregatePartials,
  mergePartials,
} from "../../index.js";
import { contentOf, stemOf } from "../../node/evaluate/index.js";
import type { AggregatePartial, EvaluationPartial } from "../../records/index.js";
import { printAggregate, tellAggregateWarnings } from "../aggregate-printer.js";
import type { EvaluateFlags } from "../evaluated-run.js";
import { holdGate, printRuns, tellWarnings } from "../evaluation-printer.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import { refuseUnansweredEvaluation } from "../refuse-unanswered.js";
import { gateOptionsOf, openGate } from "../gate-flags.js";
import type { OpenGate } from "../open-gate.js";
import { scoresOption } from "../scores-option.js";
import type { Terminal } from "../terminal.js";
import { writeOutput } from "../write-output.js";
import { examples, type CliCommand } from "./cli-command.js";
import { OutputOption } from "../output-option.js";
import {
  gateFormsOf,
  refuseFormsWithoutGate,
  isRunFormPrinted,
  settleGateForms,
} from "../run-report-outputs.js";

interface MergeFlags extends Pick<
  EvaluateFlags,
  "gate" | "failUnder" | "json" | "perQuery" | "format" | "scores"
> {
  output?: string;
  incomplete?: true;
  allowEmpty?: true;
}

export const mergeCommand: CliCommand = {
  define(command, terminal) {
    scoresOption(gateFormsOf(gateOptionsOf(command)))
      .argument(
        "<partials...>",
        "files of `evaluate --partial`, of `aggregate --partial` or of `merge --output`; plain or gzip",
      )
      .option("-q, --per-query", "also the scores of every query")
      .option("--json", "print JSON: aggregates at 4 decimals, with -q the scores of queries in full")
      .addOption(
        new Option("--format <format>", "table; tsv or csv in full precision")
          .choices(["table", "tsv", "csv"])
          .default("table"),
      )
      .addOption(
        new OutputOption(
          "-o, --output <file>",
          "write the merged partial, to be merged further, and print no scores",
        ),
      )
      .option("--incomplete", "go on without the shards that are missing, with a warning")
      .option("--allow-empty", "go on with a run that is empty, or that answers no judged query")
      .addHelpText(
        "after",
        examples(
          "evaluate qrels.txt run.txt --shard 1/2 --partial p1.json",
          "evaluate qrels.txt run.txt --shard 2/2 --partial p2.json",
          "merge p1.json p2.json --json    # the bytes of `rankproof evaluate qrels.txt run.txt --json`",
        ),
      )
      .action(async (paths: string[], flags: MergeFlags, called: Command) => {
        if (flags.output !== undefined)
          refuseIdleOptions(called, FOR_SCORES, "with --output, which writes a partial and no scores");
        if (flags.json === true) refuseIdleOptions(called, ["format"], "with --json");
        const gate = await openGate(flags);
        refuseFormsWithoutGate(flags, gate);
        const evaluations: EvaluationPartial[] = [];
        const aggregates: AggregatePartial[] = [];
        for (const path of paths) {
          terminal.progress(`reading ${path}`);
          const partial = parsePartial(decodeText(await contentOf(path), path), path);
          if (isAggregatePartial(partial)) aggregates.push(partial);
          else evaluations.push(partial);
        }
        if (aggregates.length > 0 && evaluations.length > 0)
          throw new InputError(
            "PARTIAL_CONFLICT",
            "some partials are of `aggregate` and some of `evaluate`, which do not belong together",
          );
        if (aggregates.length > 0) await mergeAggregates(aggregates, flags, gate, terminal);
        else await mergeEvaluations(evaluations, paths[0] ?? "", flags, gate, terminal);
      });
  },
};

const FOR_SCORES = ["json", "perQuery", "format", "scores", "gate", "failUnder", "incomplete", "allowEmpty"];

async function mergeAggregates(
  partials: readonly AggregatePartial[],
  flags: MergeFlags,
  gate: OpenGate | null,
  terminal: Terminal,
): Promise<void> {
  if (flags.perQuery === true || flags.scores !== undefined || (flags.format ?? "table") !== "table")
    throw new InputError(
      "ARGUMENT",
      "partials of `aggregate` become one aggregate, as a table or with --json; -q, --scores and --format " +
        "go with those of `evaluate`",
    );
  if (flags.output !== undefined)
    return writeOutput(formatPartial(mergeAggregatePartials(partials)), flags.output, terminal);
  const aggregate = aggregateOfPartials(partials, { isIncomplete: flags.incomplete === true });
  if (!isRunFormPrinted(flags)) printAggregate(aggregate, flags.json === true, terminal);
  tellAggregateWarnings(aggregate, terminal);
  await settleGateForms(gate?.holdAgainst(aggregate) ?? null, flags, terminal);
}

async function mergeEvaluations(
  partials: readonly EvaluationPartial[],
  firstPath: string,
  flags: MergeFlags,
  gate: OpenGate | null,
  terminal: Terminal,
): Promise<void> {
  if (flags.output !== undefined)
    return writeOutput(formatPartial(mergePartials(partials)), flags.output, terminal);
  const evaluation = evaluationOfPartials(partials, { isIncomplete: flags.incomplete === true });
  const named = [{ name: evaluation.run ?? stemOf(firstPath), evaluation }];
  if (flags.allowEmpty !== true)
    refuseUnansweredEvaluation({ run: named[0]?.name ?? "the run", source: "the judgments" }, evaluation);
  await printRuns(named, flags, terminal);
  tellWarnings(named, terminal);
  await settleGateForms(holdGate(gate, named), flags, terminal);
}
