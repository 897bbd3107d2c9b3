import { lookAt } from "../files/index.js";
import { beginsAsTrecRun } from "../formats/index.js";
import { InputError } from "../index.js";
import { contentHead } from "../node/evaluate/index.js";
import { shellWord } from "./shell-word.js";
import { plainLine } from "./terminal.js";

/** So much of a file shows what it is. */
const HEAD = 4096;

/**
 * Whether a name is that of a file, plain or gzip, that begins as a TREC run does. What cannot be told is for
 * the reader of recorded runs.
 */
export async function looksLikeTrecRun(path: string): Promise<boolean> {
  // A pipe can be read once only.
  if (lookAt(path)?.isFile() !== true) return false;
  return beginsAsTrecRun(new TextDecoder().decode(await contentHead(path, HEAD)));
}

/** That a run in TREC's format is read by other commands. */
export function trecRunRefused(name: string): InputError {
  return new InputError(
    "ARGUMENT",
    `${name}: is a run in TREC's format; \`rankproof evaluate QRELS ${plainLine(shellWord(name))}\` ` +
      "scores it, and `rankproof compare --qrels QRELS` compares such runs",
    { name },
  );
}
