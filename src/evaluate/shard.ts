import { InputError, quote } from "../foundation/errors/index.js";
import { fnv1a } from "../foundation/ids/index.js";

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
  return shard === undefined || fnv1a(queryId) % shard.of === shard.index - 1;
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

/** @throws InputError `ARGUMENT` for what is no shard. */
export function checkShard(shard: Shard, given: unknown = shard): Shard {
  const { index, of } = shard;
  if (Number.isInteger(index) && Number.isInteger(of) && index >= 1 && index <= of && of <= MOST_SHARDS)
    return shard;
  throw new InputError(
    "ARGUMENT",
    "a shard is one of several, such as `3/16`, counted from 1 (`{ index: 3, of: 16 }`), got " + quote(given),
  );
}
