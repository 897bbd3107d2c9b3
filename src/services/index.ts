export { embeddingSettingsFrom, type EmbeddingSettings, type EmbeddingSource } from "./embedding-settings.js";
export { httpRetriever, type HttpRetrieverOptions } from "./http-retriever.js";
export { openaiEmbedder, openaiEmbedderCard, type OpenaiEmbedderOptions } from "./openai-embedder.js";
