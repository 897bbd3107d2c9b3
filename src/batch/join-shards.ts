import { configDiff } from "../compare/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { redactSecrets } from "../foundation/text/index.js";
import {
  type EvalRun,
  type GivenWarning,
  isInShard,
  joinShards,
  refuseSharedQueries,
  type ShardsHeld,
  warnOfMissingShards,
} from "../records/index.js";

/** What a live search answered to some shards of a dataset's queries: a run that says which. */
export interface BatchPartial extends EvalRun {
  readonly shards: ShardsHeld;
}

/** A run and the file that it was read from. */
interface ReadPartial {
  readonly file: string;
  readonly run: EvalRun;
}

/** What partials must have been asked of. */
interface Asked {
  /** The id of the dataset. */
  readonly dataset: string;
  /** Of the search, as a recording of it has them. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Of the dataset. */
  readonly queries: readonly { readonly id: string; readonly query: string }[];
}

/**
 * The batch that partials make, under the id of the one with the lowest shard, and begun with the earliest.
 * It counts as incomplete: recording it puts its results in order, and asks for those that are not there.
 *
 * @returns the run, what is to be said of missing shards, and the queries of the others that no partial
 * answers, or that were asked in other words.
 * @throws InputError `PARTIAL_SHAPE` for a run that is no partial, `PARTIAL_CONFLICT` for partials that do
 * not belong together, or to what is asked here.
 */
export function joinBatchShards(
  read: readonly ReadPartial[],
  asked: Asked,
): { readonly run: EvalRun; readonly missing: readonly GivenWarning[]; readonly lacking: readonly string[] } {
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
  const answered = new Map(run.results.map(({ query_id, query }) => [query_id, query]));
  const held = shards.has.map((index) => ({ index, of: shards.of }));
  const lacking = asked.queries.filter(
    ({ id, query }) =>
      held.some((shard) => isInShard(id, shard)) &&
      !(answered.has(id) && (answered.get(id) ?? query) === query),
  );
  return { run, missing: warnOfMissingShards(shards, true), lacking: lacking.map(({ id }) => id) };
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
  const redacted = (given: object): object => redactSecrets(given as Record<string, unknown>).config;
  const [other] = configDiff(redacted(run.config_snapshot), redacted(config));
  if (other !== undefined)
    throw new InputError(
      "PARTIAL_CONFLICT",
      `${file}: ${quote(other.path)} was ${quote(other.a)} where it was asked, and is ${quote(other.b)} ` +
        "here; all shards are asked of one search, set alike",
    );
  return run as BatchPartial;
}
