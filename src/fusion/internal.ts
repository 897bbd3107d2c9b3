/** What other rooms need of this one, and users do not. */
export { checkRunsToFuse, fuseScores, fusionPool, poolRuns, type PooledRuns } from "./made-pool.js";
export { checkRuns } from "./fuse.js";
export { settleNormalizer } from "./settle-normalizer.js";
export { listOrder, trainingRanking } from "./trained/define-trained-fusion.js";
