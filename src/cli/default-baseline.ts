import { MOST_FAILED } from "../compare/index.js";
import { loadStoredRun, storeAggregate } from "../runs/index.js";
import {
  countFailedResults,
  areMoreFailed,
  describeFailedShare,
  FEWEST_PAIRS,
  type AggregateMetrics,
  type EvalRun,
  type GateReport,
  type GoldenSet,
} from "../records/index.js";
import { countOf, formatCount, formatShare } from "../foundation/numbers/index.js";
import type { EvalStore } from "../storage/index.js";
import { plainLine, type Terminal } from "./terminal.js";

/** A run with this share of the queries of today, or of what an older one has, is as good a baseline. */
const ENOUGH = 0.9;

/**
 * The newest whole run of the same suite before this one with results of nine tenths of the queries of today,
 * or of what any older one has, if as many as a comparison needs: a run of a few queries would hide what the
 * others lost. One that mostly failed is no baseline; one that did not pass its gate would have a second
 * try pass.
 */
export async function defaultBaseline(
  {
    runId,
    isResumed,
    suite,
    store,
    golden,
  }: {
    readonly runId: string;
    /** Whether a run of this id is gone on with: what came after it is no baseline. */
    readonly isResumed: boolean;
    readonly suite: string;
    readonly store: EvalStore;
    readonly golden: GoldenSet;
  },
  maxFailedShare: number | undefined,
  terminal: Terminal,
): Promise<EvalRun | null> {
  const asked = new Set(golden.queries.map(({ id }) => id));
  // They come by time.
  const runs = await store.listRuns();
  const at = isResumed ? runs.findIndex(({ run_id }) => run_id === runId) : -1;
  const earlier = runs
    .slice(0, at === -1 ? runs.length : at)
    .filter(
      (each) =>
        each.run_id !== runId && each.suite === suite && each.total_queries > 0 && !each.is_incomplete,
    );
  const passOver = (run_id: string, why: string): void =>
    terminal.talk(
      `not compared with ${plainLine(run_id)}: ${plainLine(why)} (--against ${plainLine(run_id)} does)`,
    );
  const describeCommon = (common: number): string =>
    `it has results of ${formatCount(common)} of the ${countOf(asked.size, "query")} of today`;
  let best: { readonly run: EvalRun; readonly common: number } | null = null;
  for (const { run_id, total_queries } of earlier.reverse()) {
    if (best !== null && best.common >= ENOUGH * total_queries) continue;
    const before = await loadStoredRun(store, run_id);
    const common = before.results.filter(({ query_id }) => asked.has(query_id)).length;
    if (common === 0 || (best !== null && best.common >= ENOUGH * common)) continue;
    const why =
      before.gate_failed === true
        ? "it failed its gate"
        : before.gate_pending === true
          ? "its gate was not held"
          : common < Math.min(FEWEST_PAIRS, asked.size)
            ? describeCommon(common)
            : mostlyFailed(before, golden, maxFailedShare);
    if (why !== null) {
      passOver(run_id, why);
      continue;
    }
    if (best !== null)
      passOver(best.run.run_id, `${describeCommon(best.common)}, ${run_id} of ${formatCount(common)}`);
    best = { run: before, common };
    if (common >= ENOUGH * asked.size) break;
  }
  return best?.run ?? null;
}

/**
 * That more of a run's results for the golden queries failed than a comparison takes, in words; null where
 * that is not so.
 */
function mostlyFailed(
  { run_id, results }: EvalRun,
  golden: GoldenSet,
  maxFailedShare = MOST_FAILED,
): string | null {
  const asked = new Set(golden.queries.map(({ id }) => id));
  const all = countFailedResults(results, (id) => asked.has(id));
  const found = all.compared ?? all;
  return areMoreFailed(found, maxFailedShare) ? describeFailedShare(found, run_id) : null;
}

/** What a gate says of a run that mostly failed, as a comparison would; null for any other. */
export function failedRule(
  run: EvalRun,
  golden: GoldenSet,
  maxFailedShare = MOST_FAILED,
): GateReport["rules"][number] | null {
  const why = mostlyFailed(run, golden, maxFailedShare);
  return why === null
    ? null
    : {
        rule: `at most ${formatShare(maxFailedShare)} failed results`,
        run: run.run_id,
        value: null,
        passed: false,
        why: `${why}; with so many it is no baseline, and its scores say nothing`,
      };
}

/** Keeps with a run whether it did not pass its gate, which has been held now. */
export async function keepGate(
  store: EvalStore,
  run: EvalRun,
  aggregate: AggregateMetrics,
  hasFailed: boolean,
): Promise<void> {
  if ((run.gate_failed === true) === hasFailed && run.gate_pending !== true) return;
  const said = new Set(["gate_failed", "gate_pending"]);
  const kept = Object.fromEntries(Object.entries(run).filter(([key]) => !said.has(key))) as EvalRun;
  await store.saveRun({ ...kept, ...(hasFailed && { gate_failed: true }) }, { replace: true });
  await storeAggregate(store, run.run_id, aggregate);
}
