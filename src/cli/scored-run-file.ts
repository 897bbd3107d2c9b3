import { lookAt } from "../files/index.js";
import { beginsAsScoredRun } from "../formats/index.js";
import { InputError } from "../index.js";
import { contentHead } from "../node/evaluate/index.js";
import { shellWord } from "./shell-word.js";
import { plainLine } from "./terminal.js";

/** So much of a file shows what it is. */
const HEAD = 4096;

/**
 * Whether a name is that of a file, plain or gzip, that begins as a run of ids and scores. What cannot be
 * told is for the reader of recorded runs.
 */
export async function isScoredRunFile(path: string): Promise<boolean> {
  // A pipe can be read once only.
  if (lookAt(path)?.isFile() !== true) return false;
  return isScoredRun(new TextDecoder().decode(await contentHead(path, HEAD)));
}

/** Whether a text is a run of ids and scores, by how it begins. */
export function isScoredRun(text: string): boolean {
  return beginsAsScoredRun(text.slice(0, HEAD));
}

/** That a run of ids and scores is read by other commands. */
export function scoredRunError(name: string): InputError {
  return new InputError(
    "ARGUMENT",
    `${name}: is a run of ids and scores; \`rankproof evaluate QRELS ` +
      `${plainLine(shellWord(name))}\` scores it, and \`rankproof compare --qrels QRELS\` compares such runs`,
    { name },
  );
}
