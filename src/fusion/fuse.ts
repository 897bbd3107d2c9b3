import { InputError } from "../foundation/errors/index.js";
import { checkKnownOptions } from "../foundation/checks/index.js";
import { rankByScore, type ScoredRanking, type ScoredRun } from "../records/index.js";
import type { FusionMethod } from "./define-fusion.js";
import type { Normalizer } from "./define-normalizer.js";
import { checkRunsToFuse, fuseScores, fusionPool, poolRuns } from "./made-pool.js";
import { parseFusion } from "./parse.js";
import { settleNormalizer } from "./settle-normalizer.js";

/** How runs are fused. */
export interface FuseOptions {
  /** A method, or its printed name. Default `rrf`, which needs no comparable scores and no weights. */
  readonly method?: FusionMethod | string | undefined;
  /**
   * A normalizer, or its name. Default: the one on the method's card, `min-max` for methods that read scores.
   */
  readonly normalize?: Normalizer | string | undefined;
}

/**
 * Makes one run of several: for each query, the items of all runs in one order. It has every query that any
 * run has, in the order of first appearance. A run that lacks a query, or has no hits for it, has no say
 * there.
 *
 * @param runs at least one. The order matters for weights, and for nothing else.
 * @throws InputError `ARGUMENT` when there are no runs, when weights and runs differ in number, when a score
 * is not finite, when a list has an id twice, and for names and parameters that do not exist.
 */
export function fuse(runs: readonly ScoredRun[], options: FuseOptions = {}): ScoredRun {
  const { method = "rrf", normalize } = checkKnownOptions(options, ["method", "normalize"]);
  if ("definition" in options)
    throw new InputError("ARGUMENT", "fuse: a method is one of the options; write `{ method: … }`");
  checkRunsToFuse(runs);
  const settled = typeof method === "string" ? parseFusion(method) : method;
  if (typeof (settled as Partial<FusionMethod> | null)?.score !== "function")
    throw new InputError(
      "ARGUMENT",
      "fuse: method must be a name, or a method that was made, as `combSum()` makes it",
    );
  const normalizer = settleNormalizer(normalize ?? settled.definition.normalizer);
  if (runs.length === 0) throw new InputError("ARGUMENT", "there are no runs to fuse; give at least one");
  checkRuns(settled, runs.length);
  const fused = new Map<string, ScoredRanking>();
  for (const run of runs) {
    for (const queryId of run.keys()) {
      if (!fused.has(queryId))
        fused.set(
          queryId,
          fuseRanking(
            queryId,
            runs.map((one) => one.get(queryId)),
            settled,
            normalizer,
          ),
        );
    }
  }
  return fused;
}

function fuseRanking(
  queryId: string,
  rankings: readonly (ScoredRanking | undefined)[],
  method: FusionMethod,
  normalizer: Normalizer,
): ScoredRanking {
  const pooled = poolRuns(queryId, rankings);
  const { ids } = pooled;
  if (ids.length === 0) return rankByScore([], []);
  const pool = fusionPool(queryId, pooled, method.definition.reads, normalizer);
  return rankByScore(ids, fuseScores(queryId, ids, pool, method));
}

/** @throws InputError `ARGUMENT` for a method with weights of more runs, or of fewer. */
export function checkRuns({ name, runs }: FusionMethod, given: number): void {
  if (runs === undefined || runs === given) return;
  throw new InputError(
    "ARGUMENT",
    `${name} is for ${runs} run${runs === 1 ? "" : "s"}, got \`${given}\`; give one weight for each run`,
  );
}
