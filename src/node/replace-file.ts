import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, unlinkSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeError } from "./file-errors.js";

/** Files that a killed process left behind begin like this, before the number of the process. */
export function temporaryPrefix(path: string): string {
  return `.${basename(path)}.tmp-`;
}

/**
 * Puts new content in place of a file's, wholly or not at all: a temporary file beside it, flushed to the disk, then renamed
 * over it. Plain writing tears the file when the process is killed in the middle.
 *
 * @throws AdapterError `code` when it cannot be done; the file is then as it was.
 */
export function replaceFile(path: string, content: Uint8Array | string, code: "FILE_UNWRITABLE" | "STORE_WRITE" = "FILE_UNWRITABLE"): void {
  const folder = dirname(path);
  const temporary = join(folder, `${temporaryPrefix(path)}${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    const file = openSync(temporary, "w", modeOf(path));
    try {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // It was never made, or the folder is gone.
    }
    throw writeError(path, error, code);
  }
  flushFolder(folder);
}

const NEW_FILE_MODE = 0o666;

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? NEW_FILE_MODE) & 0o777;
}

/** Without this a power cut could undo the rename. Not every system can open a folder; there the rename has to do. */
function flushFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    return;
  }
}
