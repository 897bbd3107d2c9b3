import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeError } from "./file-errors.js";

/** Files that a killed process left behind begin like this, before the number of the process. */
export function temporaryPrefix(path: string): string {
  return `.${basename(path)}.tmp-`;
}

/**
 * Puts new content in place of a file's, wholly or not at all: a temporary file beside it, flushed to the disk, then renamed
 * over it. Plain writing tears the file when the process is killed in the middle. A symbolic link stays one; what is no file
 * (a pipe, `/dev/stdout`) is written to.
 *
 * @throws AdapterError `code` when it cannot be done; the file is then as it was.
 */
export function replaceFile(name: string, content: Uint8Array | string, code: "FILE_UNWRITABLE" | "STORE_WRITE" = "FILE_UNWRITABLE"): void {
  let temporary: string | undefined;
  try {
    const there = statSync(name, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile()) return writeFileSync(name, content);
    const path = there === undefined ? name : realpathSync(name);
    mkdirSync(dirname(path), { recursive: true });
    temporary = join(dirname(path), `${temporaryPrefix(path)}${process.pid}`);
    writeFlushed(temporary, content, there === undefined ? NEW_FILE_MODE : there.mode & 0o777);
    renameSync(temporary, path);
    flushFolder(dirname(path));
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw writeError(name, error, code);
  }
}

function writeFlushed(path: string, content: Uint8Array | string, mode: number): void {
  const file = openSync(path, "w", mode);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const NEW_FILE_MODE = 0o666;

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
