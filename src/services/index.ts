export { askService } from "./ask-service.js";
export {
  answerFormats,
  chatEndpoint,
  type AcceptedRequest,
  type Chat,
  type ChatOptions,
} from "./chat-endpoint.js";
export type { EndpointOptions } from "./endpoint.js";
export { chatSettingsFrom, type ChatSettings } from "./chat-settings.js";
export { embeddingSettingsFrom, type EmbeddingSettings, type EmbeddingSource } from "./embedding-settings.js";
export { httpRetriever } from "./http-retriever.js";
export type { SearchServiceOptions } from "./search-service.js";
export { httpReranker, rerankForms, type HttpRerankerOptions, type RerankForm } from "./http-reranker.js";
export { rerankSettingsFrom, type RerankSettings } from "./rerank-settings.js";
export { openaiEmbedder, openaiEmbedderCard, type OpenaiEmbedderOptions } from "./openai-embedder.js";
export {
  httpBackend,
  type AskedSearch,
  type HttpBackendOptions,
  type HttpSearch,
  type ServiceSettings,
} from "./http-backend.js";
export { confidentialValues, type SentSettings } from "./confidential-values.js";
export { searchPresets } from "./presets/index.js";
export { engineBackend } from "./engine-backend.js";
