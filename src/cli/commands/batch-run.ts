import { countOf } from "../../foundation/numbers/index.js";
import { jsonParts } from "../../formats/index.js";
import type { Command } from "commander";
import { batchSummary, isBatchId, type Scorecard } from "../../batch/index.js";
import { AdapterError, InputError, isRankproofError, type RankproofError } from "../../index.js";
import {
  artifactsPath,
  batchFiles,
  batchForms,
  labelsOfDataset,
  listBatches,
  listQueuedBatches,
  openLiveSearch,
  openStore,
  projectConfig,
  recordBatch,
  recordQueuedBatch,
  reportBatch,
  withListedHits,
  type AskOptions,
  type Dataset,
  type LiveSearch,
} from "../../node/index.js";
import { checkDepth, newBatchId } from "../../node/internal.js";
import {
  isInShard,
  type BatchReport,
  type Config,
  type EvalRun,
  type GateReport,
} from "../../records/index.js";
import { renderRunReportText, gateOutputCards } from "../../report/index.js";
import { loadStoredRun } from "../../runs/index.js";
import type { EvalStore } from "../../storage/index.js";
import {
  annotateLabels,
  scorecardFrom,
  watcherOf,
  workersOptionOf,
  refreshOptionOf,
  hitsOptionsOf,
  scorecardOptionsOf,
  type AnnotateFlags,
  type ScorecardFlags,
} from "../batch-work.js";
import {
  batchFromPartials,
  tellUnanswered,
  checkShardFlags,
  datasetOfShard,
  writeBatchPartial,
  type ShardFlags,
} from "../batch-shards.js";
import { datasetFrom, datasetOptionsOf, labelerOptionOf, tenantOf } from "../dataset-flags.js";
import { DEFAULT_STORE } from "../defaults.js";
import { formWriter, type FormWriter } from "../form-writer.js";
import { gateOptionsOf, openGate, settleHeld, type GateFlags } from "../gate-flags.js";
import { seedOption } from "../number-flag.js";
import {
  textOptionOf,
  refuseFormsWithoutGate,
  writeGateForms,
  gateFormsOf,
  type TextFlags,
} from "../run-report-outputs.js";
import { shellWord } from "../shell-word.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, storeOption } from "./cli-command.js";
import { shardOptionsOf } from "../shard-options.js";
import { listWantedOutputs } from "../output-flags.js";
import { stopOptionOf, askingOptionsOf } from "../asking-flags.js";

interface Flags extends AnnotateFlags, AskOptions, ScorecardFlags, GateFlags, TextFlags, ShardFlags {
  store?: string;
  seed: number;
  stopAfterFailures?: number;
  resume?: string | true;
  workers?: "queue";
  json?: true;
}

/** `batch run`. */
export function defineRun(batch: Command, terminal: Terminal): void {
  const command = refreshOptionOf(
    hitsOptionsOf(
      labelerOptionOf(
        datasetOptionsOf(
          batch
            .command("run")
            .description(
              "ask the live search every query, and score it against the labels; it labels only if asked",
            )
            .argument("[dataset]", "of the configuration"),
        ),
      ),
    ),
  );
  const asking = shardOptionsOf(
    textOptionOf(gateOptionsOf(scorecardOptionsOf(storeOption(workersOptionOf(command))))),
    "ask",
    "write what the shard's queries were answered, and score nothing",
  );
  stopOptionOf(askingOptionsOf(asking))
    .addOption(seedOption("of the intervals", 1))
    .option("--resume [batch]", "go on with this batch, or the last one: what it has is kept")
    .option("--retry-failed", "with --resume: ask again for the queries that failed")
    .option("--from <partials...>", "take the answers of `--partial` in place of asking")
    .option("--json", "print the report as JSON");
  gateFormsOf(command)
    .addHelpText(
      "after",
      examples(
        "batch run shop",
        "batch run shop --annotate --labeler gpt",
        "batch run shop --resume",
        "batch run shop --shard 1/2 --partial b1.json    # and then: batch run shop --from b1.json b2.json",
        "batch run shop --fail-under Primary_Metric_Score=0.6 --junit gate.xml",
      ),
    )
    .action((dataset: string | undefined, flags: Flags) => run(dataset, flags, terminal));
}

async function run(given: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  terminal.leanHeap?.();
  checkShardFlags(flags, {
    "--annotate": flags.annotate,
    "--force-refresh-labels": flags.forceRefreshLabels,
    "--json": flags.json,
    ...Object.fromEntries(
      listWantedOutputs(flags, gateOutputCards).map(({ output: { name }, file }) => [`--${name}`, file]),
    ),
    "--workers": flags.workers,
    "--gate": flags.gate,
    "--fail-under": flags.failUnder,
  });
  const gate = await openGate(flags);
  refuseFormsWithoutGate(flags, gate);
  const config = await projectConfig(terminal);
  const dataset = await datasetFrom(config, given, flags, terminal);
  const scorecard = scorecardFrom(config, dataset, flags);
  checkDepth(scorecard, flags.topK);
  if (flags.retryFailed === true && flags.resume === undefined)
    throw new InputError("ARGUMENT", "--retry-failed asks again within a batch; give --resume, too");
  const path = flags.store ?? DEFAULT_STORE;
  const store = await openStore(path, { create: true });
  let search: LiveSearch | undefined;
  try {
    const asked = datasetOfShard(dataset, flags.shard);
    search = await openLiveSearch(config, asked, flags.topK, watcherOf(terminal));
    const { own } = search;
    const { stopAfterFailures = config.stopAfterFailures } = flags;
    const place = { search, store, path, stopAfterFailures };
    const { shard, partial } = flags;
    if (shard !== undefined)
      return writeBatchPartial(await recordBatchRun(place, flags, terminal), shard, partial, terminal);
    const { report, heads } = await scoreRun(place, { config, scorecard }, flags, terminal);
    tellRescored(report, config, terminal);
    const held = gate?.holdAgainst(report) ?? null;
    const settle = writeBatchOutputs(report, { dataset, config, heads, own, held }, flags, terminal);
    if (flags.json === true) for (const part of jsonParts(report)) terminal.out(part);
    else terminal.out(renderRunReportText(report, terminal));
    for (const { message } of report.warnings) terminal.warn(message);
    tellNext(report, flags, terminal);
    await settleHeld(held, terminal, settle);
  } finally {
    await search?.backend.close?.();
    await store.close();
  }
}

/** Asks the search, and scores it; of a large batch the hits behind those that are listed are let go. */
async function scoreRun(
  place: Place,
  { config, scorecard }: { readonly config: Config; readonly scorecard: Scorecard },
  flags: Flags,
  terminal: Terminal,
): Promise<{ readonly report: BatchReport; readonly heads: EvalRun }> {
  const { search, store } = place;
  const { dataset, named } = search;
  const found = await recordBatchRun(place, flags, terminal);
  // What it holds of the file is memory that the scores can use.
  await store.close();
  if (flags.annotate === true || flags.forceRefreshLabels === true)
    await annotateLabels(found, dataset, config, flags, terminal);
  terminal.progress("scoring");
  const report = reportBatch(found, dataset, await labelsOfDataset(config, dataset, flags, terminal.warn), {
    backend: named,
    topK: flags.topK,
    scorecard,
    seed: flags.seed,
  });
  return { report, heads: withListedHits(found) };
}

interface Place {
  readonly search: LiveSearch;
  readonly store: EvalStore;
  readonly path: string;
  readonly stopAfterFailures: number | undefined;
}

async function recordBatchRun(place: Place, flags: Flags, terminal: Terminal): Promise<EvalRun> {
  const { search, store, path, stopAfterFailures } = place;
  const before = await earlierBatch(place, flags, terminal);
  const runId = before ?? newBatchId();
  try {
    if (flags.workers === "queue") return await recordByWorkers(place, runId, flags, terminal);
    const resume = before !== undefined;
    return await recordBatch(
      search,
      { ...flags, runId, store, stopAfterFailures, resume },
      watcherOf(terminal),
    );
  } catch (error) {
    if (!isRankproofError(error)) throw error;
    if (error.code === "RUN_RESUME") throw otherSettingsError(runId, error);
    if (flags.workers === "queue") throw error;
    // Where the store failed, nobody knows what it has.
    if (OF_STORES.test(error.code))
      throw reword(error, `${error.message}; --resume ${runId} goes on with what was kept`);
    if (error.code !== "RUN_INCOMPLETE") throw error;
    throw reword(
      error,
      (await store.loadRun(runId)) === null
        ? "interrupted before a query was answered; nothing was kept"
        : `interrupted; what was answered is kept in ${path}, and --resume ${runId} goes on`,
    );
  }
}

const OF_STORES = /^(?:STORE|FILE)_(?!RUN_EXISTS|LOCKED)/;

/** The same failure in other words. */
function reword(cause: RankproofError, message: string): RankproofError {
  const Kind = cause instanceof InputError ? InputError : AdapterError;
  return new Kind(cause.code, message, cause.details, cause);
}

/** A batch has no `--id` by which another one could be named. */
function otherSettingsError(runId: string, { code, details }: RankproofError): InputError {
  const paths = (details["differences"] as readonly { readonly path: string }[]).map(({ path }) => path);
  return new InputError(
    code,
    `batch ${runId} was begun with another configuration (${paths.join(", ")}); ` +
      "give the options and the search that it was begun with, or leave out --resume",
    details,
  );
}

/** The id of a batch that has answers already: it goes on. */
async function earlierBatch(place: Place, flags: Flags, terminal: Terminal): Promise<string | undefined> {
  const { resume, from, topK } = flags;
  const { store, search } = place;
  if (from === undefined)
    return resume === undefined ? undefined : resumableRun(place, resume, flags, terminal);
  if (resume !== undefined)
    throw new InputError("ARGUMENT", "--from takes answers of partials, and --resume those of the store");
  const { run, shards } = await batchFromPartials(from, search, topK, terminal);
  const given = new Set(run.results.map(({ query_id }) => query_id));
  // What was asked here since the partials were made stays.
  const own = (await store.loadRun(run.run_id))?.results.filter(({ query_id }) => !given.has(query_id));
  const results = [...run.results, ...(own ?? [])];
  tellUnanswered(shards, search, results, terminal);
  await store.saveRun({ ...run, results }, { replace: true });
  return run.run_id;
}

function recordByWorkers(
  { search, store, path }: Place,
  runId: string,
  { queries, corpus, language, ...flags }: Flags,
  terminal: Terminal,
): Promise<EvalRun> {
  const watcher = { ...watcherOf(terminal), onNote: (message: string) => terminal.talk(plainLine(message)) };
  const named = { queries, corpus, tenant: tenantOf(flags, terminal), language };
  return recordQueuedBatch(search, { ...flags, runId, store, path }, watcher, named);
}

/** The id of the batch to go on with: the one that is named, or the last of the dataset. */
async function resumableRun(
  { store, path, search }: Place,
  given: string | true,
  { workers, shard }: Flags,
  terminal: Terminal,
): Promise<string> {
  const { id, queries } = search.dataset;
  const isOfShard = ({ results }: EvalRun): boolean =>
    results.every(({ query_id }) => isInShard(query_id, shard));
  // Nobody may have waited for what workers did.
  const queued = workers === "queue" ? await listQueuedBatches(path, id) : [];
  if (given !== true) {
    if (queued.some((each) => each.id === given)) return given;
    const run = await loadStoredRun(store, given);
    const { run_id, suite } = run;
    if (suite === id && isBatchId(run_id)) {
      if (isOfShard(run)) return run_id;
      throw new InputError(
        "ARGUMENT",
        `batch ${run_id} has answers to queries of other shards; go on with one of this shard, or leave ` +
          "out --resume",
      );
    }
    throw new InputError(
      "ARGUMENT",
      `${plainLine(run_id)} is no batch of dataset ${plainLine(id)}, but ` +
        (isBatchId(run_id) ? `one of ${plainLine(suite)}` : "another run"),
    );
  }
  const batches = (await store.listRuns()).filter(({ suite, run_id }) => suite === id && isBatchId(run_id));
  let last: EvalRun | undefined;
  for (let batch = batches.pop(); last === undefined && batch !== undefined; batch = batches.pop()) {
    const run = await loadStoredRun(store, batch.run_id);
    if (isOfShard(run)) last = run;
  }
  const waiting = queued.at(-1);
  if (waiting !== undefined && waiting.begun_at >= (last?.created_at ?? "")) {
    terminal.talk(`going on with ${waiting.id}`);
    return waiting.id;
  }
  if (last === undefined)
    throw new InputError(
      "ARGUMENT",
      `dataset ${plainLine(id)} has no batch ${shard === undefined ? "" : "of this shard "}to go on with; ` +
        "leave out --resume",
    );
  const answered = new Set(last.results.map(({ query_id }) => query_id));
  const isWhole = queries.every(({ id }) => answered.has(id));
  terminal.talk(
    `going on with ${last.run_id}${isWhole ? ", which has an answer to every query already" : ""}`,
  );
  return last.run_id;
}

/** Writes the batch; what keeps a form from being written is thrown when all else is said. */
function writeBatchOutputs(
  report: BatchReport,
  made: {
    readonly dataset: Dataset;
    readonly config: Config;
    readonly heads: EvalRun;
    readonly own: unknown;
    readonly held: GateReport | null;
  },
  flags: Flags,
  terminal: Terminal,
): FormWriter["settle"] {
  const { dataset, config, heads, own, held: gate } = made;
  const files = batchFiles(artifactsPath(config), dataset.id, report.batch_id);
  const { attempt, write, hasFailed, settle } = formWriter(terminal);
  const forms = batchForms(report, {
    dataset,
    config,
    heads,
    own,
    gate,
    hasTexts: flags.text !== false,
  });
  for (const write of forms) attempt(() => write(files));
  attempt(() => files.list(batchSummary(report)));
  if (!hasFailed()) terminal.talk(`wrote ${files.folder}/report.html, report.md and report.json`);
  writeGateForms(gate, flags, write);
  return settle;
}

/** A batch that goes on is scored again, by what is asked for now. */
function tellRescored(
  { batch_id, dataset, scorecard }: BatchReport,
  config: Config,
  terminal: Terminal,
): void {
  const before = listBatches(artifactsPath(config), dataset).find((batch) => batch.batch_id === batch_id);
  if (before !== undefined && before.primary !== scorecard.primary)
    terminal.warn(
      `${batch_id} is scored by ${scorecard.primary} now, and was by ${before.primary}; name that with ` +
        "-m or --scorecard to keep it",
    );
}

function tellNext({ labels, batch_id, dataset }: BatchReport, { annotate }: Flags, terminal: Terminal): void {
  const { pairs, labelled } = labels;
  if (labelled < pairs && annotate !== true)
    terminal.talk(
      countOf(pairs - labelled, "hit without a label counts", "hits without a label count") +
        " as Irrelevant; " +
        `\`batch run ${shellWord(dataset)} --resume ${batch_id} --annotate\` labels them`,
    );
}
