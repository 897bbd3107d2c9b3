import { countOf } from "../../foundation/numbers/index.js";
import type { Surroundings } from "../../files/index.js";
import { InputError, quote } from "../../foundation/errors/index.js";
import { beginBuild, rebuildDefaults, stopDefaults, type BuildSummary } from "../../label/index.js";
import type { Backend, BackendConfig, Config } from "../../records/index.js";
import type { LabelStore } from "../../storage/index.js";
import type { WorkPart, WorkProgress } from "../../storage/postgres/index.js";
import { openBackend } from "../datasets/backends.js";
import type { Dataset } from "../datasets/dataset.js";
import { openLabeler, type OpenLabeler } from "../datasets/labelers.js";
import { withListedCorpus } from "../datasets/listed-corpus.js";
import { backendFrom, labelerFrom, labelsPath, rerankerFrom } from "../datasets/project-config.js";
import { openLabelStore } from "../label-file.js";
import { isPostgresUrl, storeName } from "../store-name.js";
import { performQuery, summaryOfParts, type QueuedBuild } from "./queued-label-build.js";
import {
  awaitWork,
  digestOf,
  openWorkQueue,
  queueDataset,
  type Performer,
  type QueuedDataset,
} from "./queued-work.js";
import { openRebuild, planRebuild, type RebuildSettings } from "./label-rebuild.js";
import {
  openWindows,
  planWindows,
  SearchFailures,
  type LabelPlan,
  type LabelQueries,
  type LabelWatcher,
  type LabelWork,
  type WindowSettings,
} from "./label-windows.js";

/** What is labelled, by whom, and where it ends. */
export interface LabelBuildSettings extends WindowSettings, RebuildSettings {
  /** The label store, where it is not the configured one. */
  readonly labels?: string | undefined;
  /** Default that of the dataset. */
  readonly labeler?: string | undefined;
  readonly mode?: "simple" | "complex" | undefined;
  /** A rebuild of each query: {@link RebuildSettings}; else the windows of {@link WindowSettings}. */
  readonly deep?: true | undefined;
  /** A deep rebuild that asks again for every label. */
  readonly forceRefreshLabels?: true | undefined;
  /** Go on though the queries have changed since a build was interrupted. */
  readonly newQueries?: true | undefined;
  /** List the items of the search again, where the dataset has no corpus. */
  readonly refreshCorpus?: true | undefined;
  /** Default of the labeler, or 1. */
  readonly votes?: number | undefined;
  /** Default of the labeler, or 50. */
  readonly batchSize?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly seed: number;
  readonly maxCalls?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** In the currency of the labeler's price. */
  readonly maxMoney?: number | undefined;
  readonly refreshStale?: true | undefined;
  readonly retryInvalid?: true | undefined;
  /** Has keys and addresses where the configuration has none; default: that of the process. */
  readonly env?: Surroundings["env"] | undefined;
}

/**
 * Whether workers of a queue get a setting. What does not change what is labelled, or is a matter of the
 * machine, stays: an address may hold a password.
 */
const IS_QUEUED: Readonly<Record<keyof LabelBuildSettings, boolean>> = {
  labels: false,
  env: false,
  concurrency: false,
  newQueries: false,
  refreshCorpus: false,
  labeler: true,
  mode: true,
  deep: true,
  forceRefreshLabels: true,
  forceRefreshRerank: true,
  votes: true,
  batchSize: true,
  seed: true,
  maxCalls: true,
  maxTokens: true,
  maxMoney: true,
  refreshStale: true,
  retryInvalid: true,
  pool: true,
  annotateSearchTopK: true,
  annotateRerankTopK: true,
  searchDepth: true,
  searchRecallTopK: true,
  rerankDepth: true,
  rerankHighThreshold: true,
  rerankHighSkipCount: true,
  rebuildLlmBatchSize: true,
  rebuildMinBatches: true,
  rebuildMaxBatches: true,
  rebuildIrrelevantStopRatio: true,
  rebuildIrrelLowCombinedStopRatio: true,
  rebuildIrrelevantStopStreak: true,
};

/** Settings as workers get them; what a caller adds for itself is none. */
function queueSettings(settings: LabelBuildSettings): QueuedBuild["settings"] {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => IS_QUEUED[name as keyof LabelBuildSettings] === true && value !== undefined,
    ),
  );
}

/** How labels are built where nothing else is said. */
export const usualLabelBuild: LabelBuildSettings = {
  annotateSearchTopK: 120,
  annotateRerankTopK: 100,
  seed: 1,
  searchDepth: rebuildDefaults.searchDepth,
  searchRecallTopK: rebuildDefaults.recallTopK,
  rerankDepth: rebuildDefaults.rerankDepth,
  rerankHighThreshold: rebuildDefaults.highThreshold,
  rerankHighSkipCount: rebuildDefaults.highSkipCount,
  rebuildLlmBatchSize: stopDefaults.batchSize,
  rebuildMinBatches: stopDefaults.minBatches,
  rebuildMaxBatches: stopDefaults.maxBatches,
  rebuildIrrelevantStopRatio: stopDefaults.irrelevantStop,
  rebuildIrrelLowCombinedStopRatio: stopDefaults.combinedStop,
  rebuildIrrelevantStopStreak: stopDefaults.streak,
};

/** A build of labels, ready to be planned or run; one is begun anew by opening it again. */
export interface LabelBuild {
  /** Of the labeler. */
  readonly name: string;
  /** Of the label store. */
  readonly path: string;
  readonly queries: number;
  /** What it would ask; no labeler and no live search is asked for that. */
  plan(): Promise<LabelPlan | BuildSummary>;
  /** Labels; what is answered is kept, and is not asked for by the next build. */
  run(): Promise<{
    readonly summary: BuildSummary;
    /** Queries that the search failed for, and what the first failure was. */
    readonly failed: { readonly count: number; readonly first: string };
  }>;
  /** Labels by the workers of the queue in the database of the labels, and waits for them. */
  runQueued(watcher: QueueWatcher, flags: QueuedDataset["named"]): ReturnType<LabelBuild["run"]>;
  /** Opens what labels a query of it as a part of queued work. */
  performer(): Promise<Performer["perform"]>;
  /** Lets go of the search and of the label store. */
  close(): Promise<void>;
}

/** Who is told how work in a queue goes on. */
export interface QueueWatcher {
  /** How many parts are done, of how many. */
  readonly onWork: (work: WorkProgress) => void;
}

/**
 * Opens what a build needs: the label store, the search, the labeler.
 *
 * @param isPlanned whether nothing but a plan is wanted, for which the items of a search are not listed.
 * @param queued the build of a queue that it is a part of.
 * @throws InputError `ARGUMENT` for settings that exclude each other, `BUILD_RESUME`
 */
// eslint-disable-next-line max-lines-per-function -- its methods share what it opens
export async function openLabelBuild(
  config: Config,
  known: Dataset,
  settings: LabelBuildSettings,
  watcher: LabelWatcher,
  isPlanned: boolean,
  queued?: QueuedBuild,
): Promise<LabelBuild> {
  const isForced = settings.forceRefreshLabels === true;
  const isDeep = settings.deep === true || isForced;
  if (isDeep && settings.pool !== undefined)
    throw new InputError(
      "ARGUMENT",
      "--pool labels the heads of runs, and --deep what the search finds; give one of them",
    );
  const { name, settings: labelerConfig } = labelerFrom(config, known, settings.labeler);
  const path = labelsPath(config, settings.labels);
  const store = await openLabelStore(path, { create: true });
  const backendConfig = backendFrom(config, known);
  let search: Backend | null = null;
  const close = async (): Promise<void> => {
    await search?.close?.();
    await store.close();
  };
  try {
    const deepest = Math.max(settings.annotateSearchTopK, settings.searchDepth, settings.searchRecallTopK);
    const isSearched = settings.pool === undefined || known.config.corpus === undefined;
    search = isSearched ? await openBackend(known, backendConfig, deepest) : null;
    const backend = settings.pool === undefined ? search : null;
    const dataset = isPlanned
      ? known
      : await listWhereNeeded(known, search, store, {
          backend: backendConfig,
          settings,
          isDeep,
          path,
          watcher,
        });
    const opened = await openLabeler(name, labelerConfig, dataset, {
      ...settings,
      onRetry: watcher.onProgress,
    });
    checkPriced(settings, opened, name);
    const key = { tenant: dataset.tenant, dataset: dataset.id, labeler: name };
    const begun = await beginBuild(store, key, {
      queries: dataset.queries,
      isForced,
      takesNewQueries: settings.newQueries === true || queued !== undefined,
    });
    const since = queued === undefined ? begun.since : queued.since;
    const work: LabelWork = {
      config,
      dataset,
      backend,
      backendConfig,
      env: settings.env,
      watcher,
      failures: new SearchFailures(watcher.onFailed, config.stopAfterFailures),
      batchSize: settings.batchSize ?? opened.batchSize,
      options: {
        ...labelingOptions(settings, opened, watcher, path),
        store,
        tenant: dataset.tenant,
        since,
      },
    };
    const openQueries = (): Promise<LabelQueries> =>
      isDeep ? openRebuild(work, settings) : openWindows(work, settings, false);
    return {
      name,
      path,
      queries: dataset.queries.length,
      plan: async () => (isDeep ? planRebuild(work, settings) : windowsPlan(work, settings)),
      async run() {
        await begun.markBegun();
        const summary = await (await openQueries())();
        const { count, first } = work.failures;
        await begun.markEnded(summary.isDone && !summary.isOtherRater && count === 0);
        return { summary, failed: { count, first } };
      },
      async runQueued({ onWork }, flags) {
        const about: QueuedBuild = {
          kind: "label build",
          dataset: queueDataset(dataset, flags),
          settings: queueSettings(settings),
          ...(since !== undefined && { since }),
        };
        const queue = await openWorkQueue(path, "the label store");
        try {
          await begun.markBegun();
          const id = digestOf([about, name]);
          await queue.begin({ id, total: dataset.queries.length, about }, { isEndedAgain: true });
          const { done, total } = await awaitWork(queue, id, path, { ...watcher, onWork });
          const parts = await queue.parts(id);
          const failed = parts.flatMap((part) => part.failed ?? []);
          const summary = summaryOfParts(parts, done === total && parts.every(isWhole));
          await begun.markEnded(done === total && failed.length === 0 && !summary.isOtherRater);
          return { summary, failed: { count: failed.length, first: failed[0] ?? "" } };
        } finally {
          await queue.close();
        }
      },
      async performer() {
        const label = await openQueries();
        return (query, asked) => performQuery(query, asked, label, work);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function isWhole({ outcome }: WorkPart): boolean {
  return (outcome as BuildSummary).isDone;
}

/** @throws InputError `ARGUMENT` for a limit in money where there is no price. */
function checkPriced({ maxMoney }: LabelBuildSettings, { currency }: OpenLabeler, name: string): void {
  if (maxMoney === undefined || currency !== undefined) return;
  throw new InputError("ARGUMENT", `--max-money needs a price; write one into the labeler ${quote(name)}`);
}

/** What windows would ask: exactly where nobody else has to be asked for it, bounds elsewhere. */
function windowsPlan(
  work: LabelWork,
  settings: LabelBuildSettings,
): LabelPlan | Promise<LabelPlan | BuildSummary> {
  const { config, dataset, backend, backendConfig } = work;
  const isReranked = backend !== null && rerankerFrom(config, dataset) !== undefined;
  return isReranked || (backend !== null && isLive(backendConfig))
    ? planWindows(work, settings)
    : openWindows(work, settings, true).then((label) => label());
}

/** How a labeler is asked, and what is told of it. */
function labelingOptions(
  settings: LabelBuildSettings,
  { labeler, ...asked }: OpenLabeler,
  watcher: LabelWatcher,
  path: string,
): Omit<LabelWork["options"], "store" | "tenant" | "since"> {
  return {
    labeler,
    votes: settings.votes ?? asked.votes,
    concurrency: settings.concurrency ?? asked.concurrency,
    seed: settings.seed,
    budget: { calls: settings.maxCalls, tokens: settings.maxTokens, money: settings.maxMoney },
    refreshStale: settings.refreshStale,
    retryInvalid: settings.retryInvalid,
    signal: watcher.signal,
    onProgress: watcher.onBuild,
    onWait: (query) =>
      watcher.onNote(
        `another build is at ${query}; waiting for it` +
          (isPostgresUrl(path) ? "" : `; where its process is gone, delete ${path}.claim-*`),
      ),
  };
}

/** Whether a search is a service, which says more of its hits than their ids. */
function isService(backend: BackendConfig | undefined): boolean {
  return backend !== undefined && !["builtin", "run", "module"].includes(backend.kind);
}

/** Whether a search may be one that others use, too. */
function isLive(backend: BackendConfig | undefined): boolean {
  return isService(backend) || backend?.kind === "module";
}

/** The items of a search that stands in for a corpus, as it listed them before or lists them now. */
async function listWhereNeeded(
  dataset: Dataset,
  search: Backend | null,
  store: LabelStore,
  options: {
    readonly backend: BackendConfig | undefined;
    readonly settings: LabelBuildSettings;
    readonly isDeep: boolean;
    readonly path: string;
    readonly watcher: LabelWatcher;
  },
): Promise<Dataset> {
  const { backend, settings, isDeep, path, watcher } = options;
  const isKept = dataset.items.size > 0 && settings.refreshCorpus !== true;
  if (search === null || isKept || dataset.config.corpus !== undefined) return dataset;
  // The windows can be labelled by what hits say of their items; a deep rebuild and a pool look at all.
  const saysFields = isService(backend) && !isDeep && settings.pool === undefined;
  if (backend === undefined || (search.list === undefined && saysFields)) return dataset;
  const listed = await withListedCorpus(dataset, search, store, {
    backend,
    signal: watcher.signal,
    onProgress: (items) => watcher.onProgress(`${countOf(items, "item")} listed`),
  });
  watcher.onNote(
    `the search lists ${countOf(listed.items.size, "item")}, kept in ${storeName(path)}; ` +
      "--refresh-corpus lists them again",
  );
  return listed;
}
