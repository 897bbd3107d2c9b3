import type { Command } from "commander";
import type { Validation } from "../fusion-tuning/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { GateError, InputError } from "../index.js";
import type { FusionTuning, TuningVerdict } from "../records/index.js";
import { numberOption, seedOption, shareOption, wholeNumberOption } from "./number-flag.js";

/** How a search for a better setting holds queries out, and tests. */
export interface HoldOutFlags {
  folds?: number;
  repeats?: number;
  seed: number;
  margin: number;
  confidence: number;
  force?: true;
}

/** `--folds`, `--repeats`, `--seed`, `--margin` and `--confidence`. */
export function holdOutOptionsOf(command: Command): Command {
  return command
    .option(
      "--folds <n>",
      "hold queries out in so many parts (default: each by itself up to 500)",
      wholeNumberOption("folds", 2),
    )
    .option(
      "--repeats <n>",
      "with --folds: draw the parts so often (default: 5)",
      wholeNumberOption("repeats"),
    )
    .addOption(seedOption("of parts, sign flips and resamples", 1))
    .option("--margin <x>", "what the held-out gain must exceed", numberOption("margin", 0), 0)
    .option("--confidence <x>", "share of the interval", shareOption("confidence"), 0.95);
}

/**
 * @param apply whether what is found is to be applied, and the flag that says so.
 * @throws InputError `ARGUMENT` for flags that say nothing without another one.
 */
export function checkHoldOut(
  { repeats, folds, force }: HoldOutFlags,
  [isApplied, apply]: readonly [boolean, string],
): void {
  if (repeats !== undefined && folds === undefined)
    throw new InputError("ARGUMENT", "--repeats is for --folds; give the number of parts, too");
  if (force === true && !isApplied) throw new InputError("ARGUMENT", `--force is for ${apply}`);
}

/** @throws GateError `NOT_BETTER` for what is not shown to be better, unless it is to be applied by force. */
export function checkIsBetter({ kind, sentence }: TuningVerdict, { force }: HoldOutFlags): void {
  if (kind !== "better" && force !== true)
    throw new GateError("NOT_BETTER", `not applied: ${sentence} With --force it is written all the same.`);
}

/** What is said of what was applied although it is not shown to be better. */
export function forceNote({ verdict, queries }: Pick<FusionTuning, "verdict" | "queries">): string {
  return verdict.kind === "better"
    ? ""
    : `, by force: ${countOf(queries, "query")} do not show that it holds`;
}

/** How queries are held out; undefined where nothing is said of it. */
export function validationOf({ folds, repeats, seed }: HoldOutFlags): Validation | undefined {
  return folds === undefined
    ? undefined
    : { kind: "folds", folds, seed, ...(repeats !== undefined && { repeats }) };
}
