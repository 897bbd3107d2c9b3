import { Option } from "commander";
import {
  evaluate,
  InputError,
  leaderboardOf,
  profileNames,
  tableOfEvaluation,
  type EvaluateOptions,
  type Evaluation,
  type ProfileName,
} from "../../index.js";
import type { Metric } from "../../metrics/index.js";
import { evaluateFile, loadQrels, stemOf, type LoadedQrels } from "../../node/evaluate/index.js";
import {
  boardOfEvaluations,
  renderEvaluationRows,
  renderEvaluationsText,
  renderScoreTable,
  scoreTableFormats,
  type BoardLetters,
  type ScoreTableFormat,
} from "../../report/index.js";
import { gateOptionsOf, openGate, type GateFlags } from "../gate-flags.js";
import { metricsToEvaluate } from "../metric-names.js";
import { wholeNumber } from "../number-flag.js";
import { refuseUnanswered } from "../refuse-unanswered.js";
import { runOutputsOf, wantsRunReport, writeRunReport, type TextFlags } from "../run-report-outputs.js";
import { storedRun } from "../runs-by-name.js";
import { plainLine, type Terminal } from "../terminal.js";
import { disambiguateNames } from "../disambiguate-names.js";
import { TrecEvalOutput, trecOutputLines } from "../trec-eval-output.js";
import { examples, printedJson, storeOption, type CliCommand } from "./cli-command.js";

interface EvaluateFlags extends GateFlags, TextFlags {
  metrics?: string[];
  perQuery?: true;
  profile?: ProfileName;
  json?: true;
  format: "table" | "tsv" | "csv" | "trec_eval" | ScoreTableFormat;
  complete?: true;
  level?: number;
  depth?: number;
  judgedOnly?: true;
  ties?: "trec" | "expected" | "input";
  withoutRelevant?: "zero" | "skip" | "one";
  tieSpread?: true;
  bounds?: true;
  strict?: true;
  allowEmpty?: true;
  subtopics?: true;
  queries?: string;
  corpus?: string;
  store?: string;
  unit: "chunk" | "doc";
}

interface NamedRun {
  readonly name: string;
  readonly evaluation: Evaluation;
}

const collected = (name: string, before: string[] = []): string[] => [...before, name];

export const evaluateCommand: CliCommand = {
  define(command, terminal) {
    storeOption(gateOptionsOf(runOutputsOf(command)))
      .argument(
        "<qrels>",
        "judgments: TREC qrels, BEIR or any TSV/CSV with a header, JSON, JSONL, _rank_eval, a " +
          "golden set; plain or gzip; - is stdin",
      )
      .argument(
        "<runs...>",
        "runs: TREC, CSV, JSON, JSONL, _rank_eval, rankproof, or ids of stored ones; several are shown " +
          "side by side",
      )
      .option(
        "-m, --metrics <names>",
        "such as nDCG@10,AP,RR; `all`; trec_eval's names; may be repeated",
        collected,
      )
      .option("-q, --per-query", "also the scores of every query")
      .addOption(new Option("-p, --profile <name>", "score as another tool does").choices(profileNames))
      .option("--json", "print JSON: aggregates at 4 decimals, with -q the scores of queries in full")
      .addOption(
        new Option(
          "--format <format>",
          "table; tsv or csv in full precision; trec_eval's own lines; or a table for a text, the best in " +
            "bold, with letters of runs that do not differ significantly: md, html, latex",
        )
          .choices(["table", "tsv", "csv", "trec_eval", ...scoreTableFormats])
          .default("table"),
      )
      .option(
        "-c, --complete",
        "average over all judged queries (the default but for profiles that leave unanswered ones out)",
      )
      .option("-l, --level <grade>", "the lowest grade that is relevant", wholeNumber("level"))
      .option("-M, --depth <n>", "look at the top n of each query only", wholeNumber("depth"))
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
      .addHelpText(
        "after",
        examples(
          "evaluate qrels.txt bm25.run dense.run",
          "evaluate qrels.txt run.txt.gz -m nDCG@10,AP,R@100 --bounds",
          "evaluate qrels.txt run.txt --html run.html --queries queries.jsonl --corpus corpus.jsonl",
          "evaluate qrels.txt run.txt --format trec_eval -m all_trec -q -c    # same lines as trec_eval",
          "evaluate qrels.tsv run.json --format tsv -q > scores.tsv",
          "evaluate qrels.txt bm25.run dense.run hybrid.run --format latex > table.tex",
        ),
      )
      .action(async (qrelsPath: string, paths: string[], flags: EvaluateFlags) => {
        refuseIdleOutputs(paths, flags);
        if (flags.format === "trec_eval") await printAsTrecEval(qrelsPath, paths, flags, terminal);
        else await printScores(qrelsPath, paths, flags, terminal);
      });
  },
};

function optionsOf(flags: EvaluateFlags): EvaluateOptions {
  return {
    unit: flags.unit,
    ...(flags.profile && { profile: flags.profile }),
    ...(flags.complete && { queries: "judged" }),
    ...(flags.depth && { depth: flags.depth }),
    ...(flags.judgedOnly && { unjudged: "remove" }),
    ...(flags.ties && { ties: flags.ties }),
    ...(flags.withoutRelevant && { noRelevant: flags.withoutRelevant }),
    ...(flags.tieSpread && { tieSpread: true }),
    ...(flags.bounds && { bounds: true }),
    ...(flags.strict && { duplicates: "error" }),
  };
}

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
    trecOutputLines(flags.metrics ?? [], flags.level ?? 1, profile, flags.complete === true),
  );
  const qrels = await loadQrels(qrelsPath, { unit: flags.unit });
  const evaluation = await evaluatedByName(path, qrels, output.metrics, flags, {
    profile,
    ...(flags.perQuery && { onQuery: output.onQuery }),
  });
  refuseUnansweredAsTrecEval(evaluation, qrelsPath, path);
  for (const part of output.render(evaluation, flags.perQuery === true)) terminal.out(part);
  tellOrigin(qrels, terminal);
  if (gate !== null)
    (await import("../open-gate.js")).settleGateOfScores(gate.holdAgainst(evaluation.record()), terminal);
}

/**
 * Means over no query read like those of a bad run.
 *
 * @throws InputError `RUN_UNANSWERED` where trec_eval is followed and the run answers no judged query.
 */
function refuseUnansweredAsTrecEval(
  { conventions, counts, missingQueries }: Evaluation,
  qrelsPath: string,
  path: string,
): void {
  const [judged] = missingQueries;
  if (!conventions.profile.startsWith("trec_eval") || counts.hits > 0 || judged === undefined) return;
  throw new InputError(
    "RUN_UNANSWERED",
    `${path}: answers none of the ${missingQueries.length} queries that ${qrelsPath} judges, which ` +
      `trec_eval refuses; do both files name queries the same way, as in \`${plainLine(judged)}\`, and ` +
      "are they of one collection?",
  );
}

/** @throws InputError `RUN_EMPTY`, `RUN_OUTSIDE_GOLDEN_SET` where the run answers no judged query. */
function checkAnswers(
  { answered, missingQueries, firstUnjudgedQuery }: Evaluation,
  qrelsPath: string,
  path: string,
): void {
  const [wanted] = missingQueries;
  if (answered > 0 || wanted === undefined) return;
  refuseUnanswered({ run: path, source: qrelsPath, answered: firstUnjudgedQuery ?? undefined, wanted });
}

async function printScores(
  qrelsPath: string,
  paths: readonly string[],
  flags: EvaluateFlags,
  terminal: Terminal,
): Promise<void> {
  const gate = await openGate(flags);
  const metrics = metricsToEvaluate(
    flags.metrics?.join(),
    flags.subtopics === true,
    flags.profile ?? "default",
    flags.level,
  );
  const subtopics =
    flags.subtopics === true || metrics.some(({ definition }) => definition.needs === "subtopics");
  const qrels = await loadQrels(qrelsPath, { unit: flags.unit, subtopics });
  if (qrels.hasFractions())
    terminal.talk(
      `${terminal.paint("warning:", "strong")} most grades of ${plainLine(qrelsPath)} are ` +
        "fractions; are the run and the judgments exchanged?",
    );
  const runs: NamedRun[] = [];
  for (const path of paths) {
    terminal.progress(`scoring ${path}`);
    const evaluation = await evaluatedByName(path, qrels, metrics, flags);
    refuseUnansweredAsTrecEval(evaluation, qrelsPath, path);
    if (flags.allowEmpty !== true) checkAnswers(evaluation, qrelsPath, path);
    runs.push({ name: evaluation.run ?? stemOf(path), evaluation });
  }
  const names = disambiguateNames(
    runs.map(({ name }) => name),
    paths,
  );
  const named = runs.map(({ evaluation }, index) => ({ name: names[index] as string, evaluation }));
  if (flags.json === true) terminal.out(printedJson(jsonOf(named, flags.perQuery === true)));
  else if (flags.format === "table") {
    terminal.out(
      renderEvaluationsText(
        named.map(({ name, evaluation }) => ({ name, record: evaluation.record() })),
        terminal,
      ),
    );
    if (flags.perQuery === true)
      terminal.out(`\n${renderEvaluationRows(named, { separator: "\t", perQuery: true })}`);
  } else if (isScoreTable(flags.format)) {
    const records = named.map(({ name, evaluation }) => ({ name, record: evaluation.record() }));
    terminal.out(renderScoreTable(boardOfEvaluations(records, lettersOf(named)), flags.format));
  } else
    terminal.out(
      renderEvaluationRows(named, {
        separator: flags.format === "tsv" ? "\t" : ",",
        perQuery: flags.perQuery === true,
      }),
    );
  tellOrigin(qrels, terminal);
  for (const { evaluation } of named) {
    const warning = doubt(evaluation);
    if (warning !== null) terminal.talk(`${terminal.paint("warning:", "strong")} ${warning}`);
    for (const { message } of evaluation.warnings)
      terminal.talk(`${terminal.paint("warning:", "strong")} ${plainLine(message)}`);
  }
  const rules = named.flatMap(
    ({ name, evaluation }) => gate?.holdAgainst({ ...evaluation.record(), run: name }).rules ?? [],
  );
  const held =
    gate === null ? null : { schema_version: 1 as const, passed: rules.every(({ passed }) => passed), rules };
  if (wantsRunReport(flags)) {
    const { evaluatedReport } = await import("../evaluated-report.js");
    const source = { path: paths[0] as string, name: names[0] as string, qrelsPath, qrels, metrics };
    const reported = await evaluatedReport(source, optionsOf(flags), flags);
    writeRunReport(reported, flags, terminal, held)();
  }
  if (held !== null) (await import("../open-gate.js")).settleGateOfScores(held, terminal);
}

/** Says it where judgments are labels of a model. */
function tellOrigin({ warnings }: LoadedQrels, terminal: Terminal): void {
  for (const { message } of warnings)
    terminal.talk(`${terminal.paint("warning:", "strong")} ${plainLine(message)}`);
}

function isScoreTable(format: EvaluateFlags["format"]): format is ScoreTableFormat {
  return scoreTableFormats.some((name) => name === format);
}

/** What tells which runs differ; null where there is nothing to compare. */
function lettersOf(runs: readonly NamedRun[]): BoardLetters | null {
  const tables = runs.map(({ name, evaluation }) => tableOfEvaluation(evaluation, name));
  return tables.length < 2 || tables.some(({ metrics }) => metrics.length === 0)
    ? null
    : { leaderboard: leaderboardOf(tables, LETTERS), settings: LETTERS };
}

/** The usual settings, which the note below the table tells. */
const LETTERS = { correction: "holm", alpha: 0.05 } as const;

/** A run by its file, else a stored one by its id. */
async function evaluatedByName(
  name: string,
  qrels: LoadedQrels,
  metrics: readonly Metric[],
  flags: EvaluateFlags,
  more: EvaluateOptions = {},
): Promise<Evaluation> {
  const options = { ...optionsOf(flags), ...more };
  const stored = await storedRun(name, flags.store);
  return stored === null
    ? evaluateFile(name, qrels, metrics, options)
    : evaluate(stored, qrels.qrels(), metrics, options);
}

/** @throws InputError `ARGUMENT` for a page or text that there is none of, and for what only these show. */
function refuseIdleOutputs(paths: readonly string[], flags: EvaluateFlags): void {
  const isWanted = wantsRunReport(flags);
  if (isWanted && flags.format === "trec_eval")
    throw new InputError(
      "ARGUMENT",
      "--format trec_eval prints what trec_eval prints; --md and --html go with the other formats",
    );
  if (isWanted && flags.corpus !== undefined && Reflect.get(flags, "html") === undefined)
    throw new InputError(
      "ARGUMENT",
      "--corpus has texts for --html, which Markdown does not show; leave it out",
    );
  if (isWanted && paths.length > 1)
    throw new InputError(
      "ARGUMENT",
      "--md and --html are about one run here; `rankproof compare --qrels` writes those of several",
    );
  for (const name of ["queries", "corpus"] as const)
    if (!isWanted && flags[name] !== undefined)
      throw new InputError("ARGUMENT", `--${name} does nothing without --md or --html; leave it out`);
}

/** What makes the numbers worthless although nothing is wrong with any line. */
function doubt({ counts }: Evaluation): string | null {
  if (counts.hits > 0 && counts.unjudged_hits === counts.hits)
    return `none of the ${counts.hits} hits is judged; do the item ids agree, and is --unit right?`;
  return null;
}

function jsonOf(runs: readonly NamedRun[], perQuery: boolean): unknown {
  const records = runs.map(({ name, evaluation }) => ({ ...evaluation.record({ perQuery }), run: name }));
  return records.length === 1 ? records[0] : records;
}
