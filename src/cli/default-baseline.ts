import { MOST_FAILED } from "../compare/index.js";
import { loadStoredRun, storeAggregate } from "../runs/index.js";
import {
  countFailedResults,
  describeFailedShare,
  type AggregateMetrics,
  type EvalRun,
  type GoldenSet,
} from "../records/index.js";
import type { EvalStore } from "../storage/index.js";
import { plainLine, type Terminal } from "./terminal.js";

/**
 * The newest whole run of the same suite before this one that answers any of the queries of today. One that
 * mostly failed is no baseline; one that did not pass its gate would have a second try pass.
 */
export async function defaultBaseline(
  { run, store, golden }: { readonly run: EvalRun; readonly store: EvalStore; readonly golden: GoldenSet },
  maxFailedShare: number | undefined,
  terminal: Terminal,
): Promise<EvalRun | null> {
  const asked = new Set(golden.queries.map(({ id }) => id));
  // They come by time.
  const runs = await store.listRuns();
  const earlier = runs
    .slice(
      0,
      runs.findIndex(({ run_id }) => run_id === run.run_id),
    )
    .filter((each) => each.suite === run.suite && each.total_queries > 0 && !each.is_incomplete);
  for (const { run_id } of earlier.reverse()) {
    const before = await loadStoredRun(store, run_id);
    if (!before.results.some(({ query_id }) => asked.has(query_id))) continue;
    const why = before.gate_failed === true ? "it failed its gate" : mostlyFailed(before, maxFailedShare);
    if (why === null) return before;
    terminal.talk(
      `not compared with ${plainLine(run_id)}: ${plainLine(why)} (--against ${plainLine(run_id)} does)`,
    );
  }
  return null;
}

/** That more of a run's results failed than a comparison takes, in words; null where that is not so. */
export function mostlyFailed({ run_id, results }: EvalRun, maxFailedShare = MOST_FAILED): string | null {
  const found = countFailedResults(results);
  return found.failed > maxFailedShare * found.results ? describeFailedShare(found, run_id) : null;
}

/** Keeps with a run that it did not pass its gate. */
export async function keepFailedGate(
  store: EvalStore,
  run: EvalRun,
  aggregate: AggregateMetrics,
): Promise<void> {
  await store.saveRun({ ...run, gate_failed: true }, { replace: true });
  await storeAggregate(store, run.run_id, aggregate);
}
