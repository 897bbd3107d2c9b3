/**
 * Cutting documents into chunks that can be judged: stable ids, spans, and a version that says how it was
 * done.
 *
 * @module
 */
export { chunkerCatalog } from "./catalog.js";
export type { ChunkerCard, ChunkSize } from "./chunker-card.js";
export { paperChunker } from "./paper-chunker.js";
export { sentenceChunker } from "./sentence-chunker.js";
export type { SentenceCutOptions } from "./sentence-cuts.js";
export { sentenceRanges, type TextRange } from "./sentences.js";
export { wholeDocumentChunker } from "./whole-document-chunker.js";
export { windowChunker, type WindowOptions } from "./window-chunker.js";
export type { Chunker, TextChunk, TextDocument } from "./text-chunk.js";
