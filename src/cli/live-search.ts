import { openBackend, withoutSecrets, type Dataset } from "../node/index.js";
import type { Backend, BatchReport, Config, EvalRun } from "../records/index.js";
import { recordRun } from "../runs/index.js";
import type { EvalStore } from "../storage/index.js";
import { backendNamed } from "./batch-work.js";
import { backendFrom } from "./dataset-flags.js";
import { counted, plainLine, type Terminal } from "./terminal.js";

/** The live search of a dataset, ready to be asked. */
export interface LiveSearch {
  readonly dataset: Dataset;
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
  terminal: Terminal,
): Promise<LiveSearch> {
  const settings = backendFrom(config, dataset);
  const backend = await openBackend(dataset, settings, topK);
  try {
    const own = await ownSettings(backend, terminal);
    return { dataset, backend, named: backendNamed(dataset, settings), settings, own };
  } catch (error) {
    await backend.close?.();
    throw error;
  }
}

/** What a search says of its settings; a search that cannot say is asked all the same. */
async function ownSettings(backend: Backend, terminal: Terminal): Promise<unknown> {
  try {
    return await backend.configuration?.({ signal: terminal.signal });
  } catch (error) {
    if (terminal.signal.aborted) throw error;
    terminal.talk(
      `${terminal.paint("warning:", "strong")} the search does not say its settings: ` +
        plainLine(error instanceof Error ? error.message : String(error)),
    );
    return undefined;
  }
}

/** How a live search is asked. */
export interface AskFlags {
  topK: number;
  concurrency: number;
  timeout?: number;
  retryFailed?: true;
}

/** Asks a live search every query of its dataset, and keeps what it answers in a store. */
export function recordBatch(
  { dataset, backend, named, settings, own }: LiveSearch,
  options: AskFlags & {
    readonly runId: string;
    readonly store: EvalStore;
    readonly resume: boolean;
    readonly stopAfterFailures: number | undefined;
    /** Before what progress says. */
    readonly prefix?: string;
  },
  terminal: Terminal,
): Promise<EvalRun> {
  const { topK, prefix = "" } = options;
  return recordRun({
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
    config: {
      backend: {
        ...named,
        settings: withoutSecrets(settings ?? null),
        ...(own !== undefined && { configuration: withoutSecrets(own) }),
      },
      top_k: topK,
    },
    staleIds: "ignore",
    stopAfterFailures: options.stopAfterFailures,
    concurrency: options.concurrency,
    timeoutMs: options.timeout,
    resume: options.resume,
    retryFailed: options.retryFailed,
    signal: terminal.signal,
    onWarning: ({ message }) =>
      terminal.talk(`${terminal.paint("warning:", "strong")} ${plainLine(message)}`),
    onProgress: ({ done, total, failed }) =>
      terminal.progress(
        `${prefix}${done} of ${counted(total, "query")}${failed > 0 ? `, ${failed} failed` : ""}`,
      ),
  });
}
