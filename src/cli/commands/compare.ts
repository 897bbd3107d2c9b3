import { compareRuns, renderReportMd } from "../../index.js";
import { replaceFile, writeReport } from "../../node/index.js";
import { renderCompareText, renderWarningsText } from "../../report/index.js";
import { scoringOptions, sourcesFor, type RunSource, type ScoringFlags } from "../sources.js";
import { examples, printedJson, scoringOptionsOf, type CliCommand } from "./cli-command.js";

interface CompareFlags extends ScoringFlags {
  json?: true;
  md?: string;
  runsDir?: string;
  strictChunkerVersion?: true;
}

export const compareCommand: CliCommand = {
  define(program, terminal) {
    scoringOptionsOf(
      program.command("compare").description("compare two runs: what got better, what got worse, and for which queries").argument("<a>", "the baseline: id of a stored run, or a run file").argument("<b>", "the run that is held against it"),
    )
      .option("--json", "print the report as JSON")
      .option("--md <file>", "write the report as Markdown")
      .option("--runs-dir <dir>", "write the report to DIR/<run b>/report.md")
      .option("--strict-chunker-version", "refuse to compare runs of different chunkers (exit code 4)")
      .addHelpText("after", examples("compare before.jsonl after.jsonl -g golden.yaml", "compare baseline candidate --md report.md", "compare baseline candidate --json | jq .deltas.mrr"))
      .action(async (nameA: string, nameB: string, flags: CompareFlags) => {
        const { golden, runs, evidence } = await sourcesFor([nameA, nameB], flags, terminal);
        const [a, b] = runs as [RunSource, RunSource];
        const report = compareRuns(a.run, b.run, golden, { ...evidence, ...scoringOptions(flags), strictChunkerVersion: flags.strictChunkerVersion });
        if (flags.md !== undefined) {
          replaceFile(flags.md, renderReportMd(report));
          terminal.talk(`wrote ${flags.md}`);
        }
        if (flags.runsDir !== undefined) terminal.talk(`wrote ${writeReport(flags.runsDir, report)}`);
        terminal.out(flags.json === true ? printedJson(report) : renderCompareText(report, terminal));
        for (const warning of renderWarningsText(report)) terminal.talk(`${terminal.paint("warning:", "strong")} ${warning}`);
      });
  },
};
