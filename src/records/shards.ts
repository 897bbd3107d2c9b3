import { InputError, quote } from "../foundation/errors/index.js";
import { fnv1a } from "../foundation/ids/index.js";
import { canonicalJson } from "../foundation/text/index.js";
import type { GivenWarning } from "./query-warning.js";

/** One of the parts that the queries are split into: those whose FNV-1a hash modulo `of` is `index` - 1. */
export interface Shard {
  /** From 1 to `of`. */
  readonly index: number;
  readonly of: number;
}

/** Above this a split is a typo. */
const MOST_SHARDS = 1_000_000;

/** Whether a query is one of a shard's; without a shard every query is. */
export function isInShard(queryId: string, shard: Shard | undefined): boolean {
  return shard === undefined || shardOf(queryId, shard.of) === shard.index;
}

/** Which of so many shards a query is one of, from 1. */
export function shardOf(queryId: string, of: number): number {
  return (fnv1a(queryId) % of) + 1;
}

/**
 * Reads `3/16`: the third of sixteen shards.
 *
 * @throws InputError `ARGUMENT`
 */
export function parseShard(text: string): Shard {
  const [, index, of] = /^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? [];
  return checkShard({ index: Number(index), of: Number(of) }, text);
}

const isShard = ({ index, of }: Shard): boolean =>
  Number.isInteger(index) && Number.isInteger(of) && index >= 1 && index <= of && of <= MOST_SHARDS;

/** @throws InputError `ARGUMENT` for what is no shard. */
export function checkShard(shard: Shard, given: unknown = shard): Shard {
  if (isShard(shard)) return shard;
  throw new InputError(
    "ARGUMENT",
    "a shard is one of several, such as `3/16`, counted from 1 (`{ index: 3, of: 16 }`), got " + quote(given),
  );
}

/** The shards that a partial is made of. */
export interface ShardsHeld {
  readonly of: number;
  /** From 1, rising. */
  readonly has: readonly number[];
}

/** What partials must have in common, each with what is said where it differs. */
export type PartialAspects<P> = readonly (readonly [problem: string, of: (partial: P) => unknown])[];

/** @throws InputError `ARGUMENT` for what is no list of partials of a kind, also from code without types. */
export function checkPartials(partials: unknown, kind: string): void {
  if (!Array.isArray(partials))
    throw new InputError("ARGUMENT", `partials are a list, got ${quote(partials)}`);
  for (const partial of partials as readonly unknown[])
    if ((partial as { readonly kind?: unknown } | null)?.kind !== kind)
      throw new InputError(
        "ARGUMENT",
        `partials to merge must be of kind ${quote(kind)}, got ${quote(partial)}`,
      );
}

/**
 * The shards that partials hold together.
 *
 * @throws InputError `PARTIAL_CONFLICT` for partials that do not belong together, a shard twice, or none.
 */
export function joinShards<P extends { readonly shards: ShardsHeld }>(
  partials: readonly P[],
  aspects: PartialAspects<P>,
): { readonly first: P; readonly shards: ShardsHeld } {
  const [first, ...others] = partials;
  if (first === undefined) throw conflict("there are no partials; name at least one");
  for (const partial of partials) for (const index of partial.shards.has) checkHeld(index, partial);
  const all: PartialAspects<P> = [["the number of shards differs", ({ shards }) => shards.of], ...aspects];
  for (const other of others)
    for (const [problem, of] of all)
      if (canonicalJson(of(first)) !== canonicalJson(of(other)))
        throw conflict(
          `partials of shards ${shardNames(first)} and ${shardNames(other)} do not belong together: ` +
            problem,
        );
  const has = partials.flatMap(({ shards }) => shards.has).sort((a, b) => a - b);
  const twice = has.find((shard, at) => shard === has[at + 1]);
  if (twice !== undefined) throw conflict(`shard ${twice} is there twice; leave one of them out`);
  return { first, shards: { of: first.shards.of, has } };
}

/** @throws InputError `PARTIAL_SHAPE` for a shard that cannot be. */
function checkHeld(index: number, partial: { readonly shards: ShardsHeld }): void {
  const { of } = partial.shards;
  if (isShard({ index, of })) return;
  throw new InputError("PARTIAL_SHAPE", `a partial has shards ${shardNames(partial)}; was it edited?`);
}

/** @throws InputError `PARTIAL_SHAPE` for a query that a partial names twice. */
export function checkQueriesOnce(partial: { readonly shards: ShardsHeld }, ids: readonly string[]): void {
  const seen = new Set<string>();
  const twice = ids.find((id) => seen.size === seen.add(id).size);
  if (twice === undefined) return;
  throw new InputError(
    "PARTIAL_SHAPE",
    `the partial of shards ${shardNames(partial)} has query ${quote(twice)} twice; was it edited?`,
  );
}

/** @throws InputError `PARTIAL_CONFLICT` for a query that stands in two partials. */
export function refuseSharedQueries(queries: readonly Iterable<string>[]): void {
  const seen = new Set<string>();
  for (const ids of queries)
    for (const id of new Set(ids)) {
      if (seen.has(id))
        throw conflict(
          `query ${quote(id)} is in two partials, which overlap; were they made by \`--shard\`?`,
        );
      seen.add(id);
    }
}

const conflict = (message: string): InputError => new InputError("PARTIAL_CONFLICT", message);

const MOST_NAMED = 5;

/** `1, 2 of 16` */
export function shardNames({ shards: { of, has } }: { readonly shards: ShardsHeld }): string {
  return `${has.slice(0, MOST_NAMED).join(", ")}${has.length > MOST_NAMED ? ", …" : ""} of ${of}`;
}

/**
 * What is to be said of missing shards: nothing where all are there.
 *
 * @throws InputError `PARTIAL_GAP` unless shards may be missing.
 */
export function warnOfMissingShards({ of, has }: ShardsHeld, mayBeMissing: boolean): GivenWarning[] {
  const held = new Set(has);
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((at) => !held.has(at));
  if (missing.length === 0) return [];
  const named = missing.slice(0, MOST_NAMED).join(", ");
  const more = missing.length > MOST_NAMED ? " and others" : "";
  const are = missing.length === 1 ? "is" : "are";
  const message = `${missing.length} of ${of} shards ${are} missing: ${named}${more}`;
  if (!mayBeMissing)
    throw new InputError(
      "PARTIAL_GAP",
      `${message}; make them with \`--shard ${missing[0] as number}/${of}\`, or merge with \`--incomplete\``,
      { shards: missing },
    );
  return [{ code: "SHARDS_MISSING", message, count: missing.length }];
}
