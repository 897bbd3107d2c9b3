/**
 * How far labels can be trusted: samples for people to label, how far two sets of labels agree, and what
 * their difference does to conclusions.
 *
 * @module
 */
export { auditConclusions, type ConclusionOptions, type TwiceScored } from "./conclusions.js";
export { twiceScored } from "./twice-scored.js";
export { type PersonLabel } from "./ceiling.js";
export { auditLabels, type AuditedLabel, type AuditOptions } from "./label-audit.js";
export { nextPairs, type NextPair, type NextPairsOptions } from "./next-pairs.js";
export { labelOutliers, type OutlierSources } from "./outliers.js";
export {
  probeEstimate,
  probeJudge,
  probeTexts,
  type KeptProbeAnswers,
  type ProbeAnswer,
  type ProbedQuery,
  type ProbeOptions,
  type ProbeTexts,
} from "./probes/index.js";
export { withoutRaters, withoutTexts } from "./redact-audit.js";
export {
  chooseSample,
  completeSample,
  drawPairs,
  drawSample,
  type PairSampleOptions,
  type SampledPair,
  type SampledQuery,
  type SampleOptions,
  type SampleSource,
  type WeightedPair,
} from "./draw-sample.js";
