import { lookAt } from "../files/index.js";
import { STANDARD_INPUT } from "../node/evaluate/index.js";

/** Whether a name is the standard input, a file or a pipe: a folder may be called like a run. */
export function isReadable(name: string): boolean {
  return name === STANDARD_INPUT || lookAt(name)?.isDirectory() === false;
}
