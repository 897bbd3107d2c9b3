import { closeSync, openSync, readFileSync, statSync, unlinkSync, utimesSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { AdapterError } from "../foundation/errors/index.js";
import { systemCode, writeError } from "./file-errors.js";
import { isAlive, isLiving, processName, type ProcessName } from "./living-process.js";
import { whenFree } from "./when-free.js";

/** A process; version 0.1 does not say when it began. */
type Holder = Omit<ProcessName, "began"> & Partial<ProcessName>;

/** How long a process may take between making its lock file and writing its number into it. */
const UNSIGNED_LOCK_MS = 5_000;
/** How often a lock that is held across other work is touched, and how old one is that nobody touches. */
const [TOUCH_MS, UNTOUCHED_MS] = [10_000, 120_000];

/** Not `.lock`, which another engine of SQLite uses for a folder. */
const LOCK = ".rankproof-lock";
/** What version 0.1 looks for. */
const LOCK_OF_0_1 = ".lock";

/**
 * Runs `work` while this process holds `path.rankproof-lock`, so that no other process that
 * takes it writes to `path`. The lock of a process that no longer lives is taken over. Where `work` throws
 * `STORE_LOCKED`, it runs again later.
 *
 * @param work synchronous, so that the lock is held for as short as possible.
 * @throws AdapterError `STORE_LOCKED` when the file is not free for longer than `timeoutMs`.
 */
export function withWriteLock<T>(path: string, timeoutMs: number, work: () => T): Promise<T> {
  return withLocks([LOCK], path, timeoutMs, work);
}

/** As {@link withWriteLock}, for a file that version 0.1 may write at the same time. */
export function withStoreLock<T>(path: string, timeoutMs: number, work: () => T): Promise<T> {
  return withLocks([LOCK, LOCK_OF_0_1], path, timeoutMs, work);
}

function withLocks<T>(
  suffixes: readonly string[],
  path: string,
  timeoutMs: number,
  work: () => T,
): Promise<T> {
  return whenFree(timeoutMs, () => {
    const held: string[] = [];
    try {
      for (const suffix of suffixes) {
        const lock = `${path}${suffix}`;
        if (!takeLock(lock, path) && !(takeOver(lock) && takeLock(lock, path)))
          throw lockError(lock, path, timeoutMs);
        held.push(lock);
      }
      return work();
    } finally {
      for (const lock of held.reverse()) removeFile(lock);
    }
  });
}

/**
 * Holds `lock` until it is given back, across other work: the function that does so, or undefined while
 * another process holds it. What a process that no longer lives held is taken over.
 *
 * @param fromElsewhere also what a process of another machine held that has not touched it for a while.
 */
export function holdLock(lock: string, fromElsewhere = false): (() => void) | undefined {
  const isHeld = takeLock(lock, lock) || (takeOver(lock, fromElsewhere) && takeLock(lock, lock));
  if (!isHeld) return undefined;
  const own = textOf(lock);
  // Others may have taken over that of a process that slept.
  const isOwn = (): boolean => textOf(lock) === own;
  const touching = setInterval(() => isOwn() && touch(lock), TOUCH_MS).unref();
  return () => {
    clearInterval(touching);
    if (isOwn()) removeFile(lock);
  };
}

function textOf(lock: string): string | undefined {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return undefined;
  }
}

/** Tells those who cannot see this process that it lives. */
function touch(lock: string): void {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Removed by hand.
  }
}

/** Whether nobody holds a lock who would have touched it. */
function isUntouched(lock: string): boolean {
  const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return touched !== undefined && Date.now() - touched > UNTOUCHED_MS;
}

function takeOver(lock: string, fromElsewhere = false): boolean {
  return isAbandoned(lock, fromElsewhere) && removeAbandoned(lock, fromElsewhere);
}

/** Makes the lock file, which only one process can. */
function takeLock(lock: string, path: string): boolean {
  let file: number;
  try {
    file = openSync(lock, "wx");
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw writeError(path, error, "STORE_WRITE");
  }
  try {
    writeSync(file, JSON.stringify(processName()));
  } catch (error) {
    removeFile(lock);
    throw writeError(path, error, "STORE_WRITE");
  } finally {
    closeSync(file);
  }
  return true;
}

/** Who holds the lock, null when its file is gone, undefined when it is not signed. */
function holderOf(lock: string): Holder | null | undefined {
  try {
    return JSON.parse(readFileSync(lock, "utf8")) as Holder;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return null;
    // A lock that cannot be read belongs to another process and is not removed.
    return code === undefined ? undefined : { pid: 0, host: "an unknown host" };
  }
}

function isAbandoned(lock: string, fromElsewhere: boolean): boolean {
  const holder = holderOf(lock);
  if (holder === null) return false;
  if (holder === undefined) {
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    return made !== undefined && Date.now() - made > UNSIGNED_LOCK_MS;
  }
  const { pid, host, began } = holder;
  const isHere = host === hostname();
  if (began === undefined) return isHere && !isAlive(pid);
  const isAliveHere = isLiving({ ...holder, began });
  if (isAliveHere !== undefined) return !isAliveHere;
  // Another container of this machine has its clock.
  return (isHere || fromElsewhere) && isUntouched(lock);
}

/**
 * Removes the lock of a dead process. Between looking and removing, another process may have done the same
 * and hold a lock of its own; so removing one takes a second lock, under which the first
 * one is looked at again.
 */
function removeAbandoned(lock: string, fromElsewhere: boolean): boolean {
  const removal = `${lock}.removal`;
  try {
    closeSync(openSync(removal, "wx"));
  } catch {
    const made = statSync(removal, { throwIfNoEntry: false })?.mtimeMs;
    // Held for microseconds; one this old is of a process killed right there.
    if (made !== undefined && Date.now() - made > UNSIGNED_LOCK_MS) removeFile(removal);
    return false;
  }
  try {
    if (isAbandoned(lock, fromElsewhere)) removeFile(lock);
    return true;
  } finally {
    removeFile(removal);
  }
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already.
  }
}

/** Who holds a lock, in words. */
export function lockHolder(lock: string): string {
  const holder = holderOf(lock);
  return holder == null ? "another process" : `process ${holder.pid} on ${holder.host}`;
}

function lockError(lock: string, path: string, timeoutMs: number): AdapterError {
  return new AdapterError(
    "STORE_LOCKED",
    `${path}: ${lockHolder(lock)} is writing to it and did not finish within ${timeoutMs / 1000} s; try ` +
      `again, or delete ${lock} if that process is gone`,
    { lock },
  );
}
