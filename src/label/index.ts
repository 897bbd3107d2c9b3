/**
 * Graded labels by models and people: what raters said, the view that decides which of it counts, and builds
 * that never ask twice.
 *
 * @module
 */
export { buildLabels } from "./build-labels.js";
export { OTHER_RATER } from "./build-options.js";
export type {
  Budget,
  BuildLabelsOptions,
  BuildSummary,
  LabelingOptions,
  LabelTarget,
} from "./build-options.js";
export { itemHash } from "./content-hash.js";
export { labelOrigin } from "./label-origin.js";
export {
  labelingQueue,
  ownAgreement,
  type LabelingQueue,
  type LabelingQueueOptions,
  type OwnAgreement,
  type PairToLabel,
} from "./labeling-queue.js";
export { labelGrades } from "../records/index.js";
export { labelCoverage, labelJudgments, type Coverage } from "./judgments.js";
export { labelsOf, type Label, type LabelPolicy } from "./label-view.js";
export {
  functionLabeler,
  type Cost,
  type FunctionLabelerOptions,
  type GradeFunction,
  type ItemVerdict,
  type KeptProfile,
  type Labeler,
  type LabelReply,
  type LabelRequest,
  type SentItem,
} from "./labeler.js";
export { openaiLabeler, type OpenaiLabelerOptions } from "./openai-labeler.js";
export { overlapLabeler, overlapReranker, type OverlapOptions } from "./overlap-labeler.js";
export { rerankItems, type RerankItemsOptions } from "./rerank-items.js";
export { rebuildLabels, type RebuildLabelsOptions, type RebuildQuery } from "./rebuild-labels.js";
export type { BelowStop, BuiltBatch, QueryBuild } from "./query-build.js";
export { itemIdOf, itemOfHit } from "./item-of-hit.js";
export { itemText, itemTitle, textsIn } from "./item-text.js";
export { beginBuild, type BegunBuild, type BeginBuildOptions } from "./build-record.js";
export { checkPrompt, labelPrompts, promptWordings, type LabelPrompt } from "./prompts/index.js";
export {
  chatSettingsFrom,
  type ChatOptions,
  type ChatSettings,
  type EndpointOptions,
  httpReranker,
  type HttpRerankerOptions,
  type RerankForm,
  rerankSettingsFrom,
  type RerankSettings,
} from "../services/index.js";
export { DEFAULT_TENANT, normalizeQuery } from "./query-text.js";
export {
  rebuildDefaults,
  rebuildOrder,
  rebuildPool,
  rebuildSearchSize,
  type RebuildOptions,
  type RebuildOrder,
  type RebuildPool,
} from "./rebuild-order.js";
export {
  stopDefaults,
  stopReasons,
  StopRule,
  type BatchTrace,
  type StopOptions,
  type StopReason,
} from "./stop-rule.js";
export { voteAgreement, voteSummary, type VoteAgreement, type VoteSummary } from "./votes.js";
export {
  raterId,
  standingAssessments,
  type Assessment,
  type AssessmentOutcome,
  type Backend,
  type BackendHit,
  type LabelItem,
  type Rater,
  type RaterKind,
  type RerankDocument,
  type Reranker,
  type RerankOptions,
  type TokenPrice,
} from "../records/index.js";
