/**
 * How far labels can be trusted: samples for people to label.
 *
 * @module
 */
export {
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
