import { joinBatchShards, type BatchPartial } from "../batch/index.js";
import { jsonParts } from "../formats/index.js";
import { InputError, type Shard } from "../index.js";
import { readRun, type Dataset } from "../node/index.js";
import { isInShard, type EvalRun } from "../records/index.js";
import { warningsOf } from "./batch-work.js";
import type { Terminal } from "./terminal.js";
import { writeOutput } from "./write-output.js";

/** How a batch is made in parts, as commander gives it. */
export interface ShardFlags {
  shard?: Shard;
  partial?: string;
  from?: string[];
}

/** @throws InputError `ARGUMENT` for what goes with a whole batch only. */
export function checkShardFlags(
  { shard, partial, from }: ShardFlags,
  given: Readonly<Record<string, unknown>>,
): void {
  if ((shard === undefined) !== (partial === undefined))
    throw new InputError("ARGUMENT", "--shard asks a part of the queries and --partial keeps it; give both");
  const idle = Object.keys(given).find((name) => given[name] !== undefined && given[name] !== false);
  if (partial !== undefined && idle !== undefined)
    throw new InputError(
      "ARGUMENT",
      `--partial keeps what the search answers, for \`batch run --from\`, with which --${idle} goes`,
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
export function writeBatchPartial(run: EvalRun, { shard, partial }: ShardFlags, terminal: Terminal): void {
  if (shard === undefined) return;
  const shards = { of: shard.of, has: [shard.index] };
  writeOutput(jsonParts({ ...run, shards } satisfies BatchPartial), partial, terminal);
}

/** The batch that partials make; of a shard that is missing it says that its queries are asked now. */
export async function batchFromPartials(
  paths: readonly string[],
  { id }: Dataset,
  terminal: Terminal,
): Promise<EvalRun> {
  const runs: EvalRun[] = [];
  for (const path of paths) {
    terminal.progress(`reading ${path}`);
    runs.push(await readRun(path));
  }
  const { run, missing } = joinBatchShards(runs, paths, id);
  for (const { message } of missing) warningsOf(terminal)(`${message}; their queries are asked now`);
  return run;
}
