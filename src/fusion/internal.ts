/** What other rooms need of this one, and users do not. */
export { fusedScores, fusionPool } from "./made-pool.js";
