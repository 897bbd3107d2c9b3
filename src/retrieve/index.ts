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
} from "../analysis/index.js";
export { cachedEmbedder, type CachedEmbedderOptions } from "./cached-embedder.js";
export { memoryEmbeddingCache, type EmbeddingCache } from "./embedding-cache.js";
export { embeddingCatalog } from "./embedding-catalog.js";
export { embeddingIndex, loadEmbeddingIndex, type EmbeddingIndex } from "./embedding-index.js";
export type {
  EmbeddingProvider,
  EmbeddingProviderCard,
  EmbeddingProviderSettings,
  EmbedOptions,
} from "../records/index.js";
export { embeddingSettingsFrom, type EmbeddingSettings, type EmbeddingSource } from "../services/index.js";
export { fts5Retriever, type Fts5Options, type SqlDatabase, type SqlStatement } from "./fts5-retriever.js";
export {
  functionEmbedder,
  type EmbedFunction,
  type EmbedFunctionVectors,
  type FunctionEmbedderOptions,
} from "./function-embedder.js";
export { hashEmbedder, type HashEmbedderOptions } from "./hash-embedder.js";
export {
  engineBackend,
  httpBackend,
  httpRetriever,
  searchPresets,
  type HttpBackendOptions,
  type AskedSearch,
  type HttpSearch,
  type ServiceSettings,
  type SearchServiceOptions as HttpRetrieverOptions,
} from "../services/index.js";
export { hybridRetriever, type HybridOptions } from "./hybrid-retriever.js";
export { languageAnalyzer, languageNames } from "../analysis/index.js";
export {
  lexicalIndex,
  loadLexicalIndex,
  type LexicalIndex,
  type LexicalOptions,
  type LexicalSettings,
} from "./lexical-index.js";
export { openaiEmbedder, type EndpointOptions, type OpenaiEmbedderOptions } from "../services/index.js";
export type { Retriever, SearchOptions, SearchTrace } from "../records/index.js";
export { runRetriever } from "./run-retriever.js";
export type { Sleep } from "../foundation/async/index.js";
export { storedVectors } from "./stored-vectors.js";
export {
  chunkerCatalog,
  paperChunker,
  sentenceChunker,
  sentenceRanges,
  wholeDocumentChunker,
  windowChunker,
  type Chunker,
  type ChunkerCard,
  type ChunkSize,
  type SentenceCutOptions,
  type TextChunk,
  type TextDocument,
  type TextRange,
  type WindowOptions,
} from "../chunk/index.js";
