import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { flushFolderOf, followLinks, readError, systemCode, writeError } from "../../files/index.js";
import { AdapterError } from "../../foundation/errors/index.js";

/** A configuration file as it was before a tuning first changed it. */
export interface SavedOriginal {
  readonly content: Buffer;
  readonly sha256: string;
  /** The folder of the project that tunes it. */
  readonly project: string;
}

/**
 * Where the original of a file is kept: beside it, so that no other project takes a tuned configuration for
 * an original one.
 */
export function placeOfOriginal(file: string): string {
  const path = followLinks(file);
  return join(dirname(path), `.${basename(path)}.rankproof-original`);
}

/** The digest of a content, or of what a file has; null where there is no file. */
export function digestOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Saves a file for {@link readOriginal}; when this returns, it is on the disk.
 *
 * @returns what was saved.
 * @throws InputError `FILE_NOT_FOUND`, `FILE_UNREADABLE`; AdapterError `TUNING_BUSY` where an original is
 * kept already, `FILE_UNWRITABLE`
 */
export function saveOriginal(file: string, project: string): SavedOriginal {
  const content = contentOf(file);
  const place = placeOfOriginal(file);
  let handle: number;
  try {
    // It may have secrets in it.
    handle = openSync(place, "wx", 0o600);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw busyError(file, place);
    throw writeError(place, error);
  }
  const original = { content, sha256: digestOf(content), project };
  try {
    writeFileSync(handle, JSON.stringify({ ...original, content: content.toString("base64") }));
    fsyncSync(handle);
  } catch (error) {
    removeOriginal(file);
    throw writeError(place, error);
  } finally {
    closeSync(handle);
  }
  flushFolderOf(place);
  return original;
}

/**
 * What was saved of a file; null where nothing was, or where saving it was cut short, before which the file
 * is not changed.
 */
export function readOriginal(file: string): SavedOriginal | null {
  try {
    const saved = JSON.parse(readFileSync(placeOfOriginal(file), "utf8")) as Record<
      keyof SavedOriginal,
      string
    >;
    const content = Buffer.from(saved.content, "base64");
    return saved.sha256 === digestOf(content) ? { ...saved, content } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || systemCode(error) === "ENOENT")
      return null;
    throw readError(placeOfOriginal(file), error);
  }
}

/** Forgets the original of a file that is as it was, or that is to stay as it is. */
export function removeOriginal(file: string): void {
  rmSync(placeOfOriginal(file), { force: true });
  flushFolderOf(placeOfOriginal(file));
}

/** The bytes of a configuration file. */
export function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw readError(file, error);
  }
}

function busyError(file: string, place: string): AdapterError {
  const saved = readOriginal(file);
  const since = statSync(place, { throwIfNoEntry: false })?.mtime.toISOString() ?? "a while";
  return new AdapterError(
    "TUNING_BUSY",
    saved === null
      ? `${file}: another tuning is about to change it; delete ${place} if none is`
      : `${file} is tuned from ${saved.project} since ${since}, or was, and is not restored; wait for ` +
          `it, or ` +
          `call \`rankproof tune restore\` there`,
    { file, place },
  );
}
