import { gzipSync } from "node:zlib";
import { replaceFile } from "../node/evaluate/index.js";
import type { Terminal } from "./terminal.js";

/** Writes a text to a file (packed where its name ends in `.gz`), or to stdout where no file is named. */
export function writeOutput(text: string, output: string | undefined, terminal: Terminal): void {
  if (output === undefined || output === "-") {
    terminal.out(text);
    return;
  }
  replaceFile(output, output.endsWith(".gz") ? gzipSync(text) : text);
  terminal.talk(`wrote ${output}`);
}
