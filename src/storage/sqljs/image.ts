import { SQLITE_HEAD } from "../../foundation/checks/index.js";
import { InputError } from "../../foundation/errors/index.js";
import { emptyStore, notSqlite, truncatedStore } from "../sqlite/check-database.js";

/** Where the bytes of a database are kept between calls: a file, for example. */
export interface StoreImage {
  /** As messages name it: a file's path. */
  readonly name: string;
  /**
   * The newest bytes, or null when there are none yet. `"unchanged"` only if the caller `hasLast`, what was
   * last loaded or replaced, and the bytes have not changed since.
   */
  load(hasLast: boolean): Uint8Array | null | "unchanged";
  /** Runs `work`, which loads; again later where `load` throws because another process is writing. */
  shared<T>(work: () => T): Promise<T>;
  /**
   * Runs `work`, which loads and replaces, while no other process can replace the bytes; it runs again later
   * as in `shared`. `work` is synchronous.
   */
  exclusively<T>(work: () => T): Promise<T>;
  /** Puts new bytes in place of the old ones, wholly or not at all. Only called inside `exclusively`. */
  replace(bytes: Uint8Array): void;
}

const HEADER_BYTES = 100;
/** Values of the header's format bytes: 1 = rollback journal, 2 = write-ahead log. */
const WAL_FORMAT = 2;

/**
 * Refuses bytes that are not a whole SQLite database, by the header, which sql.js does not look at closely.
 * (https://www.sqlite.org/fileformat2.html, section 1.3)
 */
export function checkImage(bytes: Uint8Array, name: string): void {
  if (bytes.length === 0) throw emptyStore(name);
  const head = String.fromCharCode(...bytes.subarray(0, SQLITE_HEAD.length));
  if (head !== SQLITE_HEAD.slice(0, head.length)) throw notSqlite(name);
  if (bytes.length < HEADER_BYTES)
    throw new InputError(
      "STORE_CORRUPT",
      `${name}: is truncated (${bytes.length} bytes, less than a header); restore it from a copy`,
    );
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  if (header.getUint8(18) === WAL_FORMAT || header.getUint8(19) === WAL_FORMAT) {
    throw new InputError(
      "STORE_WAL",
      `${name}: is in WAL mode, where the newest rows may be in another file; run \`PRAGMA ` +
        "journal_mode=DELETE` with the program that owns it, or give a copy made by `VACUUM INTO`",
    );
  }
  const declaredPageSize = header.getUint16(16);
  const pageSize = declaredPageSize === 1 ? 65_536 : declaredPageSize;
  const pages = header.getUint32(28);
  const pagesAreValid = header.getUint32(24) === header.getUint32(92);
  if (pagesAreValid && pages * pageSize > bytes.length)
    throw truncatedStore(name, bytes.length, pages * pageSize);
}
