import { configDiff } from "../compare/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { redactSecrets } from "../foundation/text/index.js";
import {
  type EvalRun,
  type GivenWarning,
  joinShards,
  refuseSharedQueries,
  shardOf,
  type ShardsHeld,
  warnOfMissingShards,
} from "../records/index.js";

/** What a live search answered to some shards of a dataset's queries: a run that says which. */
export interface BatchPartial extends EvalRun {
  readonly shards: ShardsHeld;
}

/** A run and the file that it was read from. */
export interface ReadPartial {
  readonly file: string;
  readonly run: EvalRun;
}

/** What partials must have been asked of. */
interface Asked {
  /** The id of the dataset. */
  readonly dataset: string;
  /** Of the search, as a recording of it has them. */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * The batch that partials make, under the id of the one with the lowest shard, and begun with the earliest.
 * It counts as incomplete: recording it puts its results in order, and asks for those that are not there.
 *
 * @returns the run, its shards, and what is to be said of missing ones.
 * @throws InputError `PARTIAL_SHAPE` for a run that is no partial, `PARTIAL_CONFLICT` for partials that do
 * not belong together, or to what is asked here.
 */
export function joinBatchShards(
  read: readonly ReadPartial[],
  asked: Asked,
): { readonly run: EvalRun; readonly missing: readonly GivenWarning[]; readonly shards: ShardsHeld } {
  const partials = read.map((each) => partialOf(each, asked));
  const { shards } = joinShards(partials, []);
  refuseSharedQueries(partials.map(({ results }) => results.map(({ query_id }) => query_id)));
  const lowest = ({ shards: { has } }: BatchPartial): number => Math.min(...has);
  const { shards: _, ...begun } = partials.reduce((a, b) => (lowest(b) < lowest(a) ? b : a));
  const run = {
    ...begun,
    created_at: partials.map(({ created_at }) => created_at).sort(compareIds)[0] as string,
    results: partials.flatMap(({ results }) => results),
    incomplete: true,
  };
  return { run, missing: warnOfMissingShards(shards, true), shards };
}

/** The queries of some shards that have no answer, or one to other words: they are asked. */
export function findUnanswered(
  { of, has }: ShardsHeld,
  queries: readonly { readonly id: string; readonly query: string }[],
  results: EvalRun["results"],
): string[] {
  const held = new Set(has);
  const answered = new Map(results.map((each) => [each.query_id, each.query]));
  const isAnswered = (id: string, query: string): boolean =>
    answered.has(id) && (answered.get(id) ?? query) === query;
  return queries.flatMap(({ id, query }) =>
    held.has(shardOf(id, of)) && !isAnswered(id, query) ? [id] : [],
  );
}

function partialOf({ file, run }: ReadPartial, { dataset, config }: Asked): BatchPartial {
  const { of, has } = (run as Partial<BatchPartial>).shards ?? {};
  if (!Number.isSafeInteger(of) || !Array.isArray(has) || !has.every(Number.isSafeInteger))
    throw new InputError(
      "PARTIAL_SHAPE",
      `${file}: it does not say what shards it has; write it with \`batch run --shard 1/3 --partial FILE\``,
    );
  if (run.suite !== dataset)
    throw new InputError(
      "PARTIAL_CONFLICT",
      `${file}: it is of dataset ${quote(run.suite)}, not of ${quote(dataset)}`,
    );
  const redact = (given: object): object => redactSecrets(given as Record<string, unknown>).config;
  const [other] = configDiff(redact(run.config_snapshot), redact(config));
  if (other !== undefined)
    throw new InputError(
      "PARTIAL_CONFLICT",
      `${file}: ${quote(other.path)} was ${quote(other.a)} where it was asked, and is ${quote(other.b)} ` +
        "here; all shards are asked of one search, set alike",
    );
  return run as BatchPartial;
}
