import type { CorrectedScore } from "./types/index.js";

/** Of fewer too little is known of how a model errs: 5 may be worth a sixth of what it seems. */
export const FEWEST_FOR_WORTH = 20;

/** What people's queries are worth with a model's labels; null where they are too few to tell. */
export function knownWorth({ queries, worth, lambda }: CorrectedScore): number | null {
  return queries >= FEWEST_FOR_WORTH || lambda === 0 ? Math.round(worth) : null;
}
