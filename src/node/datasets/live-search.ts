import { warmUpRequests } from "./warm-up.js";
import { messageOf } from "../../foundation/errors/index.js";
import type { Backend, BatchReport, Config, EvalRun } from "../../records/index.js";
import { recordRun, type RecordProgress } from "../../runs/index.js";
import type { EvalStore } from "../../storage/index.js";
import { openBackend } from "./backends.js";
import { withoutSecrets, withoutSent } from "./batch-files.js";
import { backendNamed } from "./batch-work.js";
import type { Dataset } from "./dataset.js";
import { artifactsPath, backendFrom } from "./project-config.js";
import { holdRecording } from "./recording-lock.js";

/** Who watches work that takes long, and may end it. */
export interface Watcher {
  readonly signal: AbortSignal;
  /** Called with what makes the result doubtful. */
  readonly onWarning: (message: string) => void;
  /** Called after each query. */
  readonly onProgress: (progress: RecordProgress) => void;
}

/** The live search of a dataset, ready to be asked. */
export interface LiveSearch {
  readonly dataset: Dataset;
  /** The folder of what is written besides the stores. */
  readonly artifacts: string;
  readonly backend: Backend;
  readonly named: BatchReport["backend"];
  /** Of the project's configuration. */
  readonly settings: unknown;
  /** What it says of its own settings; undefined where it says nothing. */
  readonly own: unknown;
}

/** Opens the search of a dataset, and asks for its settings. */
export async function openLiveSearch(
  config: Config,
  dataset: Dataset,
  topK: number,
  watcher: Omit<Watcher, "onProgress">,
): Promise<LiveSearch> {
  const settings = backendFrom(config, dataset);
  const backend = await openBackend(dataset, settings, topK);
  try {
    if (settings !== undefined && settings.kind !== "builtin") await warmUpRequests();
    const own = await ownSettings(backend, watcher);
    return {
      dataset,
      artifacts: artifactsPath(config),
      backend,
      named: backendNamed(dataset, settings),
      settings,
      own,
    };
  } catch (error) {
    await backend.close?.();
    throw error;
  }
}

/** What a search says of itself is worth no longer wait. */
const LONGEST_SETTINGS_MS = 10_000;

/** What a search says of its settings; a search that cannot say is asked all the same. */
async function ownSettings(
  backend: Backend,
  { signal, onWarning }: Omit<Watcher, "onProgress">,
): Promise<unknown> {
  try {
    return await backend.configuration?.({
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_SETTINGS_MS)]),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    onWarning(`the search does not say its settings: ${messageOf(error)}`);
    return undefined;
  }
}

/** How a live search is asked. */
export interface AskOptions {
  readonly topK: number;
  readonly concurrency: number;
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  readonly retryFailed?: true | undefined;
}

/** What a run says of the search that was asked. */
export function describeSearch({ named, settings, own }: LiveSearch, topK: number): Record<string, unknown> {
  return {
    backend: {
      ...named,
      settings: withoutSent(settings ?? null),
      ...(own !== undefined && { configuration: withoutSecrets(own) }),
    },
    top_k: topK,
  };
}

/**
 * Asks a live search every query of its dataset, and keeps what it answers in a store.
 *
 * @throws AdapterError `STORE_LOCKED` while another process of the project records the batch.
 */
export async function recordBatch(
  search: LiveSearch,
  options: AskOptions & {
    readonly runId: string;
    /** Without one the run is only returned. */
    readonly store: EvalStore | undefined;
    readonly resume: boolean;
    readonly stopAfterFailures: number | undefined;
  },
  { signal, onWarning, onProgress }: Watcher,
): Promise<EvalRun> {
  const { dataset, backend } = search;
  const { topK } = options;
  const release = options.store && holdRecording(search.artifacts, options.runId);
  try {
    return await recordRun({
      golden: dataset.queries.map(({ id, query }) => ({ id, query })),
      runId: options.runId,
      suite: dataset.id,
      store: options.store,
      retrieve: async (query, { goldenQuery, signal, onTrace }) => {
        const hits = await backend.search(query, {
          limit: topK,
          queryId: goldenQuery.id,
          signal,
          onTrace: ({ plan, ...trace }) =>
            onTrace?.({ ...trace, ...(plan !== undefined && { plan: withoutSecrets(plan) }) }),
        });
        // What the corpus says of an item need not be kept with every hit.
        return hits.map(({ fields, ...hit }) =>
          dataset.items.has(hit.chunk_id) || fields === undefined ? hit : { ...hit, fields },
        );
      },
      config: describeSearch(search, topK),
      staleIds: "ignore",
      stopAfterFailures: options.stopAfterFailures,
      concurrency: options.concurrency,
      timeoutMs: options.timeout,
      resume: options.resume,
      retryFailed: options.retryFailed,
      signal,
      onWarning: ({ message }) => onWarning(message),
      onProgress,
    });
  } finally {
    release?.();
  }
}
