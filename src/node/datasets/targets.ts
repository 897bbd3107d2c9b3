import { InputError, quote } from "../../foundation/errors/index.js";
import {
  itemIdOf,
  itemOfHit,
  normalizeQuery,
  rerankItems,
  type LabelTarget,
  type RerankItemsOptions,
} from "../../label/index.js";
import {
  rankingOf,
  resultsByQuery,
  type Backend,
  type BackendHit,
  type EvalRun,
  type LabelItem,
  type ScoredRun,
} from "../../records/index.js";
import type { Dataset, NamedQuery } from "./dataset.js";

/** What is labelled of each query. */
export interface TargetOptions {
  /** Hits of each query from the head. */
  readonly depth: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with a query that the search fails for, which is left out; without it the build fails. */
  readonly onFailed?: ((query: NamedQuery, error: unknown) => void) | undefined;
  /** Called with ids of which nothing is known, once for each query that has any. */
  readonly onUnknown?: ((query: NamedQuery, ids: readonly string[]) => void) | undefined;
}

/** A second window: the head of what a reranker makes of the search. */
export interface RerankedWindow extends Omit<RerankItemsOptions, "query" | "items" | "signal"> {
  /** Items of it from the head. */
  readonly top: number;
  /** Hits that are reranked. */
  readonly searchDepth: number;
}

/**
 * The head of what a search returns for each query, and of what a reranker makes of it, one query after the
 * other as they are asked for.
 */
export async function* labelTargets(
  dataset: Dataset,
  search: Backend["search"],
  { depth, signal, onUnknown, onFailed }: TargetOptions,
  reranked?: RerankedWindow,
): AsyncGenerator<LabelTarget> {
  const limit = Math.max(depth, reranked?.searchDepth ?? 0);
  for (const query of dataset.queries) {
    let hits: readonly BackendHit[];
    try {
      hits = (await search(query.query, { limit, queryId: query.id, signal })).slice(0, limit);
    } catch (error) {
      signal?.throwIfAborted();
      if (onFailed === undefined) throw error;
      onFailed(query, error);
      continue;
    }
    const items = new Map<string, LabelItem>();
    const unknown: string[] = [];
    const window = new Set<string>();
    hits.forEach((hit, at) => {
      const item = itemOfHit(hit, dataset.items);
      if (item !== undefined && !items.has(item.id)) items.set(item.id, item);
      if (at >= depth) return;
      if (item === undefined) unknown.push(hit.chunk_id);
      else window.add(item.id);
    });
    for (const id of await headOf(reranked, query, items, signal)) window.add(id);
    if (unknown.length > 0) onUnknown?.(query, unknown);
    yield { query: query.query, items: [...window].map((id) => items.get(id) as LabelItem) };
  }
}

/** The best items by a reranker; of equal scores those that the search has first. */
async function headOf(
  reranked: RerankedWindow | undefined,
  { query }: NamedQuery,
  items: ReadonlyMap<string, LabelItem>,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (reranked === undefined) return [];
  const scores = await rerankItems({ ...reranked, query, items: [...items.values()], signal });
  return [...items.keys()]
    .sort((a, b) => (scores.get(b) as number) - (scores.get(a) as number))
    .slice(0, reranked.top);
}

/**
 * The heads of several runs together, so that no run that is compared later is at a disadvantage. A run's
 * queries are found by id, or by their words.
 *
 * @param queries some of the dataset's; default all.
 * @throws InputError `RUN_UNANSWERED` for a run that answers none of them.
 */
export function* listPooledTargets(
  dataset: Dataset,
  runs: readonly (EvalRun | ScoredRun)[],
  { depth, onUnknown }: TargetOptions,
  queries: readonly NamedQuery[] = dataset.queries,
): Generator<LabelTarget> {
  const rankings = runs.map((run) => rankingsOf(dataset, run));
  const silent = rankings.findIndex((ranking) => !dataset.queries.some((query) => ranking(query)));
  if (silent >= 0)
    throw new InputError(
      "RUN_UNANSWERED",
      `run ${silent + 1} of the pool answers no query of dataset ${quote(dataset.id)}, neither by ` +
        "id nor by its words; look whether both name queries the same way",
    );
  for (const query of queries) {
    const ids = rankings.flatMap((ranking) => (ranking(query) ?? []).slice(0, depth));
    yield targetOf(dataset, query, [...new Set(ids)], onUnknown);
  }
}

/** The heads of what a search returned, with what it said of items that the corpus lacks. */
export function* listRecordedTargets(
  { queries, items: corpus }: Dataset,
  run: EvalRun,
  { depth, onUnknown }: TargetOptions,
): Generator<LabelTarget> {
  const results = resultsByQuery(run);
  for (const query of queries) {
    const hits = (results.get(query.id)?.hits_top_k ?? []).slice(0, depth) as readonly BackendHit[];
    const items = new Map<string, LabelItem>();
    const unknown: string[] = [];
    for (const hit of hits) {
      const item = itemOfHit(hit, corpus);
      if (item === undefined) unknown.push(hit.chunk_id);
      else if (!items.has(item.id)) items.set(item.id, item);
    }
    if (unknown.length > 0) onUnknown?.(query, unknown);
    yield { query: query.query, items: [...items.values()] };
  }
}

function rankingsOf(
  dataset: Dataset,
  run: EvalRun | ScoredRun,
): (query: NamedQuery) => readonly string[] | undefined {
  if (run instanceof Map) return ({ id }) => (run as ScoredRun).get(id)?.ids;
  const results = (run as EvalRun).results;
  const byId = new Map(results.map((result) => [result.query_id, result]));
  const byWords = new Map(
    results.flatMap((result) => (result.query?.trim() ? [[normalizeQuery(result.query), result]] : [])),
  );
  return ({ id, query }) => {
    const result = byId.get(id) ?? byWords.get(normalizeQuery(query));
    return result === undefined
      ? undefined
      : rankingOf(result.hits_top_k, result.query_id).hits.map((hit) => itemIdOf(hit, dataset.items));
  };
}

function targetOf(
  { items }: Dataset,
  query: NamedQuery,
  ids: readonly string[],
  onUnknown: TargetOptions["onUnknown"],
): LabelTarget {
  const unknown = ids.filter((id) => !items.has(id));
  if (unknown.length > 0) onUnknown?.(query, unknown);
  return { query: query.query, items: ids.map((id) => items.get(id)).filter((item) => item !== undefined) };
}
