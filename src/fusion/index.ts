/**
 * Fusing runs: one run made of several, without training or with it. Methods and normalizers, each with its
 * card, and the way from a printed name to a method and back.
 *
 * @module
 */
export * from "./builtin-normalizers.js";
export * from "./builtin.js";
export { fusionCatalog, normalizerCatalog, trainedFusionCatalog } from "./catalog.js";
export {
  defineFusion,
  type FusionDefinition,
  type FusionFactory,
  type FusionMethod,
  type FusionParameterCard,
  type FusionParameterCards,
  type FusionParameters,
  type FusionSettled,
  type GivenParameters,
  fullFusionName,
} from "./define-fusion.js";
export {
  defineNormalizer,
  type NormalizedScores,
  type Normalizer,
  type NormalizerDefinition,
} from "./define-normalizer.js";
export { fuse, type FuseOptions } from "./fuse.js";
export {
  holders,
  sumOfRanks,
  sumOfScores,
  sumOver,
  timesHolders,
  type FusionColumn,
  type FusionPool,
} from "./fusion-pool.js";
export { readsDistances } from "./settle-normalizer.js";
export { isTrainedFusion, parseFusion, parseNormalizer, parseTrainedFusion } from "./parse.js";
export * from "./trained/builtin.js";
export {
  defineTrainedFusion,
  type LearnedRun,
  type TrainableFactory,
  type TrainableFusion,
  type TrainingRanking,
} from "./trained/define-trained-fusion.js";
export { trainFusion } from "./trained/train-fusion.js";
export { rankByScore, type ScoredRanking, type ScoredRun } from "../records/index.js";
