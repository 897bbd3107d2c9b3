import { Aggregator } from "../golden/index.js";
import {
  checkCompared,
  checkOptions,
  type EvalRun,
  type Golden,
  type ScoreComparison,
} from "../records/index.js";
import { severalRuns } from "./several-runs.js";
import type { CompareSeveralOptions } from "./compare-options.js";
import { judgeRuns } from "./judge-runs.js";
import { RunStatistics } from "./run-statistics.js";

/**
 * Runs against one golden set, each compared with the first, the baseline, and all with each other: what
 * {@link compareRuns} says of two, without the outcome of every query.
 *
 * @throws InputError as `computeAggregate` does; `COMPARE_CHUNKER_VERSION` when chunkers differ and
 * `strictChunkerVersion` is set; `ARGUMENT` for two runs of one name.
 */
export function compareSeveralRuns(
  runs: readonly EvalRun[],
  golden: Golden,
  options: CompareSeveralOptions = {},
): ScoreComparison {
  checkOptions(options);
  checkCompared(runs, "runs");
  const { judges, docSpan } = judgeRuns(runs, golden, options);
  const aggregators = judges.map((judge) => new Aggregator(judge, options));
  const statistics = new RunStatistics(runs, aggregators, options, docSpan);
  for (const query of judges[0]?.queries ?? []) {
    const judged = judges.map((judge) => judge.judge(query));
    statistics.add(
      judged,
      judged.map((each, run) => (aggregators[run] as Aggregator).add(each)),
    );
  }
  return statistics.comparison(
    aggregators.map((aggregator) => aggregator.result()),
    true,
    severalRuns,
  );
}
