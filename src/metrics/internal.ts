/** What other rooms need of this one, and users do not. */
export { precisionFraction } from "./precision.js";
export { recallFraction } from "./recall.js";
export { reciprocalRankFraction } from "./reciprocal-rank.js";
export { successFraction } from "./success.js";
export { groupTies } from "./group-ties.js";
export { judgePairs } from "./judged-ranking.js";
export { MetricMean, aggregateScores, noScore } from "./metric-mean.js";
export { checkMetric, refuseNamesakes } from "./check-metric.js";
export { condenseRanking, judgeRankingIn, positive } from "./judged-ranking.js";
export { cardRecord } from "./card-record.js";
export { hasOwnGains, linearScore, quotient } from "./define-metric.js";
