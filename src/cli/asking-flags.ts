import type { Command } from "commander";
import { numberOption, wholeNumberOption } from "./number-flag.js";

/** How a live search is asked. */
export interface AskingFlags {
  concurrency: number;
  timeout?: number;
}

/** `--concurrency`, for commands that ask a search. */
export function concurrencyOptionOf(command: Command): Command {
  return command.option(
    "--concurrency <n>",
    "queries in flight at a time",
    wholeNumberOption("concurrency"),
    4,
  );
}

/** The options of every command that asks a search itself. */
export function askingOptionsOf(command: Command): Command {
  return concurrencyOptionOf(command).option(
    "--timeout <ms>",
    "time limit of one query, after which it counts as failed",
    numberOption("timeout"),
  );
}

/** `--stop-after-failures`, for commands that ask every query once. */
export function stopOptionOf(command: Command): Command {
  return command.option(
    "--stop-after-failures <n>",
    "stop when the first n queries (default: of the configuration, or 5), or all, failed in the same way",
    wholeNumberOption("stop-after-failures"),
  );
}
