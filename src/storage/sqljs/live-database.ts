import type { Database, SqlJsStatic } from "sql.js";
import { AdapterError, InputError, shown } from "../../errors.js";
import { checkImage, type StoreImage } from "./image.js";
import { rows } from "./rows.js";
import { APPLICATION_ID, CORPUS_TABLES, REQUIRED_COLUMNS, RUN_TABLES } from "./tables.js";

/** The database in memory, and the image that it is loaded from and kept in, if there is one. */
export class LiveDatabase {
  readonly #sql: SqlJsStatic;
  readonly #image: StoreImage | undefined;
  readonly #bytes: Uint8Array | undefined;
  #db: Database | null = null;
  #isChecked = false;
  #isClosed = false;

  /** @param bytes what to begin with where there is no image. */
  constructor(sql: SqlJsStatic, image: StoreImage | undefined, bytes: Uint8Array | undefined) {
    this.#sql = sql;
    this.#image = image;
    this.#bytes = bytes;
  }

  /** As messages name it. */
  get name(): string {
    return this.#image?.name ?? "database";
  }

  /** Runs `look` on the newest state of the database. */
  read<T>(look: (db: Database) => T): T {
    return this.#explained(() => look(this.#current()));
  }

  /** Runs `change` in one transaction on the newest state; when anything fails, both memory and image stay as they were. */
  async write<T>(change: (db: Database) => T): Promise<T> {
    this.#open();
    const image = this.#image;
    if (image === undefined) return this.#explained(() => this.#changed(change));
    return image.exclusively(() =>
      this.#explained(() => {
        const outcome = this.#changed(change);
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

  #changed<T>(change: (db: Database) => T): T {
    const db = this.#current();
    this.#checkPages(db);
    db.run("BEGIN");
    try {
      const outcome = change(db);
      db.run("COMMIT");
      return outcome;
    } catch (error) {
      try {
        db.run("ROLLBACK");
      } catch {
        // SQLite has rolled back by itself; the first error says why.
      }
      throw error;
    }
  }

  #open(): void {
    if (this.#isClosed) throw new AdapterError("STORE_CLOSED", `${this.name}: the store is closed; open a new one`);
  }

  #current(): Database {
    this.#open();
    const loaded = this.#image === undefined ? (this.#db === null ? (this.#bytes ?? null) : "unchanged") : this.#image.load(this.#db !== null);
    if (loaded === "unchanged") return this.#db as Database;
    this.#discard();
    if (loaded === null) {
      this.#db = new this.#sql.Database();
      this.#db.exec(`PRAGMA application_id = ${APPLICATION_ID}; ${RUN_TABLES} ${CORPUS_TABLES}`);
      return this.#db;
    }
    checkImage(loaded, this.name);
    const db = new this.#sql.Database(loaded);
    this.#checkColumns(db);
    this.#db = db;
    return db;
  }

  #discard(): void {
    this.#db?.close();
    this.#db = null;
    this.#isChecked = false;
  }

  #checkColumns(db: Database): void {
    for (const [table, required] of REQUIRED_COLUMNS) {
      const columns = new Set(rows(db, "SELECT name FROM pragma_table_info(?)", [table]).map((row) => String(row["name"])));
      const missing = columns.size === 0 ? [] : required.filter((column) => !columns.has(column));
      if (missing.length > 0) throw new InputError("STORE_SCHEMA", `${this.name}: table ${table} has no column ${missing.map(shown).join(", ")}; the database is of another kind`);
    }
  }

  /** A damaged database must not be written back: the damage could spread over the last good rows. */
  #checkPages(db: Database): void {
    if (this.#isChecked) return;
    // A row against a constraint of its own table is the owner's business, and no damage.
    const finding = rows(db, "PRAGMA quick_check").map((row) => String(row["quick_check"])).find((text) => !/^ok$|CHECK constraint|NULL value in|non-unique/.test(text));
    if (finding !== undefined) throw new InputError("STORE_CORRUPT", `${this.name}: is damaged (${finding}); it was left as it is, restore it from a copy`);
    this.#isChecked = true;
  }

  /** SQLite's own errors, named by what they mean here. */
  #explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      // sql.js throws bare errors with SQLite's words; errors of other classes, or with a code of the system, are not SQLite's.
      if (!(error instanceof Error) || Object.getPrototypeOf(error) !== Error.prototype || "code" in error) throw error;
      const { message } = error;
      if (message.includes("file is not a database")) throw new InputError("STORE_NOT_SQLITE", `${this.name}: is not an SQLite database; give the path of a store, or of a new file`, {}, error);
      if (/malformed|corrupt/.test(message)) throw new InputError("STORE_CORRUPT", `${this.name}: is damaged (${message}); it was left as it is, restore it from a copy`, {}, error);
      throw new InputError("STORE_SCHEMA", `${this.name}: SQLite refuses: ${message}; the tables were made in a way that cannot be used here, and nothing was written`, {}, error);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#discard();
  }
}
