import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  flushFolderOf,
  isLiving,
  makeFolders,
  readError,
  systemCode,
  processName,
  temporaryFor,
  writeError,
  type ProcessName,
} from "../../files/index.js";
import { AdapterError, quote } from "../../foundation/errors/index.js";

/** A configuration file that is changed. */
export interface TunedFile {
  readonly path: string;
  /** Where links lead from there. */
  readonly real: string;
  /** What it says where it is a link itself; else null. */
  readonly link: string | null;
}

/**
 * Says that the configuration of a search is being changed, from before the first change until it is
 * restored.
 */
export interface RestorePoint {
  /** Name of the search in the project's configuration. */
  readonly backend: string;
  /** Id of the tuning. */
  readonly tuning: string;
  /** Where the tuning writes what it does. */
  readonly folder: string;
  /** The configuration files that it changes. */
  readonly files: readonly TunedFile[];
  readonly owner: ProcessName;
  readonly since: string;
}

/** A restore point that was found. */
export interface FoundRestorePoint {
  readonly path: string;
  readonly point: RestorePoint;
  /** Whether its tuning goes on. */
  readonly isUnderWay: boolean;
  /**
   * Whether this very file was made by a tuning, and is no copy: one that came with a download must not make
   * anything run.
   */
  readonly isGenuine: boolean;
}

const FOLDER = join(".rankproof", "restore");
/**
 * How often the guard shows that it lives, and how long after it is given up where its process is not seen.
 */
export const HEARTBEAT_MS = 5_000;
const SILENT_MS = 12 * HEARTBEAT_MS;

/** Where the restore point of a search is, in the folder of a project. */
export function restorePointPath(project: string, backend: string): string {
  return join(project, FOLDER, `${createHash("sha256").update(backend).digest("hex").slice(0, 16)}.json`);
}

/**
 * Makes a restore point, whole or not at all, which only one process can.
 *
 * @throws AdapterError `TUNING_BUSY`, `FILE_UNWRITABLE`
 */
export function makeRestorePoint(path: string, facts: Omit<RestorePoint, "owner">): RestorePoint {
  const point = { ...facts, owner: processName() };
  // By process: two may begin to tune in one folder, and one of them is told to wait.
  const draft = temporaryFor(join(facts.folder, "restore-point.json"));
  try {
    makeFolders(dirname(path));
    writePoint(draft, "w", point);
    putInPlace(draft, path, point);
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? busyError(path, facts.backend) : writeError(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
  flushFolderOf(path);
  return point;
}

/** A link, unlike a rename, fails where there is one. */
function putInPlace(draft: string, path: string, point: RestorePoint): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw error;
    // Some file systems have no links.
    writePoint(path, "wx", point);
  }
}

function writePoint(path: string, flag: "w" | "wx", point: RestorePoint): void {
  const handle = openSync(path, flag, 0o600);
  try {
    writeFileSync(handle, JSON.stringify({ ...point, inode: inodeOf(handle) }));
    fsyncSync(handle);
  } catch (error) {
    // Half of one would keep every later tuning away.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** Removes it, and its folder with the last one: every command looks whether that is there. */
export function removeRestorePoint(path: string): void {
  rmSync(path, { force: true });
  try {
    rmdirSync(dirname(path));
  } catch {
    // There are others.
  }
  flushFolderOf(path);
}

/** Shows other machines that the tuning goes on. */
export function touchRestorePoint(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

/** What there is to restore in a folder and those above it. */
export function findRestorePoints(folder: string): FoundRestorePoint[] {
  const here = join(folder, FOLDER);
  const names = existsSync(here) ? readdirSync(here).filter((name) => name.endsWith(".json")) : [];
  const above = dirname(folder);
  return [
    ...names.flatMap((name) => readRestorePoint(join(here, name)) ?? []),
    ...(above === folder ? [] : findRestorePoints(above)),
  ];
}

/** A restore point of which only the saved files are left. */
export function restorePointOf(path: string, point: RestorePoint): FoundRestorePoint {
  return { path, point, isUnderWay: isLiving(point.owner) ?? false, isGenuine: true };
}

/** Null where there is none, or one whose making was cut short, before which nothing is changed. */
export function readRestorePoint(path: string): FoundRestorePoint | null {
  let handle: number | undefined;
  try {
    handle = openSync(path, "r");
    const point = JSON.parse(readFileSync(handle, "utf8")) as RestorePoint & { readonly inode: string };
    if (!Array.isArray(point.files) || typeof point.owner !== "object") return null;
    const isLocal = isLiving(point.owner);
    const isUnderWay = isLocal ?? Date.now() - fstatSync(handle).mtimeMs < SILENT_MS;
    return { path, point, isUnderWay, isGenuine: point.inode === inodeOf(handle) };
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return null;
    // Another user's, say: it is there, and must not be taken for none.
    throw readError(path, error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function inodeOf(handle: number): string {
  return String(fstatSync(handle, { bigint: true }).ino);
}

function busyError(path: string, backend: string): AdapterError {
  const found = readRestorePoint(path);
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const { owner, since } = found?.point ?? {};
  return new AdapterError(
    "TUNING_BUSY",
    found === null
      ? `${quote(backend)} is tuned by another ` +
          `process${age > SILENT_MS ? `; delete ${path} if it is not` : ""}`
      : found.isUnderWay
        ? `${quote(backend)} is tuned by process ${owner?.pid} on ${owner?.host} since ${since}; wait for it`
        : `a tuning of ${quote(backend)} was killed, and its configuration is not restored; call ` +
          "`rankproof tune restore` first",
    { path },
  );
}
