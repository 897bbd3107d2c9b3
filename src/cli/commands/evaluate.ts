import { Option, type Command } from "commander";
import { InputError, profileNames, TrecEvalOutput, trecOutputLines } from "../../index.js";
import { loadQrels } from "../../node/evaluate/index.js";
import { scoreTableFormats, runOutputCards } from "../../report/index.js";
import { collect } from "../collect.js";
import {
  evaluateByName,
  refuseUnansweredAsTrecEval,
  tellOrigin,
  type EvaluateFlags,
} from "../evaluated-run.js";
import { isScoreTable, printScores } from "../evaluation-printer.js";
import { gateOptionsOf, openGate, settleHeld } from "../gate-flags.js";
import { usualMetricNames } from "../metric-names.js";
import { wholeNumberOption } from "../number-flag.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import { runForms, runOutputNames, runOutputsOf, wantsRunReport } from "../run-report-outputs.js";
import { scoresOption } from "../scores-option.js";
import type { Terminal } from "../terminal.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";
import { shardOptionsOf } from "../shard-options.js";
import { outputNames } from "../output-flags.js";

const EXAMPLES = examples(
  "evaluate qrels.txt bm25.run dense.run",
  "evaluate qrels.txt run.txt.gz -m nDCG@10,AP,R@100 --bounds",
  "evaluate qrels.txt run.txt --html run.html --queries queries.jsonl --corpus corpus.jsonl",
  "evaluate qrels.txt run.txt --format trec_eval -m all_trec -q -c    # same lines as trec_eval",
  "evaluate qrels.txt run.txt --shard 3/16 --partial p3.json    # and then: rankproof merge p*.json",
  "evaluate qrels.tsv run.json --format tsv -q > scores.tsv",
  "evaluate qrels.txt bm25.run dense.run hybrid.run --format latex > table.tex",
);

export const evaluateCommand: CliCommand = {
  define(command, terminal) {
    shardOptionsOf(
      scoresOption(storeOption(gateOptionsOf(runOutputsOf(command)))),
      "score",
      "write the shard's scores for `rankproof merge`, and print none; - is stdout",
    )
      .argument(
        "<qrels>",
        "judgments: TREC qrels, BEIR or any TSV/CSV with a header, JSON, JSONL, _rank_eval, a " +
          "golden set; plain, gzip or Parquet; - is stdin",
      )
      .argument(
        "<runs...>",
        "runs: TREC, CSV, JSON, JSONL, _rank_eval, rankproof, or ids of stored ones; several are shown " +
          "side by side",
      )
      .option(
        "-m, --metrics <names>",
        "such as nDCG@10,AP,RR; `all`; trec_eval's names; may be repeated " +
          `(default: ${usualMetricNames.join(",")})`,
        collect,
      )
      .option("-q, --per-query", "also the scores of every query")
      .addOption(new Option("-p, --profile <name>", "score as another tool does").choices(profileNames))
      .option("--json", "print JSON: aggregates at 4 decimals, with -q the scores of queries in full")
      .addOption(
        new Option(
          "--format <format>",
          "table; tsv or csv in full precision; trec_eval's own lines; or a table for a text, the best in " +
            "bold, with letters of runs that are not shown to differ: md, html, latex",
        )
          .choices(["table", "tsv", "csv", "trec_eval", ...scoreTableFormats])
          .default("table"),
      )
      .option(
        "-c, --complete",
        "average over all judged queries (the default but for profiles that leave unanswered ones out)",
      )
      .option("-l, --level <grade>", "the lowest grade that is relevant", wholeNumberOption("level"))
      .option("-M, --depth <n>", "look at the top n of each query only", wholeNumberOption("depth"))
      .option("-J, --judged-only", "leave unjudged hits out of the rankings first")
      .addOption(
        new Option(
          "--ties <how>",
          "hits of equal score: by id as trec_eval, as the mean over all orders, or as in the file",
        ).choices(["trec", "expected", "input"]),
      )
      .addOption(
        new Option(
          "--without-relevant <how>",
          "queries without anything relevant score 0, are skipped, or score 1",
        ).choices(["zero", "skip", "one"]),
      )
      .option("--tie-spread", "also the scores with tied hits in the worst and in the best order")
      .option("--bounds", "also what the scores could be, were every unjudged hit judged")
      .option("--allow-empty", "go on with a run that is empty, or that answers no judged query")
      .option("--strict", "refuse a run with an item twice in one query")
      .option(
        "--queries <file>",
        "words and labels of the queries, for --md and --html: JSONL such as BEIR's queries.jsonl, lines " +
          "of id and words, or a golden set",
      )
      .option("--corpus <file>", "documents, for the texts of hits in --html: JSONL or JSON, plain or gzip")
      .option("--subtopics", "the second column of the qrels is the subtopic")
      .addOption(
        new Option("--unit <unit>", "which ids of golden sets and recorded runs")
          .choices(["chunk", "doc"])
          .default("doc"),
      )
      .addHelpText("after", EXAMPLES)
      .action(async (qrelsPath: string, paths: string[], flags: EvaluateFlags, called: Command) => {
        refuseIdleOutputs(paths, flags, called);
        if (flags.partial !== undefined)
          await (await import("../partial-writer.js")).writePartial(qrelsPath, paths, flags, terminal);
        else if (flags.format === "trec_eval") await printAsTrecEval(qrelsPath, paths, flags, terminal);
        else await printScores(qrelsPath, paths, flags, terminal);
      });
  },
};

async function printAsTrecEval(
  qrelsPath: string,
  paths: readonly string[],
  flags: EvaluateFlags,
  terminal: Terminal,
): Promise<void> {
  const gate = await openGate(flags);
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0)
    throw new InputError("ARGUMENT", "--format trec_eval takes one run, as trec_eval does");
  const profile = flags.profile ?? "trec_eval";
  const output = new TrecEvalOutput(
    trecOutputLines(flags.metrics ?? [], { level: flags.level, profile, isComplete: flags.complete }),
  );
  const qrels = await loadQrels(qrelsPath, { unit: flags.unit });
  const evaluation = await evaluateByName(path, qrels, output.metrics, flags, terminal, {
    profile,
    ...(flags.perQuery && { onQuery: output.onQuery }),
  });
  refuseUnansweredAsTrecEval(evaluation, qrelsPath, path);
  for (const part of output.render(evaluation, flags.perQuery === true)) terminal.out(part);
  tellOrigin(qrels, terminal);
  await settleHeld(gate?.holdAgainst(evaluation.record()) ?? null, terminal);
}

/** @throws InputError `ARGUMENT` for a page or text that there is none of, and for what only these show. */
function refuseIdleOutputs(paths: readonly string[], flags: EvaluateFlags, called: Command): void {
  const isWanted = wantsRunReport(flags);
  if (flags.json === true) refuseIdleOptions(called, ["format"], "with --json");
  if (isScoreTable(flags.format)) refuseIdleOptions(called, ["perQuery"], `with --format ${flags.format}`);
  if (flags.format === "trec_eval")
    refuseIdleOptions(
      called,
      ["scores", ...runForms.map(({ name }) => name)],
      "with --format trec_eval, which prints what trec_eval prints",
    );
  if (flags.format !== "table" && flags.json !== true && !isWanted)
    refuseIdleOptions(
      called,
      ["tieSpread", "bounds"],
      `with --format ${flags.format}, which has scores alone`,
    );
  if (isWanted && paths.length > 1)
    throw new InputError(
      "ARGUMENT",
      `${runOutputNames} are about one run here; \`rankproof compare --qrels\` writes those of several`,
    );
  if (!isWanted)
    refuseIdleOptions(called, ["queries", "corpus"], `without ${outputNames(runOutputCards, "or")}`);
  else if (called.getOptionValue("html") === undefined)
    refuseIdleOptions(called, ["corpus"], "without --html: it has texts, which Markdown does not show");
}
