import { AdapterError, isRankproofError } from "../foundation/errors/index.js";
import { readError, systemCode, writeError } from "../files/index.js";
import { corruptStore, notSqlite, sqliteRefusal } from "../storage/sqlite/index.js";
import { lockHolder } from "./busy-database.js";
import type { StorePlace } from "./store-place.js";

/** SQLite's own errors, named by what they mean here (https://www.sqlite.org/rescode.html). */
export function sqliteProblem(what: "read" | "write", { name, path }: StorePlace, error: unknown): unknown {
  if (!(error instanceof Error) || isRankproofError(error)) return error;
  const fileError = (why?: string): Error =>
    what === "read" ? readError(name, error, why) : writeError(name, error, "STORE_WRITE", why);
  if (!isSqliteError(error)) return isSystemError(error) ? fileError() : error;
  // The low byte is the kind, the others are its variety.
  const kind = error.errcode & 0xff;
  const why = FILE_PROBLEMS.get(kind);
  if (why !== undefined) return fileError(why);
  switch (kind) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: {
      const holder = lockHolder(path, "READ|WRITE");
      return new AdapterError(
        "STORE_LOCKED",
        `${name}: ${holder === undefined ? "another program" : `process ${holder}`} is in the ` +
          "middle of a transaction; try again when it is done",
        { holder },
        error,
      );
    }
    case SQLITE_NOTADB:
      return notSqlite(name, error);
    case SQLITE_CORRUPT:
      return corruptStore(name, error.message, error);
    default:
      return sqliteRefusal(name, error);
  }
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** What the system refused to SQLite, by the kind of its error. */
const FILE_PROBLEMS = new Map([
  [8, "permission is missing"],
  [10, "the system failed to read or write, as on a full disk"],
  [13, "no space is left"],
  [14, "it, or the journal that SQLite writes beside it, cannot be opened; is permission missing?"],
]);

function isSqliteError(error: Error): error is Error & { readonly errcode: number } {
  return "errcode" in error && typeof error.errcode === "number";
}

/** Codes of the system are like `EACCES`, those of Node's own complaints like `ERR_INVALID_ARG_TYPE`. */
function isSystemError(error: Error): boolean {
  return !(systemCode(error) ?? "ERR_").startsWith("ERR_");
}
