import { readFileSync, statSync } from "node:fs";
import { parseCorpus, parseGolden, parseRun } from "../formats/index.js";
import type { CorpusSnapshot, EvalRun, GoldenSet } from "../schema/index.js";
import { readError } from "./file-errors.js";
import { stemOf } from "./stem-of.js";

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw readError(path, error);
  }
}

/** Reads a golden set: YAML, JSON or JSONL. */
export function readGolden(path: string): GoldenSet {
  return parseGolden(bytesOf(path), path);
}

/** Reads a run: JSONL of query results, or one JSON run. Where the file does not say, the id is its stem and the time its last change. */
export function readRun(path: string): EvalRun {
  const bytes = bytesOf(path);
  return parseRun(bytes, { run_id: stemOf(path), created_at: statSync(path).mtime.toISOString() }, path);
}

/** Reads the chunks of a knowledge base: JSONL or JSON. */
export function readCorpus(path: string): CorpusSnapshot {
  return parseCorpus(bytesOf(path), path);
}
