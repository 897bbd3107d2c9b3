import { Option, type Command } from "commander";
import { normalizerCatalog, fusionCatalog, parseFusion, parseNormalizer } from "../fusion/index.js";
import {
  languageAnalyzer,
  languageNames,
  type HybridOptions,
  type LexicalOptions,
} from "../retrieve/index.js";
import { catalogNames } from "./catalog-names.js";
import { chunkerOptionsOf, type ChunkerFlags } from "./chunker-flags.js";
import {
  embeddingFlags,
  refuseIdleEmbedding,
  embeddingOptionsOf,
  type EmbeddingFlags,
} from "./embedding-flags.js";
import { numberOption, wholeNumberOption } from "./number-flag.js";
import { refuseIdleOptions } from "./refuse-idle-options.js";

/** How documents are cut, indexed and searched, as commander gives it. */
export interface RetrievalFlags extends ChunkerFlags, EmbeddingFlags {
  language: string;
  idf: "lucene" | "fts5";
  k1?: number;
  b?: number;
  titleWeight?: number;
  textWeight?: number;
  fusion: string;
  normalize?: string;
  depth: number;
}

/** The options of commands that search a corpus. */
export function retrievalOptionsOf(command: Command): Command {
  chunkerOptionsOf(command)
    .option(
      "--language <name>",
      `stemming and stop words: ${languageNames.join(", ")}; Chinese, Japanese and Korean go with each`,
      "english",
    )
    .addOption(
      new Option("--idf <variant>", "how BM25 weighs rare words: as Lucene, or as SQLite's FTS5")
        .choices(["lucene", "fts5"])
        .default("lucene"),
    )
    .option("--k1 <x>", "k1 of BM25: how much repeated words count (default: 1.2)", numberOption("k1", 0))
    .option("--b <x>", "b of BM25: how much long texts are discounted (default: 0.75)", numberOption("b", 0))
    .option(
      "--title-weight <x>",
      "weight of a word in the title (default: 2)",
      numberOption("title-weight", 0),
    )
    .option("--text-weight <x>", "weight of a word in the text (default: 1)", numberOption("text-weight", 0));
  return embeddingOptionsOf(command)
    .option(
      "--fusion <method>",
      `how hybrid fuses its channels: ${catalogNames(fusionCatalog)}, with parameters as in ` +
        '"wsum(weights=0.7/0.3)"',
      "rrf",
    )
    .option(
      "--normalize <name>",
      `how scores are normalized before fusion: ${catalogNames(normalizerCatalog)} ` +
        "(default: what the method needs)",
    )
    .option("--depth <n>", "hits that each channel is asked for, at least", wholeNumberOption("depth"), 100);
}

const [FOR_WORDS, FOR_FUSION] = [
  ["language", "idf", "k1", "b", "titleWeight", "textWeight"],
  ["fusion", "normalize"],
];

/**
 * @param own modes that systems of the user's answer.
 * @throws InputError `ARGUMENT` for options that none of the modes of a search looks at.
 */
export function refuseIdleRetrieval(
  called: Command,
  modes: readonly string[],
  own: readonly string[] = [],
): void {
  if (own.includes("fts_only")) refuseIdleOptions(called, FOR_WORDS, "with an fts_only of yours");
  const isEmbedded = modes.includes("hybrid") || modes.includes("embedding_only");
  if (isEmbedded) refuseIdleEmbedding(called);
  if (modes.includes("hybrid")) return;
  refuseIdleOptions(called, FOR_FUSION, "without the mode hybrid");
  if (!modes.includes("fts_only")) refuseIdleOptions(called, FOR_WORDS, "without full text");
  if (!modes.includes("embedding_only")) refuseIdleOptions(called, embeddingFlags, "without embeddings");
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
