import { compareRuns, type CompareOptions } from "../compare/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { computeAggregate, type AggregateOptions } from "../golden/index.js";
import type { AggregateMetrics, CompareReport, EvalRun, Golden } from "../records/index.js";
import { didYouMean, nearestIds } from "../foundation/ids/index.js";
import type { EvalStore } from "../storage/index.js";
import { evidenceFrom, placesToArchive } from "./evidence.js";
import { firstOf } from "../foundation/text/index.js";

/**
 * Writes an aggregate into its run's row.
 *
 * @throws InputError `STORE_RUN_NOT_FOUND`
 */
export async function storeAggregate(
  store: EvalStore,
  runId: string,
  aggregate: AggregateMetrics,
): Promise<void> {
  if (!(await store.writeAggregate(runId, aggregate))) throw await runNotFound(store, runId);
}

/**
 * A run of a store.
 *
 * @throws InputError `STORE_RUN_NOT_FOUND` with the nearest ids.
 */
export async function loadStoredRun(store: EvalStore, runId: string): Promise<EvalRun> {
  const run = await store.loadRun(runId);
  if (run === null) throw await runNotFound(store, runId);
  return run;
}

const MOST_NAMED = 5;

async function runNotFound(store: EvalStore, runId: string): Promise<InputError> {
  const known = (await store.listRuns()).map(({ run_id }) => run_id);
  const hint =
    known.length === 0
      ? "the store has no runs"
      : (didYouMean(nearestIds(runId, known)) ?? `the store has ${firstOf(known.map(quote), MOST_NAMED)}`);
  return new InputError("STORE_RUN_NOT_FOUND", `there is no run ${quote(runId)} in the store; ${hint}`, {
    runId,
  });
}

/**
 * The scores of a stored run, with citations checked against the store's chunks; written into the run's row
 * unless `write` is false.
 */
export async function aggregateStoredRun(
  store: EvalStore,
  runId: string,
  golden: Golden,
  { write = true, ...options }: AggregateOptions & { readonly write?: boolean | undefined } = {},
): Promise<AggregateMetrics> {
  const run = await loadStoredRun(store, runId);
  const aggregate = computeAggregate(run, golden, {
    ...(await evidenceFrom(store, [run], golden)),
    ...options,
  });
  if (write) await storeAggregate(store, runId, aggregate);
  return aggregate;
}

/** Two stored runs side by side, with places of chunks from the store. */
export async function compareStoredRuns(
  store: EvalStore,
  runIdA: string,
  runIdB: string,
  golden: Golden,
  options: CompareOptions = {},
): Promise<CompareReport> {
  const runA = await loadStoredRun(store, runIdA);
  const runB = await loadStoredRun(store, runIdB);
  return compareRuns(runA, runB, golden, {
    ...(await evidenceFrom(store, [runA, runB], golden)),
    ...options,
  });
}

/**
 * Saves a run that exists already, and archives where its chunks (and those of the golden set, where one is
 * given) lie.
 */
export async function importRun(
  store: EvalStore,
  run: EvalRun,
  { golden, replace }: { readonly golden?: Golden | undefined; readonly replace?: boolean | undefined } = {},
): Promise<void> {
  await store.saveRun(run, { replace, archive: await placesToArchive(store, run, golden) });
}
