import { joinBatchShards, type BatchPartial } from "../batch/index.js";
import { jsonParts } from "../formats/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { firstOf } from "../foundation/text/index.js";
import { InputError, type Shard } from "../index.js";
import { describeSearch, readRun, type Dataset, type LiveSearch } from "../node/index.js";
import { isInShard, type EvalRun } from "../records/index.js";
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
): Promise<EvalRun> {
  const read: { file: string; run: EvalRun }[] = [];
  for (const file of files) {
    terminal.progress(`reading ${file}`);
    read.push({ file, run: await readRun(file) });
  }
  const { id: dataset, queries } = search.dataset;
  const asked = { dataset, config: describeSearch(search, topK), queries };
  const { run, missing, lacking } = joinBatchShards(read, asked);
  for (const { message } of missing) terminal.warn(`${message}; their queries are asked now`);
  if (lacking.length > 0)
    terminal.warn(
      `shards that are here have no answer to ${countOf(lacking.length, "query")}, or one to other words; ` +
        `asked now: ${firstOf(lacking, 5)}`,
    );
  return run;
}
