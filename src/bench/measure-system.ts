import { SHOWN_HITS } from "../compare/index.js";
import { isRankproofError, messageOf, type ErrorCode } from "../foundation/errors/index.js";
import type { Retriever, SearchHit } from "../records/index.js";
import { checkHits } from "../retrieve/internal.js";
import type { BenchCase, BenchFixture } from "./bench-fixture.js";
import { roundMilliseconds } from "./bench-scores.js";
import type { BenchSystem } from "./bench-system.js";
import { createYielder, raceAbort } from "../foundation/async/index.js";

/** What one system returned for one case, and how long it took. */
export interface MeasuredCase {
  readonly hits: readonly SearchHit[];
  /**
   * What is judged of the hits: chunk refs, or documents, each once; of several chunks of one document the
   * best one stands for it.
   */
  readonly ranked: readonly string[];
  /** The chunks by which the first documents were found; null where documents are not cut. */
  readonly passages: readonly string[] | null;
  readonly latency_ms: number;
  readonly error: string | null;
}

/** How a system is measured. */
export interface MeasureOptions {
  readonly repeats: number;
  readonly warmUp: number;
  readonly depth: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onCase?: (() => void) | undefined;
}

/** What came back to one question. */
type Answer = Pick<MeasuredCase, "hits" | "latency_ms" | "error">;

/**
 * Asks a system every case, one at a time: some cases unmeasured first, then all of them `repeats` times.
 * The rankings are those of the first measured round, a case's latency is the median over the rounds that did
 * not fail.
 *
 * A case that fails in any round has found nothing, and its first error is kept; the others go on.
 */
export async function measureSystem(
  { cases, unit }: BenchFixture,
  { retriever }: BenchSystem,
  { repeats, warmUp, depth, now, signal, onCase }: MeasureOptions,
): Promise<MeasuredCase[]> {
  const pause = createYielder();
  const ask = async (one: BenchCase, passing: readonly ErrorCode[]): Promise<Answer> => {
    await pause();
    signal?.throwIfAborted();
    const start = now();
    let hits: readonly SearchHit[] = [];
    let error: string | null = null;
    try {
      hits = await enoughHits(retriever, one, unit, Math.max(depth, one.top_k), signal);
    } catch (cause) {
      signal?.throwIfAborted();
      // A configuration that cannot work fails the same way for every case.
      if (isRankproofError(cause) && !passing.includes(cause.code)) throw cause;
      error = messageOf(cause);
    }
    return { hits, latency_ms: now() - start, error };
  };
  // A provider that does not even answer now, after every retry, would be waited for as long at each case;
  // nothing is lost yet.
  for (const one of cases.slice(0, warmUp)) await ask(one, ["RETRIEVER_FAILED"]);
  const answers = cases.map((): Answer[] => []);
  for (let round = 0; round < repeats; round++) {
    for (const [index, one] of cases.entries()) {
      answers[index]?.push(await ask(one, ["RETRIEVER_FAILED", "EMBEDDING_UNAVAILABLE"]));
      onCase?.();
    }
  }
  return answers.map((rounds) => resolveCase(rounds, unit));
}

/**
 * Hits until there are as many documents as count: many chunks of one document must not crowd the others out.
 */
async function enoughHits(
  retriever: Retriever,
  { query, case_id, top_k }: BenchCase,
  unit: BenchFixture["unit"],
  depth: number,
  signal: AbortSignal | undefined,
): Promise<readonly SearchHit[]> {
  for (let limit = depth; ; limit *= 4) {
    const hits = checkHits(
      await raceAbort(async () => retriever.search(query, { limit, queryId: case_id, signal }), signal),
    );
    if (unit === "chunk" || hits.length < limit || new Set(hits.map(({ doc_id }) => doc_id)).size >= top_k)
      return hits;
  }
}

function resolveCase(rounds: readonly Answer[], unit: BenchFixture["unit"]): MeasuredCase {
  const failed = rounds.find(({ error }) => error !== null);
  const good = rounds.filter(({ error }) => error === null);
  const latency_ms = roundMilliseconds(
    median((good.length > 0 ? good : rounds).map((round) => round.latency_ms)),
  );
  if (failed !== undefined) return { hits: [], ranked: [], passages: null, latency_ms, error: failed.error };
  const { hits } = rounds[0] as Answer;
  const best = new Map<string, string>();
  for (const { chunk_id, doc_id } of hits) {
    const item = unit === "chunk" ? chunk_id : doc_id;
    if (!best.has(item)) best.set(item, chunk_id);
  }
  const isCut = [...best].some(([item, chunk]) => item !== chunk);
  return {
    hits,
    ranked: [...best.keys()],
    passages: isCut ? [...best.values()].slice(0, SHOWN_HITS) : null,
    latency_ms,
    error: null,
  };
}

/** The lower one of two in the middle, so that it is a time that was measured. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] as number;
}
