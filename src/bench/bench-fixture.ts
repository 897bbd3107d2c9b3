import type { TextChunk } from "../chunk/index.js";
import type { Warning } from "../schema/index.js";

export interface BenchCase {
  readonly case_id: string;
  readonly query: string;
  readonly query_type: string;
  readonly top_k: number;
  readonly grades: ReadonlyMap<string, number>;
}

export interface BenchFixture {
  readonly name: string;
  readonly version: string | null;
  readonly description: string;
  readonly unit: "chunk" | "doc";
  readonly chunker_version: string;
  readonly chunks: readonly TextChunk[];
  readonly cases: readonly BenchCase[];
  readonly warnings: readonly Warning[];
  readonly digest: string;
}
