/**
 * Tuning: the best way to fuse runs, with the whole curve of weights, or the best of settings that were
 * measured, and whether it holds for queries that had no say in the choice.
 *
 * @module
 */
export type { ChoiceRule } from "./choose-point.js";
export {
  chooseVariant,
  type ChooseVariantOptions,
  type ChosenVariant,
  type MeasuredVariant,
  type VariantResult,
} from "./choose-variant.js";
export type { SearchedMethod } from "./families.js";
export type { HoldOutOptions, Validation } from "./folds.js";
export { tuneFusion, type TunedFusion } from "./tune-fusion.js";
export type { TuneFusionOptions } from "./tune-fusion-options.js";
export { verdictByLabels } from "./tuning-verdict.js";
