import { isRankproofError, type ErrorCode } from "../errors.js";
import type { SearchHit } from "../schema/index.js";
import type { BenchCase, BenchFixture } from "./bench-fixture.js";
import { storedMilliseconds } from "./bench-scores.js";
import type { Contender } from "./contender.js";
import { pauses } from "./pauses.js";

/** What one contender returned for one case, and how long it took. */
export interface MeasuredCase {
  readonly hits: readonly SearchHit[];
  /** What is judged of the hits: chunk refs, or documents, each document once. */
  readonly ranked: readonly string[];
  readonly latency_ms: number;
  readonly error: string | null;
}

/** How a contender is measured. */
export interface MeasureOptions {
  readonly repeats: number;
  readonly warmUp: number;
  readonly depth: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onCase?: (() => void) | undefined;
}

/**
 * Asks a contender every case, one at a time: some cases unmeasured first, then all of them `repeats` times. The rankings are those of the first
 * measured round, a case's latency is the median over the rounds.
 *
 * A case that fails has found nothing, and its error is kept; the others go on.
 */
export async function measuredMode({ cases, unit }: BenchFixture, { retriever }: Contender, { repeats, warmUp, depth, now, signal, onCase }: MeasureOptions): Promise<MeasuredCase[]> {
  const pause = pauses();
  const ask = async ({ case_id, query, top_k }: BenchCase, passing: readonly ErrorCode[]): Promise<Omit<MeasuredCase, "ranked">> => {
    await pause();
    signal?.throwIfAborted();
    const start = now();
    let hits: readonly SearchHit[] = [];
    let error: string | null = null;
    try {
      hits = await retriever.search(query, { limit: Math.max(depth, top_k), queryId: case_id, signal });
    } catch (cause) {
      signal?.throwIfAborted();
      // A configuration that cannot work fails the same way for every case.
      if (isRankproofError(cause) && !passing.includes(cause.code)) throw cause;
      error = cause instanceof Error ? cause.message : String(cause);
    }
    return { hits, latency_ms: now() - start, error };
  };
  // A provider that does not even answer now, after every retry, would be waited for as long at each case; nothing is lost yet.
  for (const one of cases.slice(0, warmUp)) await ask(one, ["RETRIEVER_FAILED"]);
  const first: Omit<MeasuredCase, "ranked">[] = [];
  const latencies = cases.map((): number[] => []);
  for (let round = 0; round < repeats; round++) {
    for (const [index, one] of cases.entries()) {
      const measured = await ask(one, ["RETRIEVER_FAILED", "EMBEDDING_UNAVAILABLE"]);
      latencies[index]?.push(measured.latency_ms);
      if (round === 0) first.push(measured);
      onCase?.();
    }
  }
  return first.map((measured, index) => ({ ...measured, ranked: judgedItems(measured.hits, unit), latency_ms: storedMilliseconds(median(latencies[index] as number[])) }));
}

/** Of several chunks of one document the best one stands for it. */
function judgedItems(hits: readonly SearchHit[], unit: BenchFixture["unit"]): string[] {
  return unit === "chunk" ? hits.map(({ chunk_id }) => chunk_id) : [...new Set(hits.map(({ doc_id }) => doc_id))];
}

/** The lower one of two in the middle, so that it is a time that was measured. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] as number;
}
