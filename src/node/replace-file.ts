import { accessSync, closeSync, constants, fchmodSync, fchownSync, fsyncSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeError } from "./file-errors.js";

/** Files that a killed process left behind begin like this, before the number of the process. */
export function temporaryPrefix(path: string): string {
  return `.${basename(path)}.tmp-`;
}

/**
 * Puts new content in place of a file's, wholly or not at all: a temporary file beside it, flushed to the disk, then renamed
 * over it. Plain writing tears the file when the process is killed in the middle. A symbolic link to a file stays one; what is no file
 * (a pipe, `/dev/stdout`) is written to.
 *
 * @throws AdapterError `code` when it cannot be done; the file is then as it was.
 */
export function replaceFile(name: string, content: Uint8Array | string, code: "FILE_UNWRITABLE" | "STORE_WRITE" = "FILE_UNWRITABLE"): void {
  let temporary: string | undefined;
  try {
    const there = statSync(name, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile()) return writeFileSync(name, content);
    if (there !== undefined) refuseReadOnly(name, there);
    const path = there === undefined ? name : realpathSync(name);
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true });
    temporary = join(folder, `${temporaryPrefix(path)}${process.pid}`);
    writeFlushed(temporary, content, there);
    renameSync(temporary, path);
    flushFolder(folder);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw writeError(name, error, code);
  }
}

/**
 * A rename asks for the folder's permission only; whoever made the file read-only meant the file. The superuser may write to
 * any file, and must not do so by mistake.
 */
function refuseReadOnly(path: string, { mode }: Stats): void {
  accessSync(path, constants.W_OK);
  if ((mode & 0o222) === 0) throw Object.assign(new Error("read-only"), { code: "EACCES" });
}

/** Writes a file to the disk, with the permissions, the group and, for root, the owner of the one that it will replace. */
function writeFlushed(path: string, content: Uint8Array | string, there: Stats | undefined): void {
  const file = openSync(path, "w");
  try {
    if (there !== undefined) {
      fchmodSync(file, there.mode & 0o777);
      keepOwner(file, there);
    }
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Only the superuser can give a file away; the others can keep its group, if they are in it. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  try {
    fchownSync(file, process.getuid?.() === 0 ? uid : -1, gid);
  } catch {
    // The file then belongs to the group of whoever saved.
  }
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
