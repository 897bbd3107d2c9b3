import { linkSync, readFileSync, renameSync, rmSync, statSync, type BigIntStats } from "node:fs";
import { AdapterError, InputError, isRankproofError } from "../foundation/errors/index.js";
import type { StoreImage } from "../storage/sqljs/index.js";
import {
  makeFolderFor,
  readError,
  removeTemporaries,
  replaceFile,
  temporaryFor,
  whenFree,
  withStoreLock,
} from "../files/index.js";
import { firstBytes, lockHolder, refuseBusyDatabase } from "./busy-database.js";
import { storeGone, type StorePlace } from "./store-place.js";

/** A database file that is read and replaced as a whole. */
export function storeImage(place: StorePlace): StoreImage {
  const { name, path, lockTimeoutMs } = place;
  let seen = NOTHING;
  let wasThere = place.wasThere === true;
  const isChanged = (): AdapterError =>
    new AdapterError(
      "STORE_LOCKED",
      `${name}: another program keeps changing it; nothing was written, try again when that ` +
        "program is done",
    );
  const refuseChanged = (): void => {
    if (identityOf(path) !== seen) throw isChanged();
  };
  return {
    name,
    load(hasLast) {
      try {
        const found = identityOf(path);
        if (hasLast && found === seen) return "unchanged";
        if (found === NOTHING && wasThere) throw storeGone(place, "store");
        seen = found;
        if (found === NOTHING) return null;
        wasThere = true;
        refuseTooLarge(path, name);
        refuseBusyDatabase(path, name, "WRITE");
        const bytes = readFileSync(path);
        // A transaction that began and ended in between has torn what was read.
        refuseBusyDatabase(path, name, "WRITE");
        refuseChanged();
        return bytes;
      } catch (error) {
        seen = UNKNOWN;
        throw isRankproofError(error) ? error : readError(name, error);
      }
    },
    shared: (work) => whenFree(lockTimeoutMs, work),
    async exclusively(work) {
      // What is gone is to be put back where it was: no folder of its name may be there.
      if (wasThere && identityOf(path) === NOTHING) throw storeGone(place, "store");
      makeFolderFor(path, name);
      return withStoreLock(path, lockTimeoutMs, () => {
        removeTemporaries(path);
        return work();
      });
    },
    replace(bytes) {
      const former = seen === NOTHING ? undefined : keepFormer(path);
      let made = UNKNOWN;
      try {
        replaceFile(path, bytes, "STORE_WRITE", {
          // Writing the copy takes as long as the disk needs, so what others committed meanwhile is looked
          // for after it.
          before(temporary) {
            if (seen !== NOTHING) refuseBusyDatabase(path, name, "READ|WRITE");
            refuseChanged();
            // Not after the rename: from then on others write to it.
            made = identityOf(temporary);
          },
          after() {
            if (former === undefined || !isInUse(former, seen)) return;
            renameSync(former, path);
            throw isChanged();
          },
        });
      } finally {
        if (former !== undefined) rmSync(former, { force: true });
      }
      seen = made;
      wasThere = true;
    },
  };
}

/**
 * A second name for the file that is about to be replaced, under which it can be put back; undefined where
 * the file system has no links.
 */
function keepFormer(path: string): string | undefined {
  const former = `${temporaryFor(path)}-former`;
  try {
    linkSync(path, former);
    return former;
  } catch {
    return undefined;
  }
}

/**
 * Whether a program has begun to write a file, or has written it, before the file was replaced. A program
 * that begins later is told by SQLite that the file is no longer in its place. The lock is looked at first:
 * when it is gone, what was written under it is there to see.
 */
function isInUse(former: string, seen: string): boolean {
  return lockHolder(former, "WRITE") !== undefined || identityOf(former) !== seen;
}

/** What is read in one piece, and worked on in memory. */
const MOST_BYTES = 2 ** 31 - 1;

function refuseTooLarge(path: string, name: string): void {
  const { size } = statSync(path);
  if (size > MOST_BYTES)
    throw new InputError(
      "STORE_TOO_LARGE",
      `${name}: has ${(size / 1e9).toFixed(1)} GB, and this Node reads a store of at most ` +
        `${(MOST_BYTES / 1e9).toFixed(1)} GB; use Node 22.13 or later, which has its own SQLite`,
      { size },
    );
}

/** The identity of a file that is not there, and of one that could not be read. */
const NOTHING = "none";
const UNKNOWN = "unknown";

/** Where SQLite counts the transactions that have changed the file, at the beginning of its header. */
const CHANGE_COUNTER_END = 28;

/** What changes whenever anybody writes the file, however quickly: the clock of a file system has ticks. */
function identityOf(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return NOTHING;
  const counter = firstBytes(path, CHANGE_COUNTER_END).slice(-8);
  return `${stats.ino}:${stats.mtimeNs}:${stats.size}:${counter}`;
}
