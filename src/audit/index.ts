/**
 * How far labels can be trusted: samples for people to label.
 *
 * @module
 */
export { drawSample, type SampledQuery, type SampleOptions } from "./draw-sample.js";
