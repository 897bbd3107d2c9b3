import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TextChunk } from "../../src/chunk/index.js";
import type { Retriever } from "../../src/retrieve/index.js";
import type { ScoredRun } from "../../src/records/scored-run.js";

interface TextRecord {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

function recordsOf(path: string): TextRecord[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as TextRecord);
}

/** The documents of an oracle collection, each as one chunk. */
export function chunksOf(folder: string): TextChunk[] {
  return recordsOf(join(folder, "corpus.jsonl")).map(({ id, title, text }) => ({
    chunk_id: id,
    doc_id: id,
    ...(title !== undefined && { title }),
    text,
  }));
}

/** What a retriever finds for every question of a collection. */
export async function askedOf(retriever: Retriever, folder: string, limit: number): Promise<ScoredRun> {
  const run = new Map<string, { ids: string[]; scores: number[] }>();
  for (const { id, text } of recordsOf(join(folder, "queries.jsonl"))) {
    const hits = await retriever.search(text, { limit });
    run.set(id, { ids: hits.map(({ chunk_id }) => chunk_id), scores: hits.map(({ score }) => score ?? NaN) });
  }
  return run;
}
