import type { EvalRun, RunFacts } from "./types/index.js";

/** In UTC, as every time on the wire; a time that says "not known". */
export const UNKNOWN_TIME = "1970-01-01T00:00:00Z";

/** When a run was recorded, and at which commit; only what it tells. */
export function runFacts({ created_at, commit_hash }: EvalRun): RunFacts {
  return {
    ...(created_at !== UNKNOWN_TIME && { created_at }),
    ...(commit_hash != null && { commit_hash }),
  };
}
