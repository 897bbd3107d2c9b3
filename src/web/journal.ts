import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { WorkbenchMark } from "../records/index.js";

/** A mark that is not stored yet, with whose it is. */
export interface JournalEntry {
  readonly project: string;
  readonly collection: string;
  readonly rater: string;
  readonly mark: WorkbenchMark;
}

interface JournalSchema extends DBSchema {
  marks: { key: number; value: JournalEntry; indexes: { project: string } };
}

/** What was done and is not known to be stored: kept by the browser, whatever becomes of page and server. */
export class Journal {
  readonly #db: Promise<IDBPDatabase<JournalSchema>>;
  readonly #project: string;

  /** @param project other projects may be served at the same address. */
  constructor(project: string) {
    this.#project = project;
    this.#db = openDB<JournalSchema>("rankproof-workbench", 1, {
      upgrade(db) {
        const marks = db.createObjectStore("marks", { autoIncrement: true });
        marks.createIndex("project", "project");
      },
    });
  }

  async add(entry: Omit<JournalEntry, "project">): Promise<void> {
    await (await this.#db).add("marks", { ...entry, project: this.#project });
  }

  /** In the order in which they were added, with their keys. */
  async entries(): Promise<{ readonly key: number; readonly entry: JournalEntry }[]> {
    const db = await this.#db;
    const index = db.transaction("marks").store.index("project");
    const found: { key: number; entry: JournalEntry }[] = [];
    for (
      let cursor = await index.openCursor(this.#project);
      cursor !== null;
      cursor = await cursor.continue()
    )
      found.push({ key: cursor.primaryKey, entry: cursor.value });
    return found;
  }

  async remove(keys: readonly number[]): Promise<void> {
    const marks = (await this.#db).transaction("marks", "readwrite");
    await Promise.all([...keys.map((key) => marks.store.delete(key)), marks.done]);
  }
}
