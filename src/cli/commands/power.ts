import type { Command } from "commander";
import { InputError } from "../../index.js";
import { formatShare } from "../../foundation/numbers/index.js";
import { contentOf } from "../../node/evaluate/index.js";
import { renderComparisonPowerText, renderPowerText } from "../../report/index.js";
import { powerTable, USUAL_DEVIATION } from "../../stats/index.js";
import { numberOption, shareOption, wholeNumberOption } from "../number-flag.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import type { Terminal } from "../terminal.js";
import { type ScoreComparison, statisticsOf } from "../../records/index.js";
import { examples, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

interface PowerFlags {
  queries?: number;
  difference?: number;
  deviation?: number;
  alpha: number;
  power: number;
  json?: true;
}

export const powerCommand: CliCommand = {
  define(command, terminal) {
    command
      .argument("[result]", "what compare wrote with --json: the question for each of its metrics")
      .option(
        "--queries <n>",
        "size of the query set (default: a table of sizes)",
        wholeNumberOption("queries", 2),
      )
      .option(
        "--difference <x>",
        "the difference of means that should be found, such as 0.02",
        numberOption("difference"),
      )
      .option(
        "--deviation <x>",
        "how much differences vary from query to query, as a standard deviation (default: " +
          `${USUAL_DEVIATION})`,
        numberOption("deviation"),
      )
      .option("--alpha <x>", "significance level of the tests", shareOption("alpha"), 0.05)
      .option("--power <x>", "how often it should find what is there", shareOption("power"), 0.8)
      .option("--json", "print JSON")
      .addHelpText(
        "after",
        examples(
          "power report.json",
          "power --difference 0.02 --deviation 0.15",
          "power --queries 225 --difference 0.01",
        ),
      )
      .action(async (path: string | undefined, flags: PowerFlags, called: Command) => {
        if (path !== undefined) {
          refuseIdleOptions(called, FOR_QUESTIONS, `with ${path}, which has its own settings`);
          const { decodeText, parseResult } = await import("../../formats/index.js");
          const stored = parseResult(decodeText(await contentOf(path), path), path);
          const statistics =
            stored.kind === "report" || stored.kind === "comparison" ? statisticsOf(stored.result) : null;
          if (statistics === null)
            throw new InputError(
              "ARGUMENT",
              `${path}: has no statistics; compare two runs with \`compare --json\` first`,
            );
          ofComparison(statistics, flags, terminal);
        } else ofSizes(flags, terminal);
      });
  },
};

/** Of questions without a comparison. */
const FOR_QUESTIONS = ["queries", "difference", "deviation", "alpha", "power"];

/** What the queries of a comparison can tell, by its own significance level and power. */
function ofComparison(
  { comparisons, settings }: ScoreComparison,
  { json }: PowerFlags,
  terminal: Terminal,
): void {
  if (json === true) {
    terminal.out(
      formatJson(
        comparisons.flatMap(({ run, metrics }) =>
          metrics.map(({ metric, pairs, difference, detectable, queries_needed }) => ({
            run,
            metric,
            pairs,
            difference,
            detectable,
            queries_needed,
          })),
        ),
      ),
    );
    return;
  }
  terminal.out(renderComparisonPowerText({ comparisons }));
  terminal.talk(
    `detectable: the smallest difference that these queries find ${formatShare(settings.power)} of the ` +
      `time at alpha ${settings.alpha}; queries needed: for the difference that was observed`,
  );
}

function ofSizes(flags: PowerFlags, terminal: Terminal): void {
  const { alpha, power, deviation, difference, queries } = flags;
  if (difference === 0)
    throw new InputError("ARGUMENT", "--difference must be a number other than 0, got `0`");
  const table = powerTable({
    alpha,
    power,
    deviation,
    difference: difference === undefined ? undefined : Math.abs(difference),
    sizes: queries === undefined ? undefined : [queries],
  });
  terminal.out(flags.json === true ? formatJson(table) : renderPowerText(table));
  if (deviation === undefined && flags.json !== true)
    terminal.talk(
      `with a standard deviation of ${USUAL_DEVIATION} between queries, which is usual for ` +
        "nDCG@10; yours stands in a comparison: power report.json",
    );
}
