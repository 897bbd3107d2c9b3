import { parseResult, decodeText } from "../../formats/index.js";
import { contentOf } from "../../node/evaluate/index.js";
import {
  benchOutputs,
  comparisonOutputs,
  renderAggregateText,
  renderEvaluationsText,
} from "../../report/index.js";
import { InputError } from "../../index.js";
import { gateOptionsOf, openGate } from "../gate-flags.js";
import { outputNames, wantedOutputs } from "../output-flags.js";
import { reportOptionsOf, writeComparison, type ReportFlags } from "../report-outputs.js";
import { examples, printedJson, type CliCommand } from "./cli-command.js";

export const reportCommand: CliCommand = {
  define(command, terminal) {
    gateOptionsOf(
      reportOptionsOf(
        command.argument("<file>", "what compare, aggregate, evaluate or bench wrote as JSON; - is stdin"),
      ),
    )
      .addHelpText(
        "after",
        examples(
          "report report.json --html report.html",
          "report report.json --gate gates.txt --junit report.xml",
          "compare before.jsonl after.jsonl --json | rankproof report - --md report.md",
        ),
      )
      .action(async (file: string, flags: ReportFlags) => {
        const gate = await openGate(flags);
        const stored = parseResult(decodeText(await contentOf(file), file), file);
        if (stored.kind === "report" || stored.kind === "comparison") {
          await writeComparison(stored.result, flags, gate, terminal);
          return;
        }
        if (stored.kind === "bench") {
          if (gate !== null)
            throw new InputError(
              "ARGUMENT",
              `${file}: holds a benchmark, which \`bench decide --fail-under\` holds against limits; ` +
                "--gate and --fail-under of this command are for comparisons and scores",
            );
          const ofComparisons = comparisonOutputs.filter(
            ({ name }) => !benchOutputs.some((output) => output.name === name),
          );
          if (wantedOutputs(flags, ofComparisons).length > 0)
            throw new InputError(
              "ARGUMENT",
              `${file}: holds a benchmark, which is written with ` +
                `${outputNames(benchOutputs, "or", "--json")}; ` +
                `${outputNames(ofComparisons, "and")} are for comparisons`,
            );
          // Comparisons are rendered without loading what measures.
          const { writeBench } = await import("../bench-outputs.js");
          await writeBench(stored.result, flags, [], terminal);
          return;
        }
        if (wantedOutputs(flags, comparisonOutputs).length > 0)
          throw new InputError(
            "ARGUMENT",
            `${file}: holds the scores of one run, which are shown as a table or JSON; ` +
              `${outputNames(comparisonOutputs, "and")} are for comparisons`,
          );
        if (flags.json === true) terminal.out(printedJson(stored.result));
        else
          terminal.out(
            stored.kind === "aggregate"
              ? renderAggregateText(stored.result, terminal)
              : renderEvaluationsText([{ name: stored.result.run ?? file, record: stored.result }], terminal),
          );
        if (gate !== null)
          (await import("../open-gate.js")).settleGateOfScores(gate.holdAgainst(stored.result), terminal);
      });
  },
};
