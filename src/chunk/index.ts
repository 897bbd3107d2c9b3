/**
 * Cutting documents into chunks that can be judged: stable ids, spans, and a version that says how it was done.
 *
 * @module
 */
export type { Chunker, TextChunk, TextDocument } from "./text-chunk.js";
