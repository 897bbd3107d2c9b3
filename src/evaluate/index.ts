export { spansUnknown } from "./aggregate-warnings.js";
export { Aggregator } from "./aggregator.js";
export { knownPlaces, type AggregateOptions } from "./aggregate-options.js";
export { computeAggregate } from "./compute-aggregate.js";
export type { AnswerVerdict } from "./judge-answer.js";
export { firstHitRank, judgeRun, type JudgedQuery, type JudgedUnit } from "./judge-run.js";
export { computeParaphrases } from "./paraphrases.js";
