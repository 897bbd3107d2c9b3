import { Option, type Command } from "commander";
import { sentenceChunker, wholeDocumentChunker, windowChunker, type Chunker } from "../chunk/index.js";
import { InputError } from "../index.js";
import { normalizerCatalog, fusionCatalog, parseFusion, parseNormalizer } from "../fusion/index.js";
import { fileEmbeddingCache } from "../node/index.js";
import {
  cachedEmbedder,
  embeddingSettingsFrom,
  hashEmbedder,
  languageAnalyzer,
  languageNames,
  openaiEmbedder,
  type EmbeddingProvider,
  type HybridOptions,
  type LexicalOptions,
} from "../retrieve/index.js";
import { aNumber, wholeNumber } from "./number-flag.js";

/** How documents are cut, indexed and searched, as commander gives it. */
export interface RetrievalFlags {
  chunker: "whole" | "sentences" | "windows";
  chunkSize?: number | undefined;
  chunkOverlap?: number | undefined;
  language: string;
  idf: "lucene" | "fts5";
  k1?: number;
  b?: number;
  titleWeight?: number;
  textWeight?: number;
  embeddingProvider: "hash" | "openai" | "none";
  embeddingCache: string | false;
  embeddingBatchSize?: number;
  embeddingRate?: number;
  embeddingTimeout?: number;
  embeddingRetries?: number;
  fusion: string;
  normalize?: string;
  depth: number;
}

/** As the provider has them by itself. */
const BATCH_SIZE = 64;
const REQUESTS_AT_ONCE = 4;
const DEFAULT_EMBEDDING_CACHE = ".rankproof/embeddings";
const names = (catalog: readonly { readonly definition: { readonly name: string } }[]): string =>
  catalog.map(({ definition }) => definition.name).join(", ");

/** How documents are cut. */
export function chunkerOptionsOf(command: Command): Command {
  return command
    .addOption(
      new Option("--chunker <name>", "how the documents of a corpus are cut")
        .choices(["whole", "sentences", "windows"])
        .default("whole"),
    )
    .option(
      "--chunk-size <n>",
      "most characters of a chunk of sentences (default: 900), words of a window (default: 150)",
      wholeNumber("chunk-size"),
    )
    .option(
      "--chunk-overlap <n>",
      "characters, or words, that a chunk shares with the one before (default: 0, or 30)",
      wholeNumber("chunk-overlap", 0),
    );
}

/** The options of commands that search a corpus. */
export function retrievalOptionsOf(command: Command): Command {
  return chunkerOptionsOf(command)
    .option(
      "--language <name>",
      `stemming and stop words: ${languageNames.join(", ")}; Chinese, Japanese and Korean go with each`,
      "english",
    )
    .addOption(
      new Option("--idf <variant>", "of BM25: as Lucene, or as SQLite's FTS5")
        .choices(["lucene", "fts5"])
        .default("lucene"),
    )
    .option("--k1 <x>", "of BM25 (default: 1.2)", aNumber("k1", 0))
    .option("--b <x>", "of BM25 (default: 0.75)", aNumber("b", 0))
    .option("--title-weight <x>", "what a word in the title counts (default: 2)", aNumber("title-weight", 0))
    .option("--text-weight <x>", "what a word in the text counts (default: 1)", aNumber("text-weight", 0))
    .addOption(
      new Option(
        "--embedding-provider <name>",
        "hash: offline, no key; openai: any endpoint like OpenAI's, set up by " +
          "RANKPROOF_EMBEDDING_API_KEY, _BASE_URL and _MODEL",
      )
        .choices(["hash", "openai", "none"])
        .default("hash"),
    )
    .option("--embedding-cache <dir>", "where vectors of a real provider are kept", DEFAULT_EMBEDDING_CACHE)
    .option("--no-embedding-cache", "ask the provider again each time")
    .option(
      "--embedding-batch-size <n>",
      "most texts in a request to a real provider (default: 64); some take no more than 10",
      wholeNumber("embedding-batch-size"),
    )
    .option(
      "--embedding-rate <n>",
      "most requests to it in a minute (default: no limit)",
      wholeNumber("embedding-rate"),
    )
    .option(
      "--embedding-timeout <ms>",
      "longest time for its answer (default: 60000)",
      wholeNumber("embedding-timeout"),
    )
    .option(
      "--embedding-retries <n>",
      "how often a request that failed is sent again (default: 5)",
      wholeNumber("embedding-retries", 0),
    )
    .option(
      "--fusion <method>",
      `of hybrid: ${names(fusionCatalog)}, with parameters as in "wsum(weights=0.7/0.3)"`,
      "rrf",
    )
    .option(
      "--normalize <name>",
      `of scores before fusion: ${names(normalizerCatalog)} (default: what the method needs)`,
    )
    .option("--depth <n>", "hits that each channel is asked for", wholeNumber("depth"), 100);
}

/** The flags that say how documents are cut. */
export type ChunkerFlags = Pick<RetrievalFlags, "chunker" | "chunkSize" | "chunkOverlap">;

const WINDOW_WORDS = 150;
const WINDOW_OVERLAP = 30;

/**
 * The chunker that the flags stand for.
 *
 * @throws InputError `ARGUMENT` for a size of documents that are not cut.
 */
export function chunkerOf({ chunker, chunkSize, chunkOverlap }: ChunkerFlags): Chunker {
  if (chunker === "sentences")
    return sentenceChunker({
      ...(chunkSize !== undefined && { maxCharacters: chunkSize }),
      ...(chunkOverlap !== undefined && { overlap: chunkOverlap }),
    });
  if (chunker === "windows")
    return windowChunker({
      words: chunkSize ?? WINDOW_WORDS,
      overlap: chunkOverlap ?? Math.min(WINDOW_OVERLAP, Math.floor((chunkSize ?? WINDOW_WORDS) / 5)),
    });
  if (chunkSize !== undefined || chunkOverlap !== undefined)
    throw new InputError(
      "ARGUMENT",
      "--chunk-size and --chunk-overlap are for --chunker sentences and windows; whole documents are not cut",
    );
  return wholeDocumentChunker();
}

/** The settings of BM25 that the flags stand for. */
export async function lexicalOptions({
  language,
  idf,
  k1,
  b,
  titleWeight,
  textWeight,
}: RetrievalFlags): Promise<LexicalOptions> {
  return {
    analyzer: await languageAnalyzer(language),
    idf,
    k1,
    b,
    weights: { title: titleWeight, text: textWeight },
  };
}

/**
 * The fusion that the flags stand for.
 *
 * @throws InputError `ARGUMENT` for names that are not known, now and not after everything is embedded.
 */
export function hybridOptions({ fusion, normalize, depth }: RetrievalFlags): HybridOptions {
  parseFusion(fusion);
  if (normalize !== undefined) parseNormalizer(normalize);
  return { method: fusion, depth, ...(normalize !== undefined && { normalize }) };
}

/** The provider that embeds without a network, if one is wanted. */
export function offlineEmbedder({ embeddingProvider }: RetrievalFlags): EmbeddingProvider | undefined {
  return embeddingProvider === "none" ? undefined : hashEmbedder();
}

/**
 * The real provider that the environment sets up, if one is wanted; its vectors of documents are kept on
 * disk.
 *
 * Questions are always embedded anew: their time is part of what a search takes.
 */
export function liveEmbedder(
  {
    embeddingProvider,
    embeddingCache,
    embeddingBatchSize: batchSize = BATCH_SIZE,
    embeddingRate,
    embeddingTimeout,
    embeddingRetries,
  }: RetrievalFlags,
  env: Readonly<Record<string, string | undefined>>,
): EmbeddingProvider | undefined {
  if (embeddingProvider !== "openai") return undefined;
  const provider = openaiEmbedder({
    ...embeddingSettingsFrom(env),
    batchSize,
    requestsPerMinute: embeddingRate,
    timeoutMs: embeddingTimeout,
    retries: embeddingRetries,
  });
  if (embeddingCache === false) return provider;
  // As many as are asked for at once, so that an interruption loses no more than what is on its way.
  const cached = cachedEmbedder(provider, fileEmbeddingCache(embeddingCache), {
    saveEvery: batchSize * REQUESTS_AT_ONCE,
  });
  return {
    model: provider.model,
    identity: provider.identity,
    embed: (texts, options = {}) => (options.kind === "query" ? provider : cached).embed(texts, options),
  };
}
