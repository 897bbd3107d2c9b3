/**
 * Statistics of paired scores: tests, intervals, corrections, effect sizes, power, and the agreement of rankings and of labels.
 *
 * @module
 */
export { adjustPValues, type PValueAdjustment } from "./adjust-p-values.js";
export type { Alternative } from "./alternative.js";
export { bootstrapInterval, bootstrapIntervals, type BootstrapOptions } from "./bootstrap-interval.js";
export { chiSquareAbove } from "./chi-square.js";
export { cohenDav, cohenDz, hedgesGz, matchedRankBiserial } from "./effect-size.js";
export { fAbove } from "./f-distribution.js";
export { mean, standardDeviation } from "./moments.js";
export { normalAbove, normalBelow, normalQuantile } from "./normal.js";
export { pairedTTest, tInterval, type Interval, type PairedTTest } from "./paired-t.js";
export { detectableEffect, pairedPower, pairsNeeded, type PowerOptions } from "./power.js";
export { randomizationTest, randomizationTests, type RandomizationOptions, type RandomizationTest } from "./randomization-test.js";
export { signTest, type SignTest } from "./sign-test.js";
export { studentAbove, studentQuantile, studentTwoSided } from "./student-t.js";
export { studentizedRangeAbove } from "./studentized-range.js";
export { wilcoxonSignedRank, type WilcoxonOptions, type WilcoxonTest } from "./wilcoxon.js";
