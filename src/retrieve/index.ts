/**
 * Finding chunks: full-text search with BM25, embedding search, and both together, behind one interface.
 *
 * @module
 */
export {
  englishAnalyzer,
  fts5Analyzer,
  plainAnalyzer,
  wordAnalyzer,
  type Analyzer,
  type AnalyzerOptions,
} from "./analyzer.js";
export { cachedEmbedder, type CachedEmbedderOptions } from "./cached-embedder.js";
export { memoryEmbeddingCache, type EmbeddingCache } from "./embedding-cache.js";
export { embeddingIndex, loadEmbeddingIndex, type EmbeddingIndex } from "./embedding-index.js";
export type { EmbeddingProvider, EmbedOptions } from "./embedding-provider.js";
export { embeddingSettingsFrom, type EmbeddingSettings, type EmbeddingSource } from "./embedding-settings.js";
export { fts5Retriever, type Fts5Options, type SqlDatabase, type SqlStatement } from "./fts5-retriever.js";
export {
  functionEmbedder,
  type EmbedFunction,
  type EmbedFunctionVectors,
  type FunctionEmbedderOptions,
} from "./function-embedder.js";
export { hashEmbedder, type HashEmbedderOptions } from "./hash-embedder.js";
export { httpRetriever, type HttpRetrieverOptions } from "./http-retriever.js";
export { hybridRetriever, type HybridOptions } from "./hybrid-retriever.js";
export { languageAnalyzer, languageNames } from "./language-analyzer.js";
export { lexicalIndex, loadLexicalIndex, type LexicalIndex, type LexicalOptions } from "./lexical-index.js";
export { openaiEmbedder, type OpenaiEmbedderOptions } from "./openai-embedder.js";
export type { Retriever, SearchOptions } from "./retriever.js";
export { runRetriever } from "./run-retriever.js";
export type { Sleep } from "./sleep.js";
export { storedVectors } from "./stored-vectors.js";
