import { Option } from "commander";
import { decodeText, formatEvaluationPartial, parseEvaluationPartial } from "../../formats/index.js";
import { evaluationOfPartials, InputError, mergePartials } from "../../index.js";
import { contentOf, stemOf } from "../../node/evaluate/index.js";
import type { EvaluationPartial } from "../../records/index.js";
import type { EvaluateFlags } from "../evaluated-run.js";
import { checkAnswers, holdGate, printRuns, tellWarnings } from "../evaluation-printer.js";
import { gateOptionsOf, openGate } from "../gate-flags.js";
import { settleGateOfScores } from "../open-gate.js";
import { scoresOption } from "../scores-option.js";
import { writeOutput } from "../write-output.js";
import { examples, type CliCommand } from "./cli-command.js";

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
    scoresOption(gateOptionsOf(command))
      .argument("<partials...>", "files of `evaluate --partial`, or of `merge --output`; plain or gzip")
      .option("-q, --per-query", "also the scores of every query")
      .option("--json", "print JSON: aggregates at 4 decimals, with -q the scores of queries in full")
      .addOption(
        new Option("--format <format>", "table; tsv or csv in full precision")
          .choices(["table", "tsv", "csv"])
          .default("table"),
      )
      .option("-o, --output <file>", "write the merged partial, to be merged further, and print no scores")
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
      .action(async (paths: string[], flags: MergeFlags) => {
        const gate = await openGate(flags);
        const partials: EvaluationPartial[] = [];
        for (const path of paths) {
          terminal.progress(`reading ${path}`);
          partials.push(parseEvaluationPartial(decodeText(await contentOf(path), path), path));
        }
        if (flags.output !== undefined) {
          if (flags.json === true || flags.perQuery === true || flags.scores !== undefined || gate !== null)
            throw new InputError(
              "ARGUMENT",
              "--output writes a partial and no scores; --json, -q, --scores and gates go without it",
            );
          writeOutput(formatEvaluationPartial(mergePartials(partials)), flags.output, terminal);
          return;
        }
        const evaluation = evaluationOfPartials(partials, { isIncomplete: flags.incomplete === true });
        const named = [{ name: evaluation.run ?? stemOf(paths[0] ?? ""), evaluation }];
        if (flags.allowEmpty !== true) checkAnswers(evaluation, "the judgments", named[0]?.name ?? "the run");
        await printRuns(named, flags, terminal);
        tellWarnings(named, terminal);
        const held = holdGate(gate, named);
        if (held !== null) settleGateOfScores(held, terminal);
      });
  },
};
