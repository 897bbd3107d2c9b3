export { exactSum } from "./exact-sum.js";
export { nearestRankPercentile } from "./percentile.js";
export { RationalSum, roundedFraction, type Fraction } from "./rational-sum.js";
export { roundTo4 } from "./round.js";
export { seededRandom, seededWords } from "./random.js";
