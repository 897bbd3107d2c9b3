import { parseCorpus, parseGolden } from "../formats/index.js";
import { runReader } from "../formats/internal.js";
import type { CorpusSnapshot, EvalRun, GoldenSet } from "../records/index.js";
import { contentOf, read } from "./evaluate/chunks.js";
import { lookAt, STANDARD_INPUT, stemOf } from "../files/index.js";

/** Reads a golden set: YAML, JSON, JSONL, CSV or TSV, plain or gzip; `-` is the standard input. */
export async function readGolden(path: string): Promise<GoldenSet> {
  return parseGolden(await contentOf(path), path);
}

/**
 * Reads a run: JSONL of query results, or one JSON run, plain or gzip; `-` is the standard input. Where the
 * file does not say, the id is its stem (`stdin`) and the time its last change (now).
 *
 * @param options `toldTime`: take no time but one that the file tells, so that a copy of it gives the same.
 */
export async function readRun(
  path: string,
  { toldTime = false }: { readonly toldTime?: boolean } = {},
): Promise<EvalRun> {
  const changed = path === STANDARD_INPUT ? new Date() : lookAt(path)?.mtime;
  const created_at = toldTime ? undefined : changed?.toISOString();
  return read(
    path,
    runReader({ run_id: stemOf(path), ...(created_at !== undefined && { created_at }) }, path),
  );
}

/** Reads the chunks of a knowledge base: JSONL or JSON, plain or gzip; `-` is the standard input. */
export async function readCorpus(path: string): Promise<CorpusSnapshot> {
  return parseCorpus(await contentOf(path), path);
}
