/**
 * Statistics of paired scores: tests, intervals, corrections, effect sizes, power, and the agreement of rankings and of labels.
 *
 * @module
 */
export { chiSquareAbove } from "./chi-square.js";
export { fAbove } from "./f-distribution.js";
export { normalAbove, normalBelow, normalQuantile } from "./normal.js";
export { studentAbove, studentQuantile, studentTwoSided } from "./student-t.js";
export { studentizedRangeAbove } from "./studentized-range.js";
