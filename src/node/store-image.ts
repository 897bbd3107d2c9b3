import { readFileSync, statSync, type BigIntStats } from "node:fs";
import { AdapterError, isRankproofError } from "../foundation/errors/index.js";
import type { StoreImage } from "../storage/sqljs/index.js";
import { refuseBusyDatabase } from "./busy-database.js";
import { readError } from "../files/index.js";
import { makeFolderFor, removeTemporaries, replaceFile } from "../files/index.js";
import type { StorePlace } from "./store-place.js";
import { whenFree } from "../files/index.js";
import { withStoreLock } from "../files/index.js";

/** A database file that is read and replaced as a whole. */
export function storeImage({ name, path, lockTimeoutMs }: StorePlace): StoreImage {
  let seen = NOTHING;
  const refuseChanged = (): void => {
    if (identityOf(path) !== seen)
      throw new AdapterError(
        "STORE_LOCKED",
        `${name}: another program keeps changing it; nothing was written, try again when that ` +
          "program is done",
      );
  };
  return {
    name,
    load(hasLast) {
      try {
        const found = identityOf(path);
        if (hasLast && found === seen) return "unchanged";
        seen = found;
        if (found === NOTHING) return null;
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
      makeFolderFor(path, name);
      return withStoreLock(path, lockTimeoutMs, () => {
        removeTemporaries(path);
        return work();
      });
    },
    replace(bytes) {
      // Writing the copy takes as long as the disk needs, so what others committed meanwhile is looked for
      // after it.
      replaceFile(path, bytes, "STORE_WRITE", () => {
        if (seen !== NOTHING) refuseBusyDatabase(path, name, "READ|WRITE");
        refuseChanged();
      });
      seen = identityOf(path);
    },
  };
}

/** The identity of a file that is not there, and of one that could not be read. */
const NOTHING = "none";
const UNKNOWN = "unknown";

/** What changes whenever anybody writes the file. */
function identityOf(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? NOTHING : `${stats.ino}:${stats.mtimeNs}:${stats.size}`;
}
