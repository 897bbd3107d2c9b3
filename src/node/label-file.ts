import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { AdapterError, InputError } from "../foundation/errors/index.js";
import {
  holdLock,
  makeFolderFor,
  refuseReadOnly,
  temporaryFor,
  whenFree,
  withWriteLock,
} from "../files/index.js";
import {
  checkLength,
  checkOpening,
  checkPages,
  corruptStore,
  escapedTexts,
  type SqlConnection,
} from "../storage/sqlite/index.js";
import { memoryLabelStore, type LabelStore } from "../storage/index.js";
import {
  backUpSuffix,
  migrateLabels,
  sqliteLabelStore,
  type LabelDatabase,
  type LabelMigration,
} from "../storage/labels/index.js";
import { DatabaseCopy, isReadOnly } from "./database-copy.js";
import { inTransaction, nodeEngine, type SqliteEngine } from "./node-sqlite.js";
import type { OpenStoreOptions } from "./store-file.js";
import { sqliteProblem } from "./sqlite-problem.js";
import { isPostgresUrl } from "./store-name.js";
import { storeGone, storePath, type StorePlace } from "./store-place.js";

const LOCK_TIMEOUT_MS = 10_000;

/**
 * Opens a label store in PostgreSQL, where the name is a `postgresql://` address, or in an SQLite file, which
 * is written in place: by Node's own SQLite where there is one (from Node 22.13), else by
 * `node-sqlite3-wasm`. Every call is a transaction of its own under the file's `.rankproof-lock`, which both
 * take, but for `find` without a query or for several, which takes many, so that others get at the file in
 * between; a process that is killed loses nothing that was added. No other program may write to the file: the
 * locks of `node-sqlite3-wasm` are seen by none.
 *
 * @throws InputError `FILE_NOT_FOUND`, `STORE_NOT_SQLITE`, `STORE_CORRUPT`, `STORE_SCHEMA`
 * @throws AdapterError `STORE_LOCKED` when another process uses the file for longer than `lockTimeoutMs`
 */
export async function openLabelStore(name: string, options: OpenStoreOptions = {}): Promise<LabelStore> {
  const { create = false, lockTimeoutMs = LOCK_TIMEOUT_MS } = checkOpening(options);
  if (name === ":memory:") return memoryLabelStore();
  if (isPostgresUrl(name))
    return (await import("../storage/postgres/index.js")).postgresLabelStore({
      url: name,
      create,
      lockTimeoutMs,
    });
  return sqliteLabelStore(await labelFile(name, { create, lockTimeoutMs }));
}

/**
 * Brings the file of a label store up to date, and keeps a copy of it as it was: `FILE.v1.bak`. Whatever
 * writes to an older file does it, too.
 *
 * @returns the versions, and the name of the copy; undefined where there is nothing to do.
 * @throws InputError as {@link openLabelStore}
 */
export async function migrateLabelFile(
  name: string,
  { isDryRun = false }: { readonly isDryRun?: boolean | undefined } = {},
): Promise<(LabelMigration & { readonly backup: string }) | undefined> {
  if (isPostgresUrl(name)) {
    // Of a database there is one version so far: what is not refused is up to date.
    await (await openLabelStore(name, { create: true })).close();
    return undefined;
  }
  const { from, to } = await migrateLabels(
    await labelFile(name, { create: false, lockTimeoutMs: LOCK_TIMEOUT_MS }),
    isDryRun,
  );
  return from === 0 || from === to ? undefined : { from, to, backup: `${name}${backUpSuffix(from)}` };
}

async function labelFile(
  name: string,
  { create, lockTimeoutMs }: { readonly create: boolean; readonly lockTimeoutMs: number },
): Promise<LabelFile> {
  if (!create && !existsSync(name))
    throw new InputError(
      "FILE_NOT_FOUND",
      `${name}: no such label store; build labels first, with \`rankproof label build\``,
      { path: name },
    );
  const engine = nodeEngine() ?? (await import("./wasm-sqlite.js")).wasmEngine;
  return new LabelFile(engine, { name, path: storePath(name), lockTimeoutMs });
}

/** The label store of a file, by a given engine; both engines leave the same file. */
export function labelStoreOn(engine: SqliteEngine, place: StorePlace): Promise<LabelStore> {
  return sqliteLabelStore(new LabelFile(engine, place));
}

/** A database file that is ours alone, with a connection of its own for each call. */
class LabelFile implements LabelDatabase {
  readonly #engine: SqliteEngine;
  readonly #place: StorePlace;
  #isClosed = false;
  /** To read from where no lock can be taken. */
  readonly #copy: DatabaseCopy;
  /** Whether all of it was looked through, as is done before it is written to. */
  #isChecked = false;
  /** Since then it is no new store. */
  #wasThere = false;

  constructor(engine: SqliteEngine, place: StorePlace) {
    this.#engine = engine;
    this.#place = place;
    this.#copy = new DatabaseCopy(place);
  }

  get name(): string {
    return this.#place.name;
  }

  read<T>(look: (db: SqlConnection) => T): Promise<T> {
    return this.#alone("read", (db) => inTransaction(db, "BEGIN", () => look(db)));
  }

  write<T>(change: (db: SqlConnection) => T): Promise<T> {
    return this.#alone("write", (db) => inTransaction(db, "BEGIN IMMEDIATE", () => change(db)));
  }

  backUp(suffix: string, isWanted: (db: SqlConnection) => boolean): Promise<void> {
    return this.#alone("write", (db) => {
      if (!isWanted(db)) return;
      const { path } = this.#place;
      // Under its own name only when it is whole.
      const unfinished = temporaryFor(`${path}${suffix}`);
      copyFileSync(path, unfinished);
      renameSync(unfinished, `${path}${suffix}`);
    });
  }

  removeBackUps(): Promise<void> {
    return this.#alone("write", () => {
      const { path } = this.#place;
      for (const name of readdirSync(dirname(path)))
        if (name.startsWith(basename(path)) && /^\.v\d+\.bak$/.test(name.slice(basename(path).length)))
          rmSync(join(dirname(path), name));
    });
  }

  compact(): Promise<void> {
    return this.#alone("write", (db) => db.exec("VACUUM"));
  }

  async claim(name: string): Promise<(() => Promise<void>) | undefined> {
    this.#checkOpen();
    const { path } = this.#place;
    makeFolderFor(path, this.name);
    const release = holdLock(`${path}.claim-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`);
    return release && (async () => release());
  }

  close(): void {
    this.#isClosed = true;
    this.#copy.close();
  }

  #checkOpen(): void {
    if (this.#isClosed)
      throw new AdapterError("STORE_CLOSED", `${this.name}: the label store is closed; open a new one`);
  }

  async #alone<T>(what: "read" | "write", work: (db: SqlConnection) => T): Promise<T> {
    this.#checkOpen();
    const { path, name, lockTimeoutMs } = this.#place;
    if (what === "read" && existsSync(path) && isReadOnly(path))
      return whenFree(lockTimeoutMs, () => this.#withDatabase(what, () => this.#copy.path(), work));
    const isStillThere = (): boolean => {
      const isThere = existsSync(path);
      if (this.#wasThere && !isThere) throw storeGone(this.#place, "label store");
      return isThere;
    };
    // What is gone is to be put back where it was: no folder of its name may be there.
    isStillThere();
    makeFolderFor(path, name);
    return withWriteLock(path, lockTimeoutMs, () => {
      const isThere = isStillThere();
      // What has not been written yet is an empty store.
      const isNew = what === "read" && !isThere;
      if (!isNew) removeForeignLock(path);
      if (what === "write") this.#prepare(isThere);
      try {
        return this.#withDatabase(what, () => (isNew ? ":memory:" : path), work);
      } catch (error) {
        if (what === "write" && !isThere && statSync(path, { throwIfNoEntry: false })?.size === 0) {
          rmSync(path);
          this.#wasThere = false;
        }
        throw error;
      }
    });
  }

  /** An empty file is a new database, with the permissions of other files; SQLite's own would be narrower. */
  #prepare(isThere: boolean): void {
    const { path } = this.#place;
    try {
      if (isThere) refuseReadOnly(path);
      else closeSync(openSync(path, "a"));
    } catch (error) {
      throw sqliteProblem("write", this.#place, error);
    }
  }

  /** Works with the database at a path, by a connection of its own. */
  #withDatabase<T>(what: "read" | "write", at: () => string, work: (db: SqlConnection) => T): T {
    try {
      const path = at();
      const { db, close } = this.#engine(path);
      this.#wasThere = path !== ":memory:";
      try {
        this.#check(what, db, path);
        return work(escapedTexts(db));
      } finally {
        close();
      }
    } catch (error) {
      if (error instanceof SyntaxError) throw corruptStore(this.name, error.message, error);
      throw sqliteProblem(what, this.#place, error);
    }
  }

  /** Nobody else is at it: a file is refused as it is, before anything of it is believed. */
  #check(what: "read" | "write", db: SqlConnection, path: string): void {
    if (path === ":memory:" || statSync(path).size === 0) return;
    checkLength(db, () => statSync(path).size, this.name);
    if (what === "read" || this.#isChecked) return;
    checkPages(db, this.name);
    this.#isChecked = true;
  }
}

/** The folder by which `node-sqlite3-wasm` locks stays behind where a process was killed. Ours is held. */
function removeForeignLock(path: string): void {
  const lock = `${path}.lock`;
  if (statSync(lock, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(lock, { recursive: true });
}
