import type { BenchEvidence } from "../records/index.js";

/** With fewer cases, that none has moved says little of what a change does to others. */
export const FEWEST_STILL = 20;

/** Whether a mode moved the nDCG of no case, and these are few. */
export function hasStoodStill({ ndcg }: Pick<BenchEvidence, "ndcg">, cases: number): boolean {
  return cases < FEWEST_STILL && ndcg?.low === 0 && ndcg.high === 0;
}
