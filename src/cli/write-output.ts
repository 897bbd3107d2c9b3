import { gzipSync } from "node:zlib";
import { parquetOf, replaceFile } from "../node/evaluate/index.js";
import type { Terminal } from "./terminal.js";

/** Parts are written together until they have this many characters. */
const BLOCK_LENGTH = 2 ** 20;

/**
 * Writes a text, whole or in parts, to a file (packed where its name ends in `.gz`), or to stdout where no
 * file is named.
 */
export function writeOutput(
  text: string | Iterable<string>,
  output: string | undefined,
  terminal: Terminal,
): void {
  const blocks = typeof text === "string" ? [text] : blocksOf(text);
  if (output === undefined || output === "-") {
    for (const block of blocks) terminal.out(block);
    return;
  }
  replaceFile(output, output.endsWith(".gz") ? gzipMembers(blocks) : blocks);
  terminal.talk(`wrote ${output}`);
}

/** Whether lines of JSON are to be written as Parquet. */
export function isParquetName(output: string | undefined): boolean {
  return output !== undefined && /\.parquet$/i.test(output);
}

/** As {@link writeOutput}, of lines of JSON, which become Parquet in a file that ends in `.parquet`. */
export async function writeRows(
  lines: string | Iterable<string>,
  output: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (output === undefined || !isParquetName(output)) return writeOutput(lines, output, terminal);
  replaceFile(output, await parquetOf(typeof lines === "string" ? [lines] : lines, output));
  terminal.talk(`wrote ${output}`);
}

function* blocksOf(parts: Iterable<string>): Iterable<string> {
  let block = "";
  for (const part of parts) {
    block += part;
    if (block.length >= BLOCK_LENGTH) {
      yield block;
      block = "";
    }
  }
  if (block !== "") yield block;
}

/** A gzip file may have several members, one after the other. */
function* gzipMembers(blocks: Iterable<string>): Iterable<Uint8Array> {
  let isEmpty = true;
  for (const block of blocks) {
    yield gzipSync(block);
    isEmpty = false;
  }
  if (isEmpty) yield gzipSync("");
}
