import { statSync } from "node:fs";
import { contentHead } from "../node/evaluate/index.js";

/** So much of a file shows what it is. */
const HEAD = 4096;

/** Query, iteration, item, rank, score and name. */
const TREC_LINE = /^\S+\s+\S+\s+\S+\s+\d+\s+[+-]?\.?\d\S*\s+\S+$/;

/**
 * Whether a name is that of a file, plain or gzip, that begins as a TREC run does. What cannot be told is for
 * the reader of recorded runs.
 */
export async function looksLikeTrecRun(path: string): Promise<boolean> {
  // A pipe can be read once only.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const [line = ""] = new TextDecoder()
    .decode(await contentHead(path, HEAD))
    .trimStart()
    .split("\n", 1);
  return TREC_LINE.test(line.trim());
}
