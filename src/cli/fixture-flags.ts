import { lookAt } from "../files/index.js";
import type { Command } from "commander";
import type { BenchFixture } from "../bench/index.js";
import { InputError } from "../index.js";
import { STANDARD_INPUT } from "../node/evaluate/index.js";
import { readBenchFixture } from "../node/index.js";
import { wholeNumberOption } from "./number-flag.js";
import { chunkerOf, USUAL_CHUNKER, type ChunkerFlags } from "./chunker-flags.js";

/** Which fixture is meant, as commander gives it. */
export interface FixtureFlags extends Partial<ChunkerFlags> {
  corpus?: string;
  queries?: string;
  qrels?: string;
  topK?: number;
}

/** The options that complete a fixture which is a folder. */
export function fixtureOptionsOf(command: Command): Command {
  return command
    .option("--corpus <file>", "the documents, if not corpus.jsonl of the folder")
    .option("--queries <file>", "the queries, if not queries.jsonl of the folder")
    .option(
      "--qrels <file>",
      "the judgments of documents, if not qrels.txt, qrels.tsv or qrels/test.tsv of the folder",
    )
    .option(
      "--top-k <n>",
      "hits that count for each query of a folder (default: 10)",
      wholeNumberOption("top-k"),
    );
}

/** What a fixture from the standard input is called. */
const NAMELESS = "fixture";

/** Reads the fixture. */
export async function fixtureOf(
  path: string,
  { corpus, queries, qrels, topK, chunker = USUAL_CHUNKER, chunkSize, chunkOverlap }: FixtureFlags,
): Promise<BenchFixture> {
  const isCut = chunker !== USUAL_CHUNKER || chunkSize !== undefined || chunkOverlap !== undefined;
  const ofFolders = Object.entries({
    "--corpus": corpus,
    "--queries": queries,
    "--qrels": qrels,
    "--top-k": topK,
    "--chunker": isCut || undefined,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (ofFolders.length > 0 && lookAt(path)?.isDirectory() === false)
    throw new InputError(
      "ARGUMENT",
      `${path}: a fixture in one file already sets what ${ofFolders.join(", ")} would say; leave ` +
        "that out, or name a folder",
    );
  const fixture = await readBenchFixture(path, {
    corpus,
    queries,
    qrels,
    topK,
    chunker: isCut ? chunkerOf({ chunker, chunkSize, chunkOverlap }) : undefined,
  });
  // Of a dash the runs would have names that look like options.
  return path === STANDARD_INPUT ? { ...fixture, name: NAMELESS } : fixture;
}
