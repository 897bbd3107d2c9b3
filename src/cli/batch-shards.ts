import { joinBatchShards, findUnanswered, type BatchPartial } from "../batch/index.js";
import { jsonParts } from "../formats/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { InputError, type Shard } from "../index.js";
import { readRun, type Dataset, type LiveSearch } from "../node/index.js";
import { describeSearch } from "../node/internal.js";
import { isInShard, type EvalRun, type ShardsHeld } from "../records/index.js";
import type { Terminal } from "./terminal.js";
import { writeOutput } from "./write-output.js";

/** How a batch is made in parts, as commander gives it. */
export interface ShardFlags {
  shard?: Shard;
  partial?: string;
  from?: string[];
}

/**
 * @param whole flags that go with a whole batch only, with what was given for them.
 * @throws InputError `ARGUMENT` for flags that do not go together.
 */
export function checkShardFlags(
  { shard, partial, from }: ShardFlags,
  whole: Readonly<Record<string, unknown>>,
): void {
  if ((shard === undefined) !== (partial === undefined))
    throw new InputError("ARGUMENT", "--shard asks a part of the queries and --partial keeps it; give both");
  const idle = Object.keys(whole).find((flag) => whole[flag] !== undefined);
  if (partial !== undefined && idle !== undefined)
    throw new InputError(
      "ARGUMENT",
      `--partial keeps what the search answers, for \`batch run --from\`, with which ${idle} goes`,
    );
  if (partial !== undefined && from !== undefined)
    throw new InputError("ARGUMENT", "--partial makes a part, and --from takes parts; give one of them");
}

/** The dataset with the queries of one shard. */
export function datasetOfShard(dataset: Dataset, shard: Shard | undefined): Dataset {
  if (shard === undefined) return dataset;
  return { ...dataset, queries: dataset.queries.filter(({ id }) => isInShard(id, shard)) };
}

/** Writes what the search answered to the queries of a shard. */
export function writeBatchPartial(
  run: EvalRun,
  { of, index }: Shard,
  partial: string | undefined,
  terminal: Terminal,
): void {
  const shards = { of, has: [index] };
  writeOutput(jsonParts({ ...run, shards } satisfies BatchPartial), partial, terminal);
}

/** The batch that partials make; of a shard that is missing it says that its queries are asked now. */
export async function batchFromPartials(
  files: readonly string[],
  search: LiveSearch,
  topK: number,
  terminal: Terminal,
): Promise<{ readonly run: EvalRun; readonly shards: ShardsHeld }> {
  const read: { file: string; run: EvalRun }[] = [];
  for (const file of files) {
    terminal.progress(`reading ${file}`);
    read.push({ file, run: await readRun(file) });
  }
  const asked = { dataset: search.dataset.id, config: describeSearch(search, topK) };
  const { missing, ...joined } = joinBatchShards(read, asked);
  for (const { message } of missing) terminal.warn(`${message}; their queries are asked now`);
  return joined;
}

const MOST_NAMED = 5;

/** Says which queries of shards that are here are asked all the same. */
export function tellUnanswered(
  shards: ShardsHeld,
  { dataset: { queries } }: LiveSearch,
  results: EvalRun["results"],
  terminal: Terminal,
): void {
  const open = findUnanswered(shards, queries, results);
  if (open.length > 0)
    terminal.warn(
      `shards that are here have no answer to ${countOf(open.length, "query")}, or one to other words; ` +
        `asked now: ${open.slice(0, MOST_NAMED).join(", ")}${open.length > MOST_NAMED ? ", …" : ""}`,
    );
}
