import type { ChunkRecord } from "./types/index.js";

/** What the knowledge base holds: the chunks that ids, citations and spans are checked against. */
export interface CorpusSnapshot {
  readonly chunks: readonly ChunkRecord[];
}
