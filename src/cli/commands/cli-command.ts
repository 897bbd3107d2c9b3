import type { Command } from "commander";
import { Option } from "commander";
import { DEFAULT_GOLDEN, DEFAULT_STORE } from "../defaults.js";
import type { Terminal } from "../terminal.js";

/** A command: what it is called with, and what it does. Name and summary stand in the catalogue. */
export interface CliCommand {
  define(command: Command, terminal: Terminal): void;
}

/** `--store`, for commands that look into a store. */
export function storeOption(command: Command): Command {
  return command.option(
    "-s, --store <file>",
    `the store: an SQLite file, or postgresql://… (default: ${DEFAULT_STORE})`,
  );
}

/** The options of every command that holds recorded runs against a golden set. */
export function goldenOptionsOf(command: Command): Command {
  return goldenFileOptionsOf(command).option(
    "--allow-empty",
    "go on with a run that is empty, or that answers none of the queries",
  );
}

/** The golden set, the store, and how texts are looked for. */
export function goldenFileOptionsOf(command: Command): Command {
  return storeOption(
    command.option(
      "-g, --golden <file>",
      "the golden set: YAML, JSON, JSONL, CSV or TSV, plain or gzip; - is stdin",
      DEFAULT_GOLDEN,
    ),
  ).option("--ignore-case", "look for must_contain and forbidden without regard to case");
}

/** The options of every command that scores runs. */
export function scoringOptionsOf(command: Command): Command {
  return furtherMetricOptionsOf(
    goldenOptionsOf(command).option(
      "--corpus <file>",
      "the knowledge base's chunks (JSONL, plain or gzip), to check citations and places without a store, " +
        "and for the texts of hits in pages",
    ),
  );
}

/** Metrics besides those of every golden set, and what becomes of queries without a result. */
export function furtherMetricOptionsOf(command: Command): Command {
  return command
    .option("-m, --metrics <names>", "further metrics, such as nDCG@10,AP,RR (see `rankproof metrics`)")
    .addOption(
      new Option("--unit <unit>", "what the further metrics are about")
        .choices(["chunk", "doc"])
        .default("chunk"),
    )
    .addOption(missingOption());
}

/** What becomes of golden queries that a run has no result of. */
export function missingOption(): Option {
  return new Option("--missing <how>", "golden queries without a result score 0, or are left out")
    .choices(["zero", "skip"])
    .default("zero");
}

/** Examples below the options. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ rankproof ${line}`).join("\n")}`;
}
