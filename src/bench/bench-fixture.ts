import type { TextChunk } from "../chunk/index.js";
import type { Warning } from "../records/index.js";

/** One query of a benchmark, with its judgments. */
export interface BenchCase {
  readonly case_id: string;
  readonly query: string;
  /** What kind of query it is; results are also given by it. */
  readonly query_type: string;
  /** So many hits count, from 1. */
  readonly top_k: number;
  /** By chunk id or by document id, as the fixture's `unit` says. Grades from 1 on are relevant. */
  readonly grades: ReadonlyMap<string, number>;
}

/**
 * What a benchmark measures on: chunks to search, and judged queries. Checked by those who make one, so that
 * it can be run as it is.
 */
export interface BenchFixture {
  readonly name: string;
  /** As its author numbers it. */
  readonly version: string | null;
  /** Empty where there is none. */
  readonly description: string;
  /** What is judged. A document is found as soon as one of its chunks is. */
  readonly unit: "chunk" | "doc";
  readonly chunker_version: string;
  /** Each with an id of its own. */
  readonly chunks: readonly TextChunk[];
  readonly cases: readonly BenchCase[];
  /** What was left out, and what a result of this fixture cannot say. */
  readonly warnings: readonly Warning[];
  /**
   * The same for the same chunks, queries and grades, in whatever order they stand: a report says with it
   * what it was measured on.
   */
  readonly digest: string;
}
