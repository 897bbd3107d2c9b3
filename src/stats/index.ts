/**
 * Statistics of paired scores: tests, intervals, corrections, effect sizes, power, and the agreement of
 * rankings and of labels.
 *
 * @module
 */
export { adjustPValues, type PValueAdjustment } from "./adjust-p-values.js";
export { corrections } from "./corrections/catalog.js";
export { type Correction } from "./corrections/correction.js";
export { cheapestMix, worth, type CheapestMix } from "./worth.js";
export { correctedMean, type CorrectedMean, type CorrectedSample } from "./corrected-mean.js";
export {
  correctedShare,
  type CorrectedShare,
  type JudgedShare,
  type NoShareReason,
} from "./corrected-share.js";
export { estimateCards, type EstimateCard } from "./estimate-cards.js";
export { drawProbabilities } from "./draw-probabilities.js";
export { maxT, type MaxT, type MaxTOptions } from "./max-t.js";
export {
  neymanAllocation,
  stratifiedMean,
  type Allocation,
  type StratifiedMeanOptions,
  type Stratum,
} from "./stratified-mean.js";
export {
  pairEstimate,
  type PairEstimate,
  type PairEstimateOptions,
  type WeighedPair,
} from "./pair-estimate.js";
export type { Alternative } from "./alternative.js";
export { oneWayAnova, repeatedMeasuresAnova, type Anova } from "./anova.js";
export { averageOverlap } from "./average-overlap.js";
export { binaryAgreement, type BinaryAgreement } from "./binary-agreement.js";
export { chiSquareAbove } from "./chi-square.js";
export { cohenKappa, type CohenKappaOptions } from "./cohen-kappa.js";
export { compactLetters } from "./compact-letters.js";
export {
  differenceIntervals,
  type DifferenceInterval,
  type DifferenceIntervalOptions,
} from "./difference-interval.js";
export { cohenDav, cohenDz, hedgesGz, matchedRankBiserial } from "./effect-size.js";
export { fAbove } from "./f-distribution.js";
export { fleissKappa, randolphKappa } from "./fleiss-kappa.js";
export { friedman, type Friedman } from "./friedman.js";
export { jaccard } from "./jaccard.js";
export { kendallTau, type KendallTau } from "./kendall-tau.js";
export { krippendorffAlpha, type LabelLevel } from "./krippendorff-alpha.js";
export { labelConfusion, type LabelAccuracy, type LabelConfusion } from "./label-confusion.js";
export type { LabelPairs, Labels } from "./label-pairs.js";
export { mergeLabels, type LabelMerge } from "./merge-labels.js";
export { meanInterval, meanIntervals, type MeanIntervalOptions } from "./mean-interval.js";
export { mean } from "./moments.js";
export { normalAbove, normalBelow, normalQuantile } from "./normal.js";
export { intervalMethods } from "./intervals/catalog.js";
export { type Interval, type IntervalMethod, type Sample } from "./intervals/interval.js";
export { type ResamplingOptions } from "./intervals/samples.js";
export { tInterval } from "./intervals/student-t.js";
export { pairedTests } from "./paired-tests/catalog.js";
export {
  fewestDifferences,
  type PairedDifferences,
  type PairedTest,
  type PairedTestResult,
} from "./paired-tests/paired-test.js";
export { pairedTTest, type PairedTTest } from "./paired-t.js";
export { pearson, type PearsonCorrelation } from "./pearson.js";
export { detectableEffect, pairedPower, pairsNeeded, type PowerOptions } from "./power.js";
export { powerTable, USUAL_DEVIATION, type PowerTable, type PowerTableOptions } from "./power-table.js";
export {
  randomizationTest,
  randomizationTests,
  type RandomizationOptions,
  type RandomizationTest,
} from "./randomization-test.js";
export {
  randomizedTukey,
  type RandomizedTukey,
  type RandomizedTukeyOptions,
  type RandomizedTukeyPair,
} from "./randomized-tukey.js";
export { rankBiasedOverlap, type RankBiasedOverlap } from "./rank-biased-overlap.js";
export type { NumberList } from "./check-pairs.js";
export type { ScoresByRun } from "./scores-by-run.js";
export { type SharedPositions } from "./match-positions.js";
export { signTest, type SignTest } from "./sign-test.js";
export { spearman, type SpearmanCorrelation } from "./spearman.js";
export { studentAbove, studentQuantile, studentTwoSided } from "./student-t.js";
export { studentizedRangeQuantile } from "./studentized-range-quantile.js";
export { studentizedRangeAbove } from "./studentized-range.js";
export { tauAp } from "./tau-ap.js";
export { tukeyHsd, type Tukey, type TukeyOptions, type TukeyPair } from "./tukey-hsd.js";
export { type TukeyTestedPair, type TukeyTests } from "./tukey-tests.js";
export { wilcoxonSignedRank, type WilcoxonOptions, type WilcoxonTest } from "./wilcoxon.js";
export { wilsonInterval, type ShareInterval } from "./wilson-interval.js";
