import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  flushFolderOf,
  followLinks,
  makeFolders,
  readBytes,
  readError,
  replaceFile,
  systemCode,
  writeError,
} from "../../files/index.js";
import { AdapterError, messageOf } from "../../foundation/errors/index.js";
import type { RestorePoint, TunedFile } from "../restore/index.js";

/** A configuration file as it was before a tuning first changed it. */
export interface SavedOriginal {
  readonly content: Buffer;
  readonly sha256: string;
  /** Its permissions and its owner. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The tuning that a file is saved for, as is kept with it. */
export interface TuningOf extends RestorePoint {
  /** The folder of its project. */
  readonly project: string;
}

/** The digest of a content. */
export function digestOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A configuration file, with the links that lead to it: they may be gone when it is restored. */
export function resolveTunedFile(given: string): TunedFile {
  const path = resolve(given);
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return { path, real: followLinks(path), link: isLink ? readlinkSync(path) : null };
  } catch (error) {
    // Nothing stands below a file.
    if (systemCode(error) === "ENOTDIR") return { path, real: path, link: null };
    throw readError(path, error);
  }
}

/**
 * Where the original of a file is kept: beside it, so that no other project takes a tuned configuration for
 * an original one.
 */
function placeOfOriginal({ real }: Pick<TunedFile, "real">): string {
  return join(dirname(real), `.${basename(real)}.rankproof-original`);
}

/** A second copy, among what the tuning writes. */
function secondPlace({ real }: TunedFile, folder: string): string {
  return join(folder, "original", `${digestOf(Buffer.from(real)).slice(0, 8)}-${basename(real)}.json`);
}

/**
 * Saves a file for {@link readOriginal}; when this returns, it is on the disk.
 *
 * @returns what was saved.
 * @throws InputError `FILE_NOT_FOUND`, `FILE_UNREADABLE`; AdapterError `TUNING_BUSY` where an original is
 * kept already, `FILE_UNWRITABLE`
 */
export function saveOriginal(file: TunedFile, of: TuningOf): SavedOriginal {
  const content = readBytes(file.path);
  const sha256 = digestOf(content);
  const { mode, uid, gid } = statSync(file.path);
  const record = JSON.stringify({ ...of, sha256, mode, uid, gid, content: content.toString("base64") });
  const place = placeOfOriginal(file);
  writeNew(place, record, "wx", (error) =>
    systemCode(error) === "EEXIST" ? busyError(file, place) : undefined,
  );
  try {
    // What is there is of an earlier part of the same tuning.
    writeNew(secondPlace(file, of.folder), record, "w");
  } catch (error) {
    removeOriginal(file, of);
    throw error;
  }
  return { content, sha256, mode, uid, gid };
}

/** Only for its owner: it may have secrets in it. */
function writeNew(
  path: string,
  content: string,
  flag: "w" | "wx",
  meant: (error: unknown) => Error | undefined = () => undefined,
): void {
  let handle: number | undefined;
  try {
    makeFolders(dirname(path));
    handle = openSync(path, flag, 0o600);
    writeFileSync(handle, content);
    fsyncSync(handle);
  } catch (error) {
    if (handle !== undefined) rmSync(path, { force: true });
    throw meant(error) ?? writeError(path, error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
  flushFolderOf(path);
}

/**
 * What was saved of a file for a tuning; null where nothing was, or where saving it was cut short, before
 * which the file is not changed.
 */
export function readOriginal(
  file: TunedFile,
  { tuning, folder }: Pick<TuningOf, "tuning" | "folder">,
): SavedOriginal | null {
  const found = [placeOfOriginal(file), secondPlace(file, folder)].map(recordIn);
  return found.find((record) => record?.tuning === tuning) ?? null;
}

/**
 * Tunings of a project whose originals are still there although their restore points were deleted.
 *
 * @param files of its configuration.
 */
export function originalsLeft(project: string, files: readonly string[]): RestorePoint[] {
  const records = files.flatMap((file) => recordIn(placeOfOriginal(resolveTunedFile(file))) ?? []);
  return records
    .filter((record) => record.project === project)
    .map(({ backend, tuning, folder, files: all, owner, since }) => ({
      backend,
      tuning,
      folder,
      files: all,
      owner,
      since,
    }));
}

function recordIn(place: string): (SavedOriginal & TuningOf) | null {
  try {
    const saved = JSON.parse(readFileSync(place, "utf8")) as TuningOf &
      Omit<SavedOriginal, "content"> & { readonly content: string };
    const content = Buffer.from(saved.content, "base64");
    return saved.sha256 === digestOf(content) ? { ...saved, content } : null;
  } catch (error) {
    const isNone =
      error instanceof SyntaxError || error instanceof TypeError || systemCode(error) === "ENOENT";
    if (isNone || systemCode(error) === "ENOTDIR") return null;
    throw readError(place, error);
  }
}

/** Puts the original back, and the link to it, if that was one. */
export function putOriginalBack(file: TunedFile, { content, sha256, mode, uid, gid }: SavedOriginal): void {
  const { path, link, real } = file;
  try {
    const isThere = link === null || resolveTunedFile(path).link === link;
    if (!isThere) {
      rmSync(path, { force: true });
      symlinkSync(link, path);
    }
    // A hook may have made it read-only.
    if (existsSync(real)) chmodSync(real, mode);
    replaceFile(real, content);
    chmodSync(real, mode);
    if (process.getuid?.() === 0) chownSync(real, uid, gid);
    if (digestOf(readFileSync(path)) !== sha256) throw new Error("it is not what was written");
  } catch (error) {
    throw notRestored(file, error);
  }
}

/**
 * What stands in a file now, if anything does. What cannot be read goes aside, a folder or what nobody may
 * read: the original must come back.
 *
 * @throws AdapterError `TUNING_RESTORE`
 */
export function takeContent(file: TunedFile): { readonly content?: Buffer; readonly aside?: string } {
  const { path } = file;
  if (!existsSync(path)) return {};
  try {
    return { content: readFileSync(path) };
  } catch {
    try {
      if (statSync(path).isFile()) {
        chmodSync(path, 0o600);
        return { content: readFileSync(path) };
      }
    } catch {
      // It goes aside as well.
    }
  }
  // Where a link leads to what is in the way, that is the one to go.
  const inTheWay = lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  const aside = `${inTheWay}.${new Date().toISOString().replaceAll(":", "")}.rankproof-aside`;
  try {
    renameSync(inTheWay, aside);
  } catch (error) {
    throw notRestored(file, error);
  }
  return { aside };
}

function notRestored(file: TunedFile, error: unknown): AdapterError {
  return new AdapterError(
    "TUNING_RESTORE",
    `${file.path}: its original cannot be put back: ${messageOf(error)}; it is kept in ` +
      `${placeOfOriginal(file)} (\`content\`, base64), and \`rankproof tune restore\` tries again`,
    { file: file.path },
    error,
  );
}

/** Forgets the original that was saved for a tuning, of a file that is as it was or is to stay as it is. */
export function removeOriginal(
  file: TunedFile,
  { tuning, folder }: Pick<TuningOf, "tuning" | "folder">,
): void {
  for (const place of [secondPlace(file, folder), placeOfOriginal(file)]) {
    if (recordIn(place)?.tuning !== tuning) continue;
    rmSync(place, { force: true });
    flushFolderOf(place);
  }
}

function busyError(file: TunedFile, place: string): AdapterError {
  const saved = recordIn(place);
  const since = statSync(place, { throwIfNoEntry: false })?.mtime.toISOString() ?? "a while";
  return new AdapterError(
    "TUNING_BUSY",
    saved === null
      ? `${file.path}: another tuning is about to change it; delete ${place} if none is`
      : `${file.path} is tuned from ${saved.project} since ${since}, or was, and is not restored; wait ` +
          "for it, or call `rankproof tune restore` there",
    { file: file.path, place },
  );
}
