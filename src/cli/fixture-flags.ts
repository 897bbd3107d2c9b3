import type { Command } from "commander";
import type { BenchFixture } from "../bench/index.js";
import { readBenchFixture } from "../node/index.js";
import { wholeNumber } from "./number-flag.js";
import { chunkerOf, type ChunkerFlags } from "./retrieval-flags.js";

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
    .option("--qrels <file>", "the judgments of documents, if not qrels.txt, qrels.tsv or qrels/test.tsv of the folder")
    .option("--top-k <n>", "hits that count for each query of a folder (default: 10)", wholeNumber("top-k"));
}

/** Reads the fixture. */
export async function fixtureOf(path: string, { corpus, queries, qrels, topK, chunker = "whole", chunkSize, chunkOverlap }: FixtureFlags): Promise<BenchFixture> {
  return readBenchFixture(path, { corpus, queries, qrels, topK, chunker: chunker === "whole" && chunkSize === undefined && chunkOverlap === undefined ? undefined : chunkerOf({ chunker, chunkSize, chunkOverlap }) });
}
