export { ascending } from "./ascending.js";
export { exactSum } from "./exact-sum.js";
export { nearestRankPercentile } from "./percentile.js";
export { printedChange } from "./printed-change.js";
export { printedP } from "./printed-p.js";
export { RationalSum, roundedFraction, type Fraction } from "./rational-sum.js";
export { roundTo4 } from "./round.js";
export { statedP } from "./stated-p.js";
export { seededRandom, seededWords } from "./random.js";
