// One line per metric: the catalogue, the parser, the metrics page and the laws follow from it.
export { averagePrecision } from "./average-precision.js";
export { ndcg } from "./ndcg.js";
export { precision } from "./precision.js";
export { recall } from "./recall.js";
export { reciprocalRank } from "./reciprocal-rank.js";
export { success } from "./success.js";
