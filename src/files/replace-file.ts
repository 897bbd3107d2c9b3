import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { isRankproofError } from "../foundation/errors/index.js";
import { writeError } from "./file-errors.js";
import { followLinks } from "./follow-links.js";

/** File systems take names of 255 bytes; the number of a process needs some of them. */
const LONGEST_STEM_BYTES = 200;

/** Files that a killed process left behind begin like this, before the number of the process. */
function temporaryPrefix(path: string): string {
  const name = basename(path);
  const stem =
    Buffer.byteLength(name) > LONGEST_STEM_BYTES ? createHash("sha256").update(name).digest("hex") : name;
  return `.${stem}.tmp-`;
}

/** The file beside `path` in which this process makes what will be there. */
export function temporaryFor(path: string): string {
  return join(dirname(path), `${temporaryPrefix(path)}${process.pid}`);
}

/**
 * Removes the temporary files of all processes: of those that were killed, where the caller holds the lock.
 */
export function removeTemporaries(path: string): void {
  const folder = dirname(path);
  const prefix = temporaryPrefix(path);
  try {
    for (const name of readdirSync(folder)) if (name.startsWith(prefix)) unlinkSync(join(folder, name));
  } catch {
    // Clearing up is no reason not to save.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Makes a folder and those above it, one after the other: Node's own way never ends where a system says of a
 * folder that is there that it is not, as under `/proc`.
 *
 * @throws the system's error.
 */
export function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been first.
    if (!isFolder(folder)) throw error;
  }
}

/** Makes the folder of a file that will be written, and those above it. */
export function makeFolderFor(path: string, name: string): void {
  try {
    makeFolders(dirname(path));
  } catch (error) {
    throw writeError(name, error, "STORE_WRITE");
  }
}

/** What is written into a file: at once, or part by part, because a long text has no room in one string. */
export type FileContent = string | Uint8Array | Iterable<string | Uint8Array>;

/** What looks at a file while it is replaced. */
export interface ReplacementLooks {
  /** Called when everything is on the disk in a temporary file; when it throws, nothing has changed. */
  before(temporary: string): void;
  /** Called when the file is in its place, before the folder is flushed. */
  after(): void;
}

/**
 * Puts new content in place of a file's, wholly or not at all: a temporary file beside it, flushed to the
 * disk, then renamed over it. Plain writing tears the file when the process is killed in the middle. A
 * symbolic link stays one, and what it leads to is written; what is no file (a pipe, `/dev/stdout`) is
 * written to.
 *
 * @param looks called straight before and after the rename.
 * @throws AdapterError `code` when it cannot be done; the file is then as it was.
 */
export function replaceFile(
  name: string,
  content: FileContent,
  code: "FILE_UNWRITABLE" | "STORE_WRITE" = "FILE_UNWRITABLE",
  looks: Partial<ReplacementLooks> = {},
): void {
  let temporary: string | undefined;
  try {
    const there = statSync(name, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile()) return writeThrough(name, content);
    if (there !== undefined) refuseReadOnly(name);
    const path = followLinks(name);
    makeFolders(dirname(path));
    temporary = temporaryFor(path);
    writeFlushed(temporary, content, there);
    looks.before?.(temporary);
    renameSync(temporary, path);
    looks.after?.();
    flushFolderOf(path);
  } catch (error) {
    if (temporary !== undefined) removeQuietly(temporary);
    throw isRankproofError(error) ? error : writeError(name, error, code);
  }
}

/** What cannot be removed is no reason to hide why the file could not be written. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

/**
 * A rename asks for the folder's permission only; a read-only file is meant to stay as it is. The
 * superuser may write to any file, and must not do so by mistake.
 *
 * @throws the system's error, or one like it.
 */
export function refuseReadOnly(path: string): void {
  accessSync(path, constants.W_OK);
  if ((statSync(path).mode & 0o222) === 0) throw Object.assign(new Error("read-only"), { code: "EACCES" });
}

/**
 * Writes a file to the disk, with the permissions, the group and, for root, the owner of the one that it will
 * replace.
 */
function writeFlushed(path: string, content: FileContent, there: Stats | undefined): void {
  const file = openSync(path, "w");
  try {
    if (there !== undefined) {
      fchmodSync(file, there.mode & 0o777);
      keepOwner(file, there);
    }
    for (const part of partsOf(content)) writeFileSync(file, part);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function partsOf(content: FileContent): Iterable<string | Uint8Array> {
  return typeof content === "string" || content instanceof Uint8Array ? [content] : content;
}

/** What is no file is written to as it stands. */
function writeThrough(name: string, content: FileContent): void {
  const file = openSync(name, "w");
  try {
    for (const part of partsOf(content)) writeFileSync(file, part);
  } finally {
    closeSync(file);
  }
}

/** Only the superuser can give a file away; the others can keep its group, if they are in it. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  try {
    fchownSync(file, process.getuid?.() === 0 ? uid : -1, gid);
  } catch {
    // The file then belongs to the group of the saving process.
  }
}

/**
 * Without this a power cut could undo the rename. Not every system can open a folder; there the rename has to
 * do.
 */
export function flushFolderOf(path: string): void {
  try {
    const handle = openSync(dirname(path), "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    return;
  }
}
