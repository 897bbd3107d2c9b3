import type { Database, SqlJsStatic } from "sql.js";
import { AdapterError, InputError } from "../../foundation/errors/index.js";
import {
  checkColumns,
  checkPages,
  corruptStore,
  notSqlite,
  sqliteRefusal,
} from "../sqlite/check-database.js";
import { createTables } from "../sqlite/tables.js";
import { type SqlConnection } from "../sqlite/connection.js";
import { type SqliteDatabase } from "../sqlite/sqlite-store.js";
import { checkImage, type StoreImage } from "./image.js";
import { sqljsConnection } from "./sqljs-connection.js";

/** A save copies the database three times; far beyond this it takes minutes and gigabytes before it fails. */
const MAX_STORE_BYTES = 2 ** 28;

/** The database in memory, and the image that it is loaded from and kept in, if there is one. */
export class LiveDatabase implements SqliteDatabase {
  readonly #sql: SqlJsStatic;
  readonly #image: StoreImage | undefined;
  readonly #bytes: Uint8Array | undefined;
  readonly #maxBytes: number;
  #db: Database | null = null;
  #isChecked = false;
  #isClosed = false;

  /**
   * @param bytes what to begin with where there is no image.
   * @param maxBytes most bytes after a save.
   */
  constructor(
    sql: SqlJsStatic,
    image: StoreImage | undefined,
    bytes: Uint8Array | undefined,
    maxBytes = MAX_STORE_BYTES,
  ) {
    this.#maxBytes = maxBytes;
    this.#sql = sql;
    this.#image = image;
    this.#bytes = bytes;
  }

  get name(): string {
    return this.#image?.name ?? "database";
  }

  async read<T>(look: (db: SqlConnection) => T): Promise<T> {
    return this.#reading((db) => look(sqljsConnection(db)));
  }

  async bytes(): Promise<Uint8Array> {
    return this.#reading((db) => db.export());
  }

  /** When anything fails, both memory and image stay as they were. */
  async write<T>(change: (db: SqlConnection) => T): Promise<T> {
    this.#open();
    const image = this.#image;
    if (image === undefined) return this.#explainProblems(() => this.#change(change));
    return image.exclusively(() =>
      this.#explainProblems(() => {
        const outcome = this.#change(change);
        try {
          image.replace((this.#db as Database).export());
        } catch (error) {
          // Memory is ahead of the image now; the next call loads it again.
          this.#discard();
          throw error;
        }
        return outcome;
      }),
    );
  }

  async #reading<T>(look: (db: Database) => T): Promise<T> {
    this.#open();
    const work = (): T => this.#explainProblems(() => look(this.#current()));
    return this.#image === undefined ? work() : this.#image.shared(work);
  }

  #change<T>(change: (db: SqlConnection) => T): T {
    const current = this.#current();
    const db = sqljsConnection(current, this.#room(sqljsConnection(current)));
    if (!this.#isChecked) checkPages(db, this.name);
    this.#isChecked = true;
    db.exec("BEGIN");
    try {
      const outcome = change(db);
      db.exec("COMMIT");
      return outcome;
    } catch (error) {
      try {
        db.exec("ROLLBACK");
      } catch {
        // SQLite has rolled back by itself; the first error says why.
      }
      throw error;
    }
  }

  /** Says that there is too much before minutes have gone into copies of it. */
  #room(db: SqlConnection): (bytes: number) => void {
    const size = (pragma: string): number => Number(db.rows(`PRAGMA ${pragma}`)[0]?.[pragma]);
    let bytes = size("page_count") * size("page_size");
    return (more) => {
      bytes += more;
      if (bytes > this.#maxBytes) {
        throw new InputError(
          "STORE_TOO_LARGE",
          `${this.name}: would be larger than ${this.#maxBytes / 2 ** 20} MiB, the most that is ` +
            "kept in memory and written as a whole (good are up to 200 MB); keep this run as a JSONL " +
            "file, or use Node 22.13 or later, which writes stores in place",
          { limit: this.#maxBytes },
        );
      }
    };
  }

  #open(): void {
    if (this.#isClosed)
      throw new AdapterError("STORE_CLOSED", `${this.name}: the store is closed; open a new one`);
  }

  #current(): Database {
    this.#open();
    const loaded =
      this.#image === undefined
        ? this.#db === null
          ? (this.#bytes ?? null)
          : "unchanged"
        : this.#image.load(this.#db !== null);
    if (loaded === "unchanged") return this.#db as Database;
    this.#discard();
    if (loaded === null) {
      this.#db = new this.#sql.Database();
      createTables(sqljsConnection(this.#db));
      return this.#db;
    }
    checkImage(loaded, this.name);
    const db = new this.#sql.Database(loaded);
    checkColumns(sqljsConnection(db), this.name);
    this.#db = db;
    return db;
  }

  #discard(): void {
    this.#db?.close();
    this.#db = null;
    this.#isChecked = false;
  }

  /** SQLite's own errors, named by what they mean here. */
  #explainProblems<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      // sql.js throws bare errors with SQLite's words; errors of other classes, or with a code of the system,
      // are not SQLite's.
      if (!(error instanceof Error) || Object.getPrototypeOf(error) !== Error.prototype || "code" in error)
        throw error;
      if (error.message.includes("file is not a database")) throw notSqlite(this.name, error);
      throw /malformed|corrupt/.test(error.message)
        ? corruptStore(this.name, error.message, error)
        : sqliteRefusal(this.name, error);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#discard();
  }
}
