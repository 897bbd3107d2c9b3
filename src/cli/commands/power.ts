import type { Command } from "commander";
import { InputError } from "../../index.js";
import { quote } from "../../foundation/errors/index.js";
import { contentOf } from "../../node/evaluate/index.js";
import { renderComparisonPowerText, renderPowerText } from "../../report/index.js";
import { powerTable, USUAL_DEVIATION } from "../../stats/index.js";
import type { Terminal } from "../terminal.js";
import { type ScoreComparison, statisticsOf } from "../../records/index.js";
import { examples, formatJson, type CliCommand } from "./cli-command.js";

interface PowerFlags {
  queries?: string;
  difference?: string;
  deviation?: string;
  alpha: string;
  power: string;
  json?: true;
}

export const powerCommand: CliCommand = {
  define(command, terminal) {
    command
      .argument("[result]", "what compare wrote with --json: the question for each of its metrics")
      .option("--queries <n>", "size of the query set (default: a table of sizes)")
      .option("--difference <x>", "the difference of means that should be found, such as 0.02")
      .option(
        "--deviation <x>",
        "how much differences vary from query to query, as a standard deviation (default: " +
          `${USUAL_DEVIATION})`,
      )
      .option("--alpha <x>", "significance level of the tests", "0.05")
      .option("--power <x>", "how often it should find what is there", "0.8")
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
        const options = {
          alpha: numberOf("--alpha", flags.alpha, "above 0 and below 1", (value) => value > 0 && value < 1),
          power: numberOf("--power", flags.power, "above 0 and below 1", (value) => value > 0 && value < 1),
        };
        if (path !== undefined) {
          const [useless] = (["queries", "difference", "deviation", "alpha", "power"] as const).filter(
            (name) => called.getOptionValueSource(name) === "cli",
          );
          if (useless !== undefined)
            throw new InputError(
              "ARGUMENT",
              `--${useless} is for questions without a comparison; ${path} has its own settings`,
            );
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
        } else ofSizes(flags, options, terminal);
      });
  },
};

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
    `detectable: the smallest difference that these queries find ${settings.power * 100} % of the ` +
      `time at alpha ${settings.alpha}; queries needed: for the difference that was observed`,
  );
}

function ofSizes(flags: PowerFlags, options: { alpha: number; power: number }, terminal: Terminal): void {
  const { deviation, difference, queries } = flags;
  const table = powerTable({
    ...options,
    deviation:
      deviation === undefined
        ? undefined
        : numberOf("--deviation", deviation, "a number above 0", (value) => value > 0),
    difference:
      difference === undefined
        ? undefined
        : Math.abs(numberOf("--difference", difference, "a number other than 0", (value) => value !== 0)),
    sizes:
      queries === undefined
        ? undefined
        : [
            numberOf(
              "--queries",
              queries,
              "a whole number from 2",
              (value) => Number.isSafeInteger(value) && value >= 2,
            ),
          ],
  });
  terminal.out(flags.json === true ? formatJson(table) : renderPowerText(table));
  if (deviation === undefined && flags.json !== true)
    terminal.talk(
      `with a standard deviation of ${USUAL_DEVIATION} between queries, which is usual for ` +
        "nDCG@10; yours stands in a comparison: power report.json",
    );
}

function numberOf(flag: string, text: string, range: string, isPossible: (value: number) => boolean): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || !isPossible(value))
    throw new InputError("ARGUMENT", `${flag} must be ${range}, got ${quote(text)}`);
  return value;
}
