import { closeSync, existsSync, mkdirSync, openSync, readSync, readdirSync, readFileSync, realpathSync, statSync, unlinkSync, type BigIntStats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AdapterError, InputError, isRankproofError } from "../errors.js";
import { sqljsStore, type SqljsStore, type StoreImage } from "../storage/sqljs/index.js";
import { readError, writeError } from "./file-errors.js";
import { replaceFile, temporaryPrefix } from "./replace-file.js";
import { withWriteLock } from "./write-lock.js";

/** How a store file is opened. */
export interface OpenStoreOptions {
  /** Begin a new store when there is no file yet; it is made by the first save. Without it a missing file is an error. */
  readonly create?: boolean | undefined;
  /** How long a save waits for other writers, in milliseconds. Default 10,000. */
  readonly lockTimeoutMs?: number | undefined;
}

const LOCK_TIMEOUT_MS = 10_000;

/**
 * Opens a store in an SQLite file. A save replaces the file as a whole, after everything is on the disk, under a lock that
 * other rankproof processes respect, and from the newest state of the file: a killed process loses nothing that was saved, and
 * two processes that save at once both end with their data in it.
 *
 * @throws InputError `FILE_NOT_FOUND`, `STORE_NOT_SQLITE`, `STORE_CORRUPT`, `STORE_WAL`, `STORE_SCHEMA`
 */
export async function openStore(path: string, { create = false, lockTimeoutMs = LOCK_TIMEOUT_MS }: OpenStoreOptions = {}): Promise<SqljsStore> {
  if (!create && !existsSync(path)) throw new InputError("FILE_NOT_FOUND", `${path}: no such store; import or record a run first, or make one with \`rankproof init --store ${path}\``, { path });
  return sqljsStore({ image: fileImage(path, lockTimeoutMs) });
}

function fileImage(name: string, lockTimeoutMs: number): StoreImage {
  // A rename over a symbolic link would put a file in its place.
  const path = existsSync(name) ? realpathSync(name) : resolve(name);
  let seen = NOTHING;
  return {
    name,
    load(hasLast) {
      try {
        const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
        const found = stats === undefined ? NOTHING : identity(stats);
        if (hasLast && found === seen) return "unchanged";
        seen = found;
        if (stats === undefined) return null;
        refuseOpenDatabase(path, name, "WRITE");
        return readFileSync(path);
      } catch (error) {
        throw isRankproofError(error) ? error : readError(name, error);
      }
    },
    async exclusively(work) {
      try {
        mkdirSync(dirname(path), { recursive: true });
      } catch (error) {
        throw writeError(name, error, "STORE_WRITE");
      }
      return withWriteLock(path, lockTimeoutMs, () => {
        removeTemporaries(path);
        return work();
      });
    },
    replace(bytes) {
      if (existsSync(path)) refuseOpenDatabase(path, name, "READ|WRITE");
      const now = statSync(path, { bigint: true, throwIfNoEntry: false });
      if ((now === undefined ? NOTHING : identity(now)) !== seen) {
        throw new AdapterError("STORE_LOCKED", `${name}: another program changed it in this moment; nothing was written, try again when that program is done`);
      }
      replaceFile(path, bytes, "STORE_WRITE");
      seen = identity(statSync(path, { bigint: true }));
    },
  };
}

/** The identity of a file that is not there. */
const NOTHING = "none";

/** What changes whenever anybody writes the file. */
function identity({ ino, mtimeNs, size }: BigIntStats): string {
  return `${ino}:${mtimeNs}:${size}`;
}

/** The first bytes of a rollback journal that is needed; a journal that is kept for later begins with zeros. */
const JOURNAL_MAGIC = "d9d505f920a163d7";

/**
 * Refuses a database that a program is writing to, or was killed while writing to: rows are on their way in or out of it.
 *
 * @param locks which locks of another process count: one that only reads is in the way of a writer, not of a reader.
 */
function refuseOpenDatabase(path: string, name: string, locks: "WRITE" | "READ|WRITE"): void {
  const walIsLive = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (walIsLive || firstBytes(`${path}-journal`, 8) === JOURNAL_MAGIC) {
    const suffix = walIsLive ? "-wal" : "-journal";
    throw new InputError("STORE_WAL", `${name}: a program has it open, or was killed while writing (${name}${suffix} is not empty); close that program, or open the file once with it, and try again`);
  }
  const holder = lockHolder(path, locks);
  if (holder !== undefined) throw new AdapterError("STORE_LOCKED", `${name}: process ${holder} is in the middle of a transaction; try again when it is done`, { holder });
}

/** In hexadecimal digits; empty when there is no such file. */
function firstBytes(path: string, count: number): string {
  if (!existsSync(path)) return "";
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(count);
    return bytes.toString("hex", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** The process that holds a lock of SQLite's on the file, where the system tells (Linux). A journal in memory leaves no other trace. */
function lockHolder(path: string, kinds: "WRITE" | "READ|WRITE"): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const pattern = new RegExp(` (?:${kinds}) +(-?\\d+) +(\\S+) `);
  let locks: string;
  try {
    locks = readFileSync("/proc/locks", "utf8");
  } catch {
    return undefined;
  }
  const own = String(process.pid);
  const file = `${linuxDevice(stats.dev)}:${stats.ino}`;
  return locks.split("\n").map((line) => pattern.exec(line)).find((match) => match !== null && match[2] === file && match[1] !== own)?.[1];
}

/** A device number as `/proc/locks` writes it: major and minor number in hexadecimal digits, two at least. */
function linuxDevice(dev: number): string {
  const major = (dev >> 8) & 0xfff;
  const minor = (dev & 0xff) | ((dev >> 12) & 0xfff00);
  return [major, minor].map((part) => part.toString(16).padStart(2, "0")).join(":");
}

/** Under the lock no other process writes, so every temporary file is of one that was killed. */
function removeTemporaries(path: string): void {
  const folder = dirname(path);
  const prefix = temporaryPrefix(path);
  try {
    for (const name of readdirSync(folder)) if (name.startsWith(prefix)) unlinkSync(join(folder, name));
  } catch {
    // Clearing up is no reason not to save.
  }
}
