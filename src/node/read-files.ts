import { statSync } from "node:fs";
import { parseCorpus, parseGolden } from "../formats/index.js";
import { runReader } from "../formats/internal.js";
import type { CorpusSnapshot, EvalRun, GoldenSet } from "../records/schema/index.js";
import { plainContentOf, readPlain } from "./evaluate/chunks.js";
import { stemOf } from "../files/index.js";

/** Reads a golden set: YAML, JSON or JSONL. */
export function readGolden(path: string): GoldenSet {
  return parseGolden(plainContentOf(path), path);
}

/**
 * Reads a run: JSONL of query results, or one JSON run. Where the file does not say, the id is its stem and
 * the time its last change.
 */
export function readRun(path: string): EvalRun {
  const created_at = statSync(path, { throwIfNoEntry: false })?.mtime.toISOString();
  return readPlain(
    path,
    runReader({ run_id: stemOf(path), ...(created_at !== undefined && { created_at }) }, path),
  );
}

/** Reads the chunks of a knowledge base: JSONL or JSON. */
export function readCorpus(path: string): CorpusSnapshot {
  return parseCorpus(plainContentOf(path), path);
}
