import type { EmbeddingProviderCard } from "../records/index.js";
import { openaiEmbedderCard } from "../services/index.js";
import { hashEmbedderCard } from "./hash-embedder.js";

/** The providers of embeddings that go by a name, the usual one first. */
export const embeddingCatalog: readonly EmbeddingProviderCard[] = [hashEmbedderCard, openaiEmbedderCard];
