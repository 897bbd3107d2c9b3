import { countOf } from "../../foundation/numbers/index.js";
import type { Surroundings } from "../../files/index.js";
import {
  buildLabels,
  type Backend,
  type BuildSummary,
  type Cost,
  type Labeler,
  type LabelingOptions,
  type LabelTarget,
} from "../../label/index.js";
import { messageOf, quote } from "../../foundation/errors/index.js";
import type { BackendConfig, Config } from "../../records/index.js";
import { searchPresets } from "../../retrieve/index.js";
import { rerankerFrom } from "../datasets/project-config.js";
import { openReranker, rerankBatchOf } from "../datasets/rerankers.js";
import { labelTargets, listPooledTargets } from "../datasets/targets.js";
import type { Dataset } from "../datasets/dataset.js";
import { readAnyRun } from "../evaluate/index.js";

/** Who is told how labelling goes on. */
export interface LabelWatcher {
  /** Ends it; what was answered is kept. */
  readonly signal: AbortSignal;
  /** Called with what makes the result doubtful. */
  readonly onWarning: (message: string) => void;
  /** Called with what was done, as it is done. */
  readonly onNote: (message: string) => void;
  /** Called with what is being done; each message replaces the one before. */
  readonly onProgress: (message: string) => void;
  /** Called with a query that the search fails for. */
  readonly onFailed: (query: string, message: string) => void;
  /** Called after each request to the labeler. */
  readonly onBuild: (summary: BuildSummary) => void;
}

/** What labels are built with. */
export interface LabelWork {
  readonly config: Config;
  readonly dataset: Dataset;
  /** Null where runs are pooled. */
  readonly backend: Backend | null;
  readonly backendConfig: BackendConfig | undefined;
  readonly failures: SearchFailures;
  /** Has keys and addresses where the configuration has none. */
  readonly env: Surroundings["env"] | undefined;
  readonly watcher: LabelWatcher;
  /** Most items in a request; undefined for the usual count. */
  readonly batchSize: number | undefined;
  readonly options: Omit<LabelingOptions, "batchSize">;
}

/** Queries that a search fails for are left out, and the build goes on while others do not fail. */
export class SearchFailures {
  readonly #onFailed: LabelWatcher["onFailed"];
  readonly #most: number;
  #inARow = 0;
  count = 0;
  first = "";
  /** What each query failed with last. */
  readonly messages = new Map<string, string>();

  /** @param most failures in a row that end the build. */
  constructor(onFailed: LabelWatcher["onFailed"], most = 5) {
    this.#onFailed = onFailed;
    this.#most = most;
  }

  /** A search whose answers end a row of failures. */
  watchWork(backend: Backend): Backend["search"] {
    return async (query, options) => {
      const hits = await backend.search(query, options);
      this.#inARow = 0;
      return hits;
    };
  }

  readonly onFailed = ({ query }: { readonly query: string }, error: unknown): void => {
    const message = messageOf(error);
    this.count++;
    this.#inARow++;
    this.first ||= message;
    this.messages.set(query, message);
    this.#onFailed(query, message);
    if (this.#inARow >= this.#most) throw error;
  };
}

/** Which windows are labelled. */
export interface WindowSettings {
  /** Hits of each query. */
  readonly annotateSearchTopK: number;
  /** And so many of what the dataset's reranker makes of the search. */
  readonly annotateRerankTopK: number;
  /** Hits that the search is asked for where there is a reranker. */
  readonly searchDepth: number;
  /** Runs whose heads are labelled in place of the search. */
  readonly pool?: readonly string[] | undefined;
  readonly forceRefreshRerank?: true | undefined;
}

/** What a build would ask, where only its bounds can be told without asking a live search. */
export interface LabelPlan {
  readonly queries: number;
  /** Whether all items are known; else the bounds are those of any number of them. */
  readonly isListed: boolean;
  /** Requests to the search. */
  readonly searches_at_most: number;
  readonly rerank_requests_at_most: number;
  readonly calls_at_least: number;
  readonly calls_at_most: number;
  readonly cost_at_most: Cost;
}

/** Calls, and what they take if all are as the first items of the corpus. */
export function mostOf(
  labeler: Labeler,
  { queries, items }: Dataset,
  batchSize: number,
  calls: number,
): Pick<LabelPlan, "calls_at_most" | "cost_at_most"> {
  const sample = { query: queries[0]?.query ?? "", items: [...items.values()].slice(0, batchSize) };
  const { tokens, price, requests = 1 } = labeler.estimate?.(sample) ?? {};
  return {
    calls_at_most: calls * requests,
    cost_at_most: {
      ...(tokens && { tokens: { input: tokens.input * calls, output: tokens.output * calls } }),
      ...(price && { price: { ...price, amount: price.amount * calls } }),
    },
  };
}

/** Requests to search and reranker, and what else a plan says of a dataset. */
export function requestsOf(
  { config, dataset, backendConfig }: LabelWork,
  limit: number,
  documents: number,
): Pick<LabelPlan, "queries" | "isListed" | "searches_at_most" | "rerank_requests_at_most"> {
  const reranker = rerankerFrom(config, dataset)?.settings;
  const queries = dataset.queries.length;
  return {
    queries,
    isListed: dataset.items.size > 0,
    searches_at_most: queries * Math.ceil(limit / (pageSizeOf(backendConfig) ?? limit)),
    rerank_requests_at_most: queries * Math.ceil(documents / rerankBatchOf(reranker ?? { kind: "overlap" })),
  };
}

function pageSizeOf(backend: BackendConfig | undefined): number | undefined {
  if (backend === undefined) return undefined;
  const own = "pageSize" in backend ? backend.pageSize : undefined;
  const { kind } = backend;
  return own ?? (Object.hasOwn(searchPresets, kind) ? searchPresets[kind as "vespa"].pageSize : undefined);
}

/** @returns what the windows of a live search would take, which is not asked for it. */
export function planWindows(work: LabelWork, settings: WindowSettings): LabelPlan {
  const { config, dataset, options, batchSize = 50 } = work;
  const { annotateSearchTopK, annotateRerankTopK, searchDepth } = settings;
  const isReranked = rerankerFrom(config, dataset) !== undefined && annotateRerankTopK > 0;
  const limit = Math.max(annotateSearchTopK, isReranked ? searchDepth : 0);
  const window = Math.min(
    dataset.items.size || Infinity,
    annotateSearchTopK + (isReranked ? annotateRerankTopK : 0),
  );
  const calls = dataset.queries.length * Math.ceil(window / batchSize) * (options.votes ?? 1);
  return {
    ...requestsOf(work, limit, isReranked ? Math.min(limit, dataset.items.size || Infinity) : 0),
    calls_at_least: 0,
    ...mostOf(options.labeler, dataset, batchSize, calls),
  };
}

/** Labels the windows of queries that have no label of this rater yet; of all where nothing else is said. */
export type LabelQueries = (
  queries?: Dataset["queries"],
  budget?: LabelingOptions["budget"],
) => Promise<BuildSummary>;

/** Opens what is asked for every query. */
export async function openWindows(
  work: LabelWork,
  settings: WindowSettings,
  isDryRun: boolean,
): Promise<LabelQueries> {
  const { backend } = work;
  const runs =
    backend === null
      ? (await Promise.all((settings.pool ?? []).map((path) => readAnyRun(path)))).map(({ run }) => run)
      : [];
  const reranked = backend === null || isDryRun ? undefined : await rerankWindow(work, settings);
  return async (queries = work.dataset.queries, budget = work.options.budget) => {
    const dataset = { ...work.dataset, queries };
    const { batchSize, options, watcher } = work;
    const unknown = { queries: 0, ids: 0, first: "" };
    const targetOptions = {
      depth: settings.annotateSearchTopK,
      signal: watcher.signal,
      onUnknown: (_query: unknown, ids: readonly string[]) => {
        unknown.queries++;
        unknown.ids += ids.length;
        unknown.first ||= ids[0] ?? "";
      },
    };
    const targets: Iterable<LabelTarget> | AsyncIterable<LabelTarget> =
      backend === null
        ? listPooledTargets(work.dataset, runs, targetOptions, queries)
        : labelTargets(
            dataset,
            work.failures.watchWork(backend),
            { ...targetOptions, onFailed: work.failures.onFailed },
            reranked,
          );
    const empty: string[] = [];
    const summary = await buildLabels({
      ...options,
      budget,
      targets: noteEmpty(targets, empty),
      batchSize,
      isDryRun,
    });
    if (empty.length > 0)
      watcher.onWarning(
        `nothing was found that could be labelled for ${countOf(empty.length, "query")}, such as ` +
          quote(empty[0]),
      );
    if (unknown.ids > 0)
      watcher.onWarning(
        `${countOf(unknown.ids, "hit")} of ${countOf(unknown.queries, "query")} are not in ` +
          `${dataset.config.corpus ?? "what the search lists"}, such as ${unknown.first}; ` +
          "they cannot be labelled",
      );
    return summary;
  };
}

/** The same targets, with the queries noted that have no items. */
async function* noteEmpty(
  targets: Iterable<LabelTarget> | AsyncIterable<LabelTarget>,
  empty: string[],
): AsyncGenerator<LabelTarget> {
  for await (const target of targets) {
    if (target.items.length === 0) empty.push(target.query);
    yield target;
  }
}

async function rerankWindow(
  { config, dataset, env, watcher, options }: LabelWork,
  { annotateRerankTopK: top, searchDepth, forceRefreshRerank: isForced }: WindowSettings,
): Promise<Parameters<typeof labelTargets>[3]> {
  const found = rerankerFrom(config, dataset);
  if (found === undefined || top === 0) return undefined;
  const { store, tenant } = options;
  const opened = await openReranker(found.name, found.settings, dataset, {
    env,
    onRetry: watcher.onProgress,
  });
  return { ...opened, store, tenant, isForced, top, searchDepth };
}
