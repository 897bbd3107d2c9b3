import { computeParaphrases } from "../../index.js";
import { renderParaphrasesMd, renderParaphrasesText } from "../../report/index.js";
import { sourcesFor, type RunSource, type ScoringFlags } from "../sources.js";
import { examples, goldenOptionsOf, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";
import { OutputOption } from "../output-option.js";
import { writeOutput } from "../write-output.js";

interface ParaphrasesFlags extends ScoringFlags {
  json?: true;
  md?: string;
}

export const paraphrasesCommand: CliCommand = {
  define(command, terminal) {
    goldenOptionsOf(command.argument("<run>", "id of a stored run, or a run file, plain or gzip; - is stdin"))
      .option("--json", "print the report as JSON")
      .addOption(new OutputOption("--md <file>", "write the report as Markdown"))
      .addHelpText(
        "after",
        examples("paraphrases baseline", "paraphrases run.jsonl -g golden.yaml --md paraphrases.md"),
      )
      .action(async (name: string, flags: ParaphrasesFlags) => {
        const { golden, runs } = await sourcesFor([name], flags, terminal);
        const [{ run }] = runs as [RunSource];
        const report = computeParaphrases(run, golden, {
          textMatch: flags.ignoreCase === true ? "caseInsensitive" : undefined,
        });
        if (flags.md !== undefined) writeOutput(renderParaphrasesMd(report), flags.md, terminal);
        if (flags.md !== "-")
          terminal.out(flags.json === true ? formatJson(report) : renderParaphrasesText(report, terminal));
      });
  },
};
