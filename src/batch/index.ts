/**
 * A live search held against labels: scores by a scorecard, and of every query what came back, what is
 * missing and what would make its scores surer; and experiments on its configuration.
 *
 * @module
 */
export {
  backendTuning,
  findUnjudgedInView,
  type BackendTuningInput,
  type TriedExperiment,
} from "./backend-tuning.js";
export { measureExperiment, type MeasuredExperiment } from "./measure-experiment.js";
export { batchId, isBatchId } from "./batch-id.js";
export { joinBatchShards, findUnanswered, type BatchPartial, type ReadPartial } from "./join-shards.js";
export type { ShardsHeld } from "../records/index.js";
export { batchReport, batchSummary, type BatchInput } from "./batch-report.js";
export {
  evidenceOf,
  labelGradesOf,
  attachLabels,
  type BatchQueryText,
  type DatasetJudgments,
  type LabelledRun,
} from "./attach-labels.js";
export { labelSequence } from "./label-sequence.js";
export { featureRows, type FeatureRow } from "./feature-rows.js";
export { scorecardMetric, searchScorecard, type Scorecard } from "../metrics/index.js";
