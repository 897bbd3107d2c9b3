/** What other rooms need of this one, and users do not. */
export { effectiveGroups, groupShares, intervalsByGroup, type GroupShares } from "./group-shares.js";
export { widerOf } from "./intervals/wider.js";
export { quantile } from "./quantile.js";
export { kappaOfCounts } from "./cohen-kappa.js";
export { standardDeviation } from "./moments.js";
export { studentAbove } from "./student-t.js";
export { pairsOf } from "./pairs-of.js";
export { randomizationTestsOfPairs } from "./randomization-of-pairs.js";
export { matchPositions } from "./match-positions.js";
export { detectableBy, pairsNeededBy } from "./paired-tests/test-power.js";
export { tukeyTests } from "./tukey-tests.js";
export { MOST_EXACT_FLIPS, signFlips } from "./max-t.js";
