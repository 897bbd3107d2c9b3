export { Aggregator, type AggregatedColumn, type AggregatedQuery } from "./aggregator.js";
export { computeAggregate, judgeAlone } from "./compute-aggregate.js";
export {
  aggregateOfPartials,
  aggregatePartial,
  mergeAggregatePartials,
  type AggregatePartialOptions,
  type MergeAggregateOptions,
} from "./aggregate-partial.js";
export { computeParaphrases } from "./paraphrases.js";
export { firstHitRank, judgeRun, type JudgedQuery, type RunJudge } from "./judge-run.js";
export { listKnownPlaces, type AggregateOptions } from "./aggregate-options.js";
export { latencyOf } from "./latency.js";
export { spansMissing, spansUnknown } from "./aggregate-warnings.js";
export { type AnswerVerdict } from "./judge-answer.js";
