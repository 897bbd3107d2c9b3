/**
 * Finding chunks: full-text search with BM25, embedding search, and both together, behind one interface.
 *
 * @module
 */
export { cachedEmbedder, type CachedEmbedderOptions } from "./cached-embedder.js";
export { memoryEmbeddingCache, type EmbeddingCache } from "./embedding-cache.js";
export type { EmbeddingProvider, EmbedOptions } from "./embedding-provider.js";
export { embeddingSettingsFrom, type EmbeddingSettings, type EmbeddingSource } from "./embedding-settings.js";
export { functionEmbedder, type EmbedFunction, type EmbedFunctionVectors, type FunctionEmbedderOptions } from "./function-embedder.js";
export { hashEmbedder, type HashEmbedderOptions } from "./hash-embedder.js";
export { openaiEmbedder, type OpenaiEmbedderOptions } from "./openai-embedder.js";
export type { Retriever, SearchOptions } from "./retriever.js";
export type { Sleep } from "./sleep.js";
