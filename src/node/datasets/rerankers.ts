import type { Surroundings } from "../../files/index.js";
import { canonicalJson } from "../../foundation/text/index.js";
import {
  httpReranker,
  overlapReranker,
  rerankSettingsFrom,
  type RerankItemsOptions,
} from "../../label/index.js";
import type { Reranker, RerankerConfig } from "../../records/index.js";
import { languageAnalyzer } from "../../retrieve/index.js";
import type { Dataset } from "./dataset.js";
import { functionOf } from "./function-of.js";

/** How a reranker is opened. */
export interface RerankerSettings {
  /** Has the key and the address where the configuration has none; default: that of the process. */
  readonly env?: Surroundings["env"] | undefined;
  /** Told, before a request is sent again, why and when; for progress. */
  readonly onRetry?: ((message: string) => void) | undefined;
}

/** A reranker, and how it is asked. */
export interface OpenReranker extends Pick<
  RerankItemsOptions,
  "batchSize" | "concurrency" | "maxCharacters"
> {
  readonly reranker: Reranker;
}

const CONCURRENCY = 4;
const USUAL_BATCH = 80;
/** What Text Embeddings Inference takes unless it is told otherwise. */
const BATCH_OF_TEXTS = 32;

/** Most documents of a request of a configured reranker. */
export function rerankBatchOf(config: RerankerConfig): number {
  const usual = config.kind === "http" && config.form === "texts" ? BATCH_OF_TEXTS : USUAL_BATCH;
  return config.kind === "overlap" ? usual : (config.batchSize ?? usual);
}

/**
 * Opens a reranker of a configuration.
 *
 * @param name its name there, by which the scores of a module are kept.
 * @throws InputError `CONFIG`, `RERANK_CONFIG`
 */
export async function openReranker(
  name: string,
  config: RerankerConfig,
  { items, config: { language = "english" } }: Dataset,
  { env = process.env, onRetry }: RerankerSettings = {},
): Promise<OpenReranker> {
  switch (config.kind) {
    case "overlap": {
      const analyzer = await languageAnalyzer(language);
      return { reranker: overlapReranker(items.values(), { analyzer }) };
    }
    case "module": {
      const { path, version, maxItemCharacters: maxCharacters } = config;
      const score = await functionOf<Reranker["score"]>(
        path,
        "score",
        "score(query, documents)",
        "a number for each document",
      );
      const identity = canonicalJson({ kind: "module", name, version });
      return { reranker: { identity, score }, batchSize: rerankBatchOf(config), maxCharacters };
    }
    case "http": {
      const { kind: _, baseUrl, apiKey, model, concurrency = CONCURRENCY, ...options } = config;
      const { batchSize = rerankBatchOf(config), maxItemCharacters: maxCharacters, ...asked } = options;
      // Key and address are one pair: either both are of the configuration, or both of the environment.
      const isOwn = baseUrl !== undefined || apiKey !== undefined;
      const settings = isOwn ? { baseUrl: baseUrl ?? "", apiKey, model: undefined } : rerankSettingsFrom(env);
      const reranker = httpReranker({
        ...settings,
        ...asked,
        concurrency,
        model: model ?? settings.model,
        onRetry,
      });
      return { reranker, batchSize, concurrency, maxCharacters };
    }
  }
}
