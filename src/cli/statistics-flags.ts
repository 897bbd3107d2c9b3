import { Option, type Command } from "commander";
import {
  comparisonDefaults as usual,
  FEWEST_DRAWS,
  MOST_DRAWS,
  MOST_FAILED,
  QUERIES_IN_FULL,
  splitGuard,
  type StatisticsOptions,
} from "../compare/index.js";
import { corrections, pairedTests } from "../stats/index.js";
import { collect } from "./collect.js";
import { numberOption, seedOption, shareOption, wholeNumberOption } from "./number-flag.js";

/** How differences are tested, as commander gives it. */
export interface StatisticsFlags {
  test?: StatisticsOptions["test"];
  seed?: number;
  permutations?: number;
  resamples?: number;
  alpha?: number;
  confidence?: number;
  correction?: StatisticsOptions["correction"];
  margin?: number;
  tolerance?: number;
  primary?: string;
  guard?: string[];
  maxP95?: number;
  maxFailedShare?: number;
  slice?: string;
}

const TESTS = Object.keys(pairedTests);
const CORRECTIONS = Object.keys(corrections);
/** Draws become fewer where they would take long. */
const FEWER = `fewer above ${QUERIES_IN_FULL} queries`;

/** The options of a comparison with statistics. */
export function statisticsOptionsOf(command: Command): Command {
  return command
    .option(
      "--primary <metric>",
      "the metric that decides (default: the first of --metrics; MRR@10 for golden sets)",
    )
    .option(
      "--guard <metric[=loss]>",
      "a metric that must not fall significantly, or by no more than a loss; may be repeated",
      collect,
    )
    .option(
      "--max-p95 <ms>",
      "the highest 95th percentile of latency that is accepted",
      numberOption("max-p95", -Infinity, { above: 0 }),
    )
    .option(
      "--max-failed-share <x>",
      `a run with more than this share of failed results is not comparable (default: ${MOST_FAILED})`,
      numberOption("max-failed-share", 0, { most: 1 }),
    )
    .option(
      "--slice <labels>",
      "slice by these labels only, such as lang,query_type (default: all that queries have)",
    )
    .addOption(
      new Option("--test <name>", "the test of paired differences").choices(TESTS).default(usual.test),
    )
    .addOption(
      seedOption("seed of the sign flips and resamples; the same seed gives the same bytes", usual.seed),
    )
    .option(
      "--permutations <n>",
      `sign flips where there are too many to count all (default: ${usual.permutations}, ${FEWER})`,
      wholeNumberOption("permutations", FEWEST_DRAWS, MOST_DRAWS),
    )
    .option(
      "--resamples <n>",
      `resamples of the bootstrap (default: ${usual.resamples}, ${FEWER})`,
      wholeNumberOption("resamples", FEWEST_DRAWS, MOST_DRAWS),
    )
    .option("--alpha <x>", `significance level of the tests (default: ${usual.alpha})`, shareOption("alpha"))
    .option(
      "--confidence <x>",
      `confidence level of the intervals (default: ${usual.confidence})`,
      shareOption("confidence"),
    )
    .addOption(
      new Option("--correction <name>", "how p values of several tests are adjusted")
        .choices(CORRECTIONS)
        .default(usual.correction),
    )
    .option(
      "--margin <x>",
      `differences up to this share of the metric's range do not matter (default: ${usual.margin})`,
      numberOption("margin", 0, { below: 1 }),
    )
    .option(
      "--tolerance <x>",
      `a query counts as equal if its scores differ by no more (default: ${usual.tolerance})`,
      numberOption("tolerance", 0),
    );
}

/** The options that the flags stand for. */
export function statisticsOptions({
  test,
  seed,
  permutations,
  resamples,
  alpha,
  confidence,
  correction,
  margin,
  tolerance,
  primary,
  guard,
  maxP95,
  maxFailedShare,
  slice,
}: StatisticsFlags): StatisticsOptions {
  return {
    test,
    seed,
    permutations,
    resamples,
    alpha,
    confidence,
    correction,
    margin,
    tolerance,
    primary,
    guards: guard?.map(guardOf),
    maxP95Ms: maxP95,
    maxFailedShare,
    slices: slice?.split(",").map((label) => label.trim()),
  };
}

function guardOf(given: string): { metric: string; allowedLoss: number } {
  const { metric, loss } = splitGuard(given);
  return { metric, allowedLoss: loss === null ? 0 : numberOption("guard", 0)(loss) };
}
