/** What other rooms need of this one, and users do not. */
export { standardDeviation } from "./moments.js";
export { sharedPositions } from "./shared-positions.js";
export { tukeyTests } from "./tukey-tests.js";
