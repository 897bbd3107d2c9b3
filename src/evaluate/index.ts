export { aggregateOf, computeAggregate, knownPlaces, type AggregateOptions } from "./compute-aggregate.js";
export { firstHitRank, judgeRun, type JudgedQuery, type JudgedRun, type JudgedUnit } from "./judge-run.js";
export { computeParaphrases } from "./paraphrases.js";
