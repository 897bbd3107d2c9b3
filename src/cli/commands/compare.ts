import { Option, type Command } from "commander";
import { compareRuns, compareSeveralRuns, profileNames, type ProfileName } from "../../index.js";
import { collect } from "../collect.js";
import { refuseIdleOptions, refuseIdleUnit } from "../refuse-idle-options.js";
import type { ComparedFilesFlags } from "../compared-files.js";
import { goldenMetrics } from "../../compare/index.js";
import { gateOptionsOf, openGate } from "../gate-flags.js";
import { reportTexts, scoreTableFormats } from "../../report/index.js";
import {
  reportOptionsOf,
  writeComparison,
  type TextedComparison,
  type ReportFlags,
} from "../report-outputs.js";
import type { ScoringFlags } from "../sources.js";
import { statisticsOptions, statisticsOptionsOf, type StatisticsFlags } from "../statistics-flags.js";
import type { Terminal } from "../terminal.js";
import { examples, scoringOptionsOf, type CliCommand } from "./cli-command.js";

interface CompareFlags extends ScoringFlags, ReportFlags, StatisticsFlags {
  qrels?: string;
  queries?: string;
  channel?: string[];
  profile?: ProfileName;
  strictChunkerVersion?: true;
}

export const compareCommand: CliCommand = {
  define(command, terminal) {
    command
      .argument("<a>", "the baseline: id of a stored run, or a run file, plain or gzip; - is stdin")
      .argument("<b>", "the run to compare with it, given in the same way")
      .argument("[more...]", "further runs");
    gateOptionsOf(statisticsOptionsOf(reportOptionsOf(scoringOptionsOf(command))))
      .option(
        "--qrels <file>",
        "judgments of any known format instead of a golden set; runs may then be of any format, too",
      )
      .option(
        "--queries <file>",
        "with --qrels: words and labels of the queries: JSONL such as BEIR's queries.jsonl, lines " +
          "of id and words, or a golden set",
      )
      .option(
        "--channel <run:name=file>",
        "with --qrels: a ranking that a run was fused of, for the diagnosis of losses; may be repeated",
        collect,
      )
      .addOption(
        new Option("-p, --profile <name>", "with --qrels: score as another tool does").choices(profileNames),
      )
      .addOption(
        new Option(
          "--format <format>",
          "print one table of all runs instead, the best in bold, with letters of runs that do not differ " +
            "significantly",
        ).choices(scoreTableFormats),
      )
      .option("--runs-dir <dir>", "write the report to DIR/<run b>/report.md")
      .option("--strict-chunker-version", "refuse to compare runs of different chunkers (exit code 4)")
      .addHelpText(
        "after",
        examples(
          "compare before.jsonl after.jsonl -g golden.yaml",
          "compare baseline candidate --md report.md --html report.html",
          "compare bm25.run dense.run hybrid.run --qrels qrels.txt -m nDCG@10,AP --guard R@100",
          "compare main.jsonl branch.jsonl -m nDCG@10 --gate gates.txt --fail-under nDCG@10=0.45 " +
            "--junit report.xml",
          "compare baseline candidate --json | jq .statistics.comparisons[0].verdict",
        ),
      )
      .action(async (nameA: string, nameB: string, more: string[], flags: CompareFlags, called: Command) => {
        refuseIdleFlags(called, flags.qrels !== undefined, more.length > 0);
        const gate = await openGate(flags);
        const names = [nameA, nameB, ...more];
        const { comparison, texts } =
          flags.qrels === undefined
            ? await compareNamedRuns(names, flags, terminal)
            : await (
                await import("../compared-files.js")
              ).readComparedFiles(names, filesFlags(flags, called), terminal);
        await writeComparison(comparison, flags, gate, terminal, texts);
      });
  },
};

const FOR_QRELS = ["queries", "channel", "profile"];
const FOR_GOLDEN_SETS = ["missing", "ignoreCase", "runsDir", "strictChunkerVersion"];

function refuseIdleFlags(called: Command, hasQrels: boolean, hasMore: boolean): void {
  refuseIdleOptions(
    called,
    hasQrels ? FOR_GOLDEN_SETS : FOR_QRELS,
    `${hasQrels ? "with" : "without"} --qrels`,
  );
  if (hasQrels && called.getOptionValue("html") === undefined)
    refuseIdleOptions(called, ["corpus"], "here without --html, whose page shows texts");
  if (!hasQrels) refuseIdleUnit(called);
  if (hasMore) refuseIdleOptions(called, ["runsDir"], "with more than two runs, whose report --md writes");
}

/** With judgments the unit is that of TREC's files, unless it was asked for another one. */
function filesFlags(flags: CompareFlags, called: Command): ComparedFilesFlags & { qrels: string } {
  const unit = called.getOptionValueSource("unit") === "default" ? "doc" : (flags.unit ?? "doc");
  const queries =
    flags.queries ?? (called.getOptionValueSource("golden") === "default" ? undefined : flags.golden);
  const { qrels, metrics, profile, channel } = flags as CompareFlags & { qrels: string };
  return {
    qrels,
    metrics,
    profile,
    channel,
    unit,
    queries,
    store: flags.store,
    corpus: flags.text === false ? undefined : flags.corpus,
    statistics: statisticsOptions(flags),
    allowEmpty: flags.allowEmpty === true,
  };
}

async function compareNamedRuns(
  names: readonly string[],
  flags: CompareFlags,
  terminal: Terminal,
): Promise<TextedComparison> {
  const { scoringOptions, sourcesFor } = await import("../sources.js");
  const { golden, runs, evidence } = await sourcesFor(names, flags, terminal);
  const scoring = scoringOptions(flags);
  const decisive = goldenMetrics(flags.metrics, statisticsOptions(flags));
  const options = { ...evidence, ...scoring, ...decisive, strictChunkerVersion: flags.strictChunkerVersion };
  terminal.progress(`comparing ${names.length} runs`);
  const given = runs.map(({ run }) => run);
  const [a, b, ...more] = given;
  return {
    comparison:
      a === undefined || b === undefined || more.length > 0
        ? compareSeveralRuns(given, golden, options)
        : compareRuns(a, b, golden, options),
    texts: () =>
      reportTexts({ runs: given, golden, chunks: evidence.corpus?.chunks, textMatch: scoring.textMatch }),
  };
}
