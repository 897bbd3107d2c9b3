import type { Command } from "commander";
import { InputError } from "../../index.js";
import { contentOf } from "../../node/evaluate/index.js";
import { renderTable } from "../../report/index.js";
import { detectableEffect, pairedPower, pairsNeeded } from "../../stats/index.js";
import type { Terminal } from "../terminal.js";
import { type ScoreComparison, statisticsOf } from "../../records/index.js";
import { examples, printedJson, type CliCommand } from "./cli-command.js";

interface PowerFlags {
  queries?: string;
  difference?: string;
  deviation?: string;
  alpha: string;
  power: string;
  json?: true;
}

/** What a metric's differences vary by between queries, usually: of nDCG@10 between two decent systems. */
const USUAL_DEVIATION = 0.2;
/** Query sets that the table is for. */
const SIZES = [25, 50, 100, 200, 400, 800, 1600, 3200];

interface SizeRow {
  readonly queries: number;
  readonly detectable: number;
  /** Of the difference that was asked about. */
  readonly power: number | null;
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
          alpha: numberOf("--alpha", flags.alpha, (value) => value > 0 && value < 1),
          power: numberOf("--power", flags.power, (value) => value > 0 && value < 1),
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

/** What the settings of the comparison say: its own alpha and power. */
function ofComparison(
  { comparisons, settings }: ScoreComparison,
  { json }: PowerFlags,
  terminal: Terminal,
): void {
  const rows = comparisons.flatMap(({ run, metrics }) =>
    metrics.map(({ metric, pairs, difference, detectable, queries_needed }) => ({
      run,
      metric,
      pairs,
      difference,
      detectable,
      queries_needed,
    })),
  );
  if (json === true) {
    terminal.out(printedJson(rows));
    return;
  }
  const score = (value: number | null): string => value?.toFixed(4) ?? "—";
  terminal.out(
    renderTable(
      ["run", "metric", "queries", "difference", "detectable", "queries needed"],
      rows.map((row) => [
        row.run,
        row.metric,
        String(row.pairs),
        score(row.difference),
        score(row.detectable),
        row.queries_needed === null ? "—" : String(row.queries_needed),
      ]),
    ),
  );
  terminal.talk(
    `detectable: the smallest difference that these queries find ${settings.power * 100} % of the ` +
      `time at alpha ${settings.alpha}; queries needed: for the difference that was observed`,
  );
}

function ofSizes(flags: PowerFlags, options: { alpha: number; power: number }, terminal: Terminal): void {
  const deviation =
    flags.deviation === undefined
      ? USUAL_DEVIATION
      : numberOf("--deviation", flags.deviation, (value) => value > 0);
  const difference =
    flags.difference === undefined
      ? null
      : Math.abs(numberOf("--difference", flags.difference, (value) => value !== 0));
  const sizes =
    flags.queries === undefined
      ? SIZES
      : [numberOf("--queries", flags.queries, (value) => Number.isSafeInteger(value) && value >= 2)];
  const rows = sizes.map((queries): SizeRow => ({
    queries,
    detectable: detectableEffect(queries, options) * deviation,
    power: difference === null ? null : pairedPower(difference / deviation, queries, options),
  }));
  const needed = difference === null ? null : pairsNeeded(difference / deviation, options);
  if (flags.json === true) {
    terminal.out(printedJson({ ...options, deviation, difference, queries_needed: needed, sizes: rows }));
    return;
  }
  terminal.out(
    renderTable(
      ["queries", "detectable", ...(difference === null ? [] : [`power for ${difference}`])],
      rows.map((row) => [
        String(row.queries),
        row.detectable.toFixed(4),
        ...(row.power === null ? [] : [row.power.toFixed(3)]),
      ]),
    ),
  );
  if (difference !== null)
    terminal.out(
      needed === null
        ? `\nA difference of ${difference} is too small for any query set.\n`
        : `\nA difference of ${difference} needs ${needed} queries.\n`,
    );
  if (flags.deviation === undefined)
    terminal.talk(
      `with a standard deviation of ${USUAL_DEVIATION} between queries, which is usual for ` +
        "nDCG@10; yours stands in a comparison: power report.json",
    );
}

function numberOf(flag: string, text: string, isPossible: (value: number) => boolean): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || !isPossible(value))
    throw new InputError("ARGUMENT", `${flag} has a value that is not possible: \`${text}\``);
  return value;
}
