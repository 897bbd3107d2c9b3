export { compareIds } from "./compare-ids.js";
export { didYouMean, nearestHint } from "./did-you-mean.js";
export { fnv1a } from "./fnv1a.js";
export { isSlip } from "./is-slip.js";
export { nearestIds } from "./nearest-ids.js";
export { findRepeatedPositions } from "./repeated-ids.js";
