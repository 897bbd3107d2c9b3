import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { wholeNumber } from "../foundation/checks/index.js";

/** How deep a deep rebuild looks. */
export interface RebuildOptions {
  /** Hits that the search is asked for; never fewer than the pool holds. Default 500. */
  readonly searchDepth?: number | undefined;
  /** The first hits, which are labelled in the order of the search. Default 200. */
  readonly recallTopK?: number | undefined;
  /** Documents outside the pool that are reranked. Default 10,000. */
  readonly rerankDepth?: number | undefined;
  /** A document outside the pool with a score above it is high. Default 0.5. */
  readonly highThreshold?: number | undefined;
  /** With more high documents than these the query is too easily satisfied to be labelled. Default 1,000. */
  readonly highSkipCount?: number | undefined;
}

/** Settings of a deep rebuild where none are given. */
export const rebuildDefaults = {
  searchDepth: 500,
  recallTopK: 200,
  rerankDepth: 10_000,
  highThreshold: 0.5,
  highSkipCount: 1000,
} as const;

type RebuildSettings = Readonly<Record<keyof typeof rebuildDefaults, number>>;

/** Which items of a query are labelled without a reranker, and which it has to score. */
export interface RebuildPool {
  /** In the order of the search. */
  readonly pool: readonly string[];
  /** Documents to be reranked, in the order of the corpus; hits beyond the pool that it lacks at the end. */
  readonly outside: readonly string[];
}

/** In which order items are labelled. */
export interface RebuildOrder {
  /** The pool, then the others by falling score, equal scores by falling id. */
  readonly order: readonly string[];
  /** Documents outside the pool with a score above the threshold. */
  readonly high: number;
  /** Whether the query is too easily satisfied: nothing of it is labelled. */
  readonly isSkipped: boolean;
}

/** How many hits the search is asked for. */
export function rebuildSearchSize(options: RebuildOptions = {}): number {
  const { searchDepth, recallTopK } = resolveSettings(options);
  return Math.max(searchDepth, recallTopK);
}

/**
 * The pool of a query, and what is left to rerank. Repeated ids count once, at their first place.
 *
 * @param hits what the search returned, best first.
 * @param corpus ids of all documents.
 */
export function rebuildPool(
  hits: readonly string[],
  corpus: Iterable<string>,
  options: RebuildOptions = {},
): RebuildPool {
  const { recallTopK, rerankDepth } = resolveSettings(options);
  const found = [...new Set(hits.slice(0, rebuildSearchSize(options)))];
  const pool = found.slice(0, recallTopK);
  const pooled = new Set(pool);
  const outside = new Set<string>();
  for (const ids of [corpus, found])
    for (const id of ids) {
      if (outside.size >= rerankDepth) break;
      if (!pooled.has(id)) outside.add(id);
    }
  return { pool, outside: [...outside] };
}

/**
 * The order in which a deep rebuild labels: the pool as it was searched, then the rest by falling score.
 *
 * @param scores of the reranker for every document outside the pool, from 0 to 1.
 * @throws InputError `ARGUMENT` for a document without a finite score.
 */
export function rebuildOrder(
  { pool, outside }: RebuildPool,
  scores: ReadonlyMap<string, number>,
  options: RebuildOptions = {},
): RebuildOrder {
  const { highThreshold, highSkipCount } = resolveSettings(options);
  const scoreOf = (id: string): number => {
    const score = scores.get(id);
    if (score === undefined || !Number.isFinite(score))
      throw new InputError(
        "ARGUMENT",
        `the rerank score of ${quote(id)} must be a finite number, got ${quote(score)}`,
      );
    return score;
  };
  const scored = outside.map((id) => ({ id, score: scoreOf(id) }));
  const high = scored.filter(({ score }) => score > highThreshold).length;
  scored.sort((a, b) => b.score - a.score || compareIds(b.id, a.id));
  return { order: [...pool, ...scored.map(({ id }) => id)], high, isSkipped: high > highSkipCount };
}

function resolveSettings(options: RebuildOptions): RebuildSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings: RebuildSettings = { ...rebuildDefaults, ...(given as Partial<typeof rebuildDefaults>) };
  for (const name of ["searchDepth", "recallTopK", "rerankDepth", "highSkipCount"] as const)
    wholeNumber(name, settings[name], 0);
  if (!Number.isFinite(settings.highThreshold))
    throw new InputError("ARGUMENT", `highThreshold must be a number, got ${quote(settings.highThreshold)}`);
  return settings;
}
