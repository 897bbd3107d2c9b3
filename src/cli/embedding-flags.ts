import { Option, type Command } from "commander";
import { fileEmbeddingCache } from "../node/index.js";
import {
  cachedEmbedder,
  embeddingCatalog,
  type EmbeddingProvider,
  type EmbeddingProviderCard,
} from "../retrieve/index.js";
import { wholeNumberOption } from "./number-flag.js";
import { refuseIdleOptions } from "./refuse-idle-options.js";
import type { Terminal } from "./terminal.js";

/** What embeds, as commander gives it. */
export interface EmbeddingFlags {
  embeddingProvider: string;
  embeddingCache: string | false;
  embeddingBatchSize?: number;
  embeddingRate?: number;
  embeddingTimeout?: number;
  embeddingRetries?: number;
}

/** The names of {@link EmbeddingFlags}. */
export const embeddingFlags: readonly (keyof EmbeddingFlags)[] = [
  "embeddingProvider",
  "embeddingCache",
  "embeddingBatchSize",
  "embeddingRate",
  "embeddingTimeout",
  "embeddingRetries",
];

const FOR_REQUESTS = embeddingFlags.filter((name) => name !== "embeddingProvider");

/** @throws InputError `ARGUMENT` for options of requests with a provider that sends none. */
export function refuseIdleEmbedding(called: Command, catalog = embeddingCatalog): void {
  const provider: unknown = called.getOptionValueSourceWithGlobals("embeddingProvider")
    ? called.optsWithGlobals()["embeddingProvider"]
    : undefined;
  if (catalog.find(({ name }) => name === provider)?.requests === undefined)
    refuseIdleOptions(
      called,
      FOR_REQUESTS,
      `with the embedding provider ${String(provider)}, which is not asked`,
    );
}

const NONE = "none";
const DEFAULT_EMBEDDING_CACHE = ".rankproof/embeddings";

/** The options that say what embeds. */
export function embeddingOptionsOf(
  command: Command,
  catalog: readonly EmbeddingProviderCard[] = embeddingCatalog,
): Command {
  const [usual] = catalog;
  const batches = catalog.flatMap(({ requests }) => (requests === undefined ? [] : [requests.texts]));
  return command
    .addOption(
      new Option(
        "--embedding-provider <name>",
        catalog.map(({ name, about }) => `${name}: ${about}`).join("; "),
      )
        .choices([...catalog.map(({ name }) => name), NONE])
        .default(usual?.name),
    )
    .option("--embedding-cache <dir>", "where vectors of a real provider are kept", DEFAULT_EMBEDDING_CACHE)
    .option("--no-embedding-cache", "ask the provider again each time")
    .option(
      "--embedding-batch-size <n>",
      `texts per request to a real provider, at most (default: ${batches.join(", ")}); some take 10 at most`,
      wholeNumberOption("embedding-batch-size"),
    )
    .option(
      "--embedding-rate <n>",
      "requests per minute, at most (default: no limit)",
      wholeNumberOption("embedding-rate"),
    )
    .option(
      "--embedding-timeout <ms>",
      "time limit of a request (default: 60000)",
      wholeNumberOption("embedding-timeout"),
    )
    .option(
      "--embedding-retries <n>",
      "how often a failed request is sent again (default: 5)",
      wholeNumberOption("embedding-retries", 0),
    );
}

/** The provider that embeds without a network, if one is wanted: the named one, or the usual one. */
export function offlineEmbedder(
  { embeddingProvider }: EmbeddingFlags,
  catalog: readonly EmbeddingProviderCard[] = embeddingCatalog,
): EmbeddingProvider | undefined {
  if (embeddingProvider === NONE) return undefined;
  const offline = catalog.filter(({ requests }) => requests === undefined);
  return (offline.find(({ name }) => name === embeddingProvider) ?? offline[0])?.open({ env: {} });
}

/**
 * The real provider that the environment sets up, if one is wanted; its vectors of documents are kept on
 * disk.
 *
 * Questions are always embedded anew: their time is part of what a search takes.
 */
export function liveEmbedder(
  flags: EmbeddingFlags,
  terminal: Pick<Terminal, "env" | "progress">,
  catalog: readonly EmbeddingProviderCard[] = embeddingCatalog,
): EmbeddingProvider | undefined {
  const card = catalog.find(({ name }) => name === flags.embeddingProvider);
  if (card?.requests === undefined) return undefined;
  const { texts, atOnce } = card.requests;
  const batchSize = flags.embeddingBatchSize ?? texts;
  const provider = card.open({
    env: terminal.env,
    batchSize,
    requestsPerMinute: flags.embeddingRate,
    timeoutMs: flags.embeddingTimeout,
    retries: flags.embeddingRetries,
    onRetry: terminal.progress,
  });
  if (flags.embeddingCache === false) return provider;
  // As many as are asked for at once; each request's are kept when they come in.
  const cached = cachedEmbedder(provider, fileEmbeddingCache(flags.embeddingCache), {
    saveEvery: batchSize * atOnce,
  });
  return {
    model: provider.model,
    identity: provider.identity,
    embed: (texts, options = {}) => (options.kind === "query" ? provider : cached).embed(texts, options),
  };
}
