import { checkGoldenRecords, checkOptions, checkRunRecord } from "../records/index.js";
import { goldenQueries, type Golden } from "../records/index.js";
import { docSpanMatching, exactMatcher } from "../matching/index.js";
import type { AggregateMetrics, EvalRun } from "../records/schema/index.js";
import { knownPlaces, type AggregateOptions } from "./aggregate-options.js";
import { Aggregator } from "./aggregator.js";
import { judgeRun } from "./judge-run.js";

/**
 * The scores of a run against a golden set. Pure and synchronous; every stored value is rounded once from the
 * exact mean, so neither platform nor order of queries changes a digit.
 *
 * @throws InputError when the input contradicts itself: a query id twice, a rank of 0.
 */
export function computeAggregate(
  run: EvalRun,
  golden: Golden,
  options: AggregateOptions = {},
): AggregateMetrics {
  checkOptions(options);
  checkRunRecord(run);
  checkGoldenRecords(goldenQueries(golden));
  const matcher =
    options.matching === "docSpan"
      ? docSpanMatching(goldenQueries(golden), knownPlaces(options), [run]).matcherFor(run)
      : exactMatcher;
  const judge = judgeRun(run, golden, matcher);
  const aggregator = new Aggregator(judge, options);
  for (const query of judge.queries) aggregator.add(judge.judge(query));
  return aggregator.result();
}
