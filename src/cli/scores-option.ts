import type { Command } from "commander";
import { InputError } from "../foundation/errors/index.js";
import { OutputOption } from "./output-option.js";

/** What a file of scores is called. */
const NAME = /\.(?:jsonl(?:\.gz)?|parquet)$/i;

/** Adds the option that has the scores of queries written. */
export function scoresOption(command: Command): Command {
  return command.addOption(
    new OutputOption(
      "--scores <file>",
      "write the scores of every query, a record for each metric, as .jsonl, .jsonl.gz or .parquet",
    ).argParser(checkScoresFile),
  );
}

function checkScoresFile(file: string): string {
  if (NAME.test(file)) return file;
  throw new InputError(
    "ARGUMENT",
    "--scores writes JSON lines or Parquet: name a file that ends in .jsonl, .jsonl.gz or .parquet; " +
      "--format tsv or csv with -q prints a table",
  );
}
