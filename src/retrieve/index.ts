/**
 * Finding chunks: full-text search with BM25, embedding search, and both together, behind one interface.
 *
 * @module
 */
export type { EmbeddingProvider, EmbedOptions } from "./embedding-provider.js";
export type { Retriever, SearchOptions } from "./retriever.js";
export { englishAnalyzer, fts5Analyzer, plainAnalyzer, wordAnalyzer, type Analyzer, type AnalyzerOptions } from "./analyzer.js";
export { lexicalIndex, loadLexicalIndex, type LexicalIndex, type LexicalOptions } from "./lexical-index.js";
export { languageAnalyzer, languageNames } from "./language-analyzer.js";
export { embeddingIndex, loadEmbeddingIndex, type EmbeddingIndex } from "./embedding-index.js";
export { fts5Retriever, type Fts5Options, type SqlDatabase } from "./fts5-retriever.js";
export { httpRetriever, type HttpRetrieverOptions } from "./http-retriever.js";
export { hybridRetriever, type HybridOptions } from "./hybrid-retriever.js";
export { runRetriever } from "./run-retriever.js";
export { storedVectors } from "./stored-vectors.js";
