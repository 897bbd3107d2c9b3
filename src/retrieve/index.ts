/**
 * Finding chunks: full-text search with BM25, embedding search, and both together, behind one interface.
 *
 * @module
 */
export type { EmbeddingProvider, EmbedOptions } from "./embedding-provider.js";
export { functionEmbedder, type EmbedFunction, type EmbedFunctionVectors, type FunctionEmbedderOptions } from "./function-embedder.js";
export { hashEmbedder, type HashEmbedderOptions } from "./hash-embedder.js";
export type { Retriever, SearchOptions } from "./retriever.js";
