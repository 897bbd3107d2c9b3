import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { AdapterError, InputError } from "../foundation/errors/index.js";

/**
 * The first bytes of a rollback journal that is needed; a journal that is kept for later begins with zeros.
 */
const JOURNAL_MAGIC = "d9d505f920a163d7";

/**
 * The bytes that are zeros when a journal is kept for later. One that has begun and is not on the disk yet
 * has zeros in place of the first words only.
 */
const JOURNAL_HEADER = 28;

/** A transaction that is older and still not on the disk was killed: SQLite would not look at its journal. */
const YOUNG_MS = 60_000;

/**
 * Refuses a database that a program is writing to, or was killed while writing to: rows are on their way in
 * or out of it.
 *
 * @param locks which locks of another process count: one that only reads is in the way of a writer, not of a
 * reader.
 * @throws AdapterError `STORE_LOCKED`
 * @throws InputError `STORE_WAL`
 */
export function refuseBusyDatabase(path: string, name: string, locks: "WRITE" | "READ|WRITE"): void {
  const holder = lockHolder(path, locks);
  if (holder !== undefined)
    throw new AdapterError(
      "STORE_LOCKED",
      `${name}: process ${holder} is in the middle of a transaction; try again when it is done`,
      { holder },
    );
  const walIsLive = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const journal = firstBytes(`${path}-journal`, JOURNAL_HEADER);
  const isBegun = locks === "READ|WRITE" && /[^0]/.test(journal) && isYoung(`${path}-journal`);
  if (walIsLive || journal.startsWith(JOURNAL_MAGIC) || isBegun) {
    const suffix = walIsLive ? "-wal" : "-journal";
    throw new InputError(
      "STORE_WAL",
      `${name}: a program has it open, or was killed while writing (${name}${suffix} is not ` +
        "empty); close that program, or open the file once with it, and try again",
      { mayPass: !walIsLive },
    );
  }
}

function isYoung(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < YOUNG_MS;
}

/** The first bytes of a file in hexadecimal digits; empty when there is no such file. */
export function firstBytes(path: string, count: number): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return "";
  }
  try {
    const bytes = Buffer.alloc(count);
    return bytes.toString("hex", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/**
 * The process that holds a lock of SQLite's on the file, where the system tells (Linux). A journal in memory
 * leaves no other trace.
 */
export function lockHolder(path: string, kinds: "WRITE" | "READ|WRITE"): string | undefined {
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
  return locks
    .split("\n")
    .map((line) => pattern.exec(line))
    .find((match) => match !== null && match[2] === file && match[1] !== own)?.[1];
}

/** A device number as `/proc/locks` writes it: major and minor number in hexadecimal digits, two at least. */
function linuxDevice(dev: number): string {
  const major = (dev >> 8) & 0xfff;
  const minor = (dev & 0xff) | ((dev >> 12) & 0xfff00);
  return [major, minor].map((part) => part.toString(16).padStart(2, "0")).join(":");
}
