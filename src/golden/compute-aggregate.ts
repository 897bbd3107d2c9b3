import {
  type AggregateMetrics,
  checkGoldenRecords,
  checkOptions,
  checkRunRecord,
  type EvalRun,
  type Golden,
  goldenQueries,
} from "../records/index.js";
import { docSpanMatching, exactMatcher } from "../matching/index.js";
import { listKnownPlaces, type AggregateOptions } from "./aggregate-options.js";
import { Aggregator } from "./aggregator.js";
import { judgeRun, type RunJudge } from "./judge-run.js";

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
  const judge = judgeAlone(run, golden, options);
  const aggregator = new Aggregator(judge, options);
  for (const query of judge.queries) aggregator.add(judge.judge(query));
  return aggregator.result();
}

/** A run about to be held against a golden set by itself, as the options match hits. */
export function judgeAlone(run: EvalRun, golden: Golden, options: AggregateOptions): RunJudge {
  if (options.matching !== "docSpan") return judgeRun(run, golden, exactMatcher);
  // Places are looked up in them before they are judged.
  checkRunRecord(run);
  checkGoldenRecords(goldenQueries(golden));
  const matching = docSpanMatching(golden, listKnownPlaces(options), [run]);
  return judgeRun(run, golden, matching.matcherFor(run));
}
