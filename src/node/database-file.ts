import { linkSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdapterError } from "../foundation/errors/index.js";
import {
  checkColumns,
  checkLength,
  checkPages,
  createTables,
  emptyStore,
  type SqlConnection,
  type SqliteDatabase,
} from "../storage/sqlite/index.js";
import { readError, systemCode } from "../files/index.js";
import { connectionTo, inTransaction, type NodeDatabase, type NodeSqlite } from "./node-sqlite.js";
import { sqliteProblem } from "./sqlite-problem.js";
import {
  flushFolderOf,
  makeFolderFor,
  refuseReadOnly,
  removeTemporaries,
  temporaryFor,
} from "../files/index.js";
import { storeGone, type StorePlace } from "./store-place.js";
import { whenFree } from "../files/index.js";
import { withStoreLock } from "../files/index.js";

/** How long SQLite itself waits, with the process standing still, for a reader to finish before a commit. */
const BUSY_TIMEOUT_MS = 100;

/**
 * A database file that Node's own SQLite reads and writes in place, beside other SQLite programs. Each call
 * has a connection of its own, so that nothing is held between calls.
 */
export class DatabaseFile implements SqliteDatabase {
  readonly #sqlite: NodeSqlite;
  readonly #place: StorePlace;
  #isChecked = false;
  #isClosed = false;
  #wasThere: boolean;

  constructor(sqlite: NodeSqlite, place: StorePlace) {
    this.#sqlite = sqlite;
    this.#place = place;
    this.#wasThere = place.wasThere === true;
  }

  get name(): string {
    return this.#place.name;
  }

  async read<T>(look: (db: SqlConnection) => T): Promise<T> {
    return this.#reading((db) => {
      db.exec("PRAGMA query_only = 1; BEGIN");
      this.#check(connectionTo(db));
      return look(connectionTo(db));
    });
  }

  async bytes(): Promise<Uint8Array> {
    const folder = this.#explainProblems("read", () => mkdtempSync(join(tmpdir(), "rankproof-copy-")));
    const copy = join(folder, "copy.sqlite");
    try {
      return await this.#reading((db) => {
        db.exec("BEGIN");
        this.#check(connectionTo(db));
        db.exec("COMMIT");
        db.prepare("VACUUM INTO ?").run(copy);
        return readFileSync(copy);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async write<T>(change: (db: SqlConnection) => T): Promise<T> {
    this.#open();
    const { path, name, lockTimeoutMs } = this.#place;
    // What is gone is to be put back where it was: no folder of its name may be there.
    this.#explainProblems("write", () => this.#exists());
    makeFolderFor(path, name);
    return withStoreLock(path, lockTimeoutMs, () => {
      removeTemporaries(path);
      return this.#explainProblems("write", () =>
        this.#exists() ? this.#changeInPlace(change) : this.#create(change),
      );
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  #open(): void {
    if (this.#isClosed)
      throw new AdapterError("STORE_CLOSED", `${this.name}: the store is closed; open a new one`);
  }

  async #reading<T>(look: (db: NodeDatabase) => T): Promise<T> {
    this.#open();
    const { path, lockTimeoutMs } = this.#place;
    return whenFree(lockTimeoutMs, () =>
      this.#explainProblems("read", () => {
        if (this.#exists()) return this.#withConnection(path, look);
        return this.#withConnection(":memory:", (db) => {
          createTables(connectionTo(db));
          return look(db);
        });
      }),
    );
  }

  #exists(): boolean {
    const stats = statSync(this.#place.path, { throwIfNoEntry: false });
    if (stats === undefined) {
      if (this.#wasThere) throw storeGone(this.#place, "store");
      return false;
    }
    this.#wasThere = true;
    if (!stats.isFile())
      throw readError(this.name, Object.assign(new Error("not a file"), { code: "EISDIR" }));
    if (stats.size === 0) throw emptyStore(this.name);
    return true;
  }

  /** Within a transaction, which keeps others from writing. */
  #check(db: SqlConnection): void {
    checkColumns(db, this.name);
    if (this.#exists()) checkLength(db, () => statSync(this.#place.path).size, this.name);
  }

  #changeInPlace<T>(change: (db: SqlConnection) => T): T {
    refuseReadOnly(this.#place.path);
    return this.#withConnection(this.#place.path, (db) => {
      const connection = connectionTo(db);
      // Also keeps others from writing between the check and the change.
      return inTransaction(db, "BEGIN IMMEDIATE", () => {
        this.#check(connection);
        if (!this.#isChecked) checkPages(connection, this.name);
        this.#isChecked = true;
        return change(connection);
      });
    });
  }

  /** Makes the file beside its place, so that it is there with everything in it or not at all. */
  #create<T>(change: (db: SqlConnection) => T): T {
    const { path } = this.#place;
    const temporary = temporaryFor(path);
    try {
      const outcome = this.#withConnection(temporary, (db) => {
        const connection = connectionTo(db);
        return inTransaction(db, "BEGIN", () => {
          createTables(connection);
          return change(connection);
        });
      });
      this.#putInPlace(temporary);
      this.#wasThere = true;
      flushFolderOf(path);
      return outcome;
    } finally {
      removeTemporaries(path);
    }
  }

  /** A link, unlike a rename, fails where another program has made a file meanwhile. */
  #putInPlace(temporary: string): void {
    const { path } = this.#place;
    try {
      linkSync(temporary, path);
      unlinkSync(temporary);
    } catch (error) {
      if (systemCode(error) === "EEXIST")
        throw new AdapterError(
          "STORE_LOCKED",
          `${this.name}: another program made it in this moment; try again`,
        );
      // Some file systems have no links.
      renameSync(temporary, path);
    }
  }

  #withConnection<T>(path: string, work: (db: NodeDatabase) => T): T {
    // As sql.js is set, so that a database means the same in both.
    const db = new this.#sqlite.DatabaseSync(path, {
      enableForeignKeyConstraints: false,
      enableDoubleQuotedStringLiterals: true,
    });
    try {
      db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      return work(db);
    } finally {
      db.close();
    }
  }

  #explainProblems<T>(what: "read" | "write", work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteProblem(what, this.#place, error);
    }
  }
}
