import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import {
  type EvalRun,
  type GivenWarning,
  joinShards,
  type PartialAspects,
  refuseSharedQueries,
  type ShardsHeld,
  warnOfMissingShards,
} from "../records/index.js";

/** What a live search answered to some shards of a dataset's queries: a run that says which. */
export interface BatchPartial extends EvalRun {
  readonly shards: ShardsHeld;
}

const ASPECTS: PartialAspects<BatchPartial> = [
  ["the dataset differs", ({ suite }) => suite],
  ["the search, its settings or --top-k differ", ({ config_snapshot }) => config_snapshot],
];

/**
 * The batch that partials make, under the id of the one with the lowest shard, and begun with the earliest.
 * It counts as incomplete: recording it puts its results in order, and asks for those that are not there.
 *
 * @param from the file of each partial.
 * @returns the run, and what is to be said of missing shards.
 * @throws InputError `PARTIAL_SHAPE` for a run that is no partial, `PARTIAL_CONFLICT` for partials that do
 * not belong together or are of another dataset.
 */
export function joinBatchShards(
  runs: readonly EvalRun[],
  from: readonly string[],
  dataset: string,
): { readonly run: EvalRun; readonly missing: readonly GivenWarning[] } {
  const partials = runs.map((run, at) => partialOf(run, from[at] ?? run.run_id));
  const { first, shards } = joinShards(partials, ASPECTS);
  refuseSharedQueries(partials.map(({ results }) => results.map(({ query_id }) => query_id)));
  if (first.suite !== dataset)
    throw new InputError(
      "PARTIAL_CONFLICT",
      `the partials are of dataset ${quote(first.suite)}, not of ${quote(dataset)}`,
    );
  const lowest = ({ shards: { has } }: BatchPartial): number => Math.min(...has);
  const { shards: _, ...begun } = partials.reduce((a, b) => (lowest(b) < lowest(a) ? b : a));
  const run = {
    ...begun,
    created_at: partials.map(({ created_at }) => created_at).sort(compareIds)[0] as string,
    results: partials.flatMap(({ results }) => results),
    incomplete: true,
  };
  return { run, missing: warnOfMissingShards(shards, true) };
}

function partialOf(run: EvalRun, file: string): BatchPartial {
  const { shards } = run as EvalRun & { readonly shards?: Partial<ShardsHeld> };
  const { of, has } = shards ?? {};
  if (Number.isSafeInteger(of) && Array.isArray(has) && has.every(Number.isSafeInteger))
    return run as BatchPartial;
  throw new InputError(
    "PARTIAL_SHAPE",
    `${file}: it does not say what shards it has; write it with \`batch run --shard 1/3 --partial FILE\``,
  );
}
