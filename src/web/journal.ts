import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { WorkbenchMark } from "../records/index.js";

/** A mark that is not stored yet, with whose it is. */
export interface JournalEntry {
  readonly project: string;
  readonly collection: string;
  readonly rater: string;
  /** Whether the rater decides where others differ. */
  readonly isAdjudicated?: boolean;
  readonly mark: WorkbenchMark;
}

/** What the journal is given. */
export type NewEntry = Omit<JournalEntry, "project">;

interface JournalSchema extends DBSchema {
  marks: { key: number; value: JournalEntry; indexes: { project: string } };
}

/** Before the id of a mark, in the storage of the browser. */
const KEPT = "rankproof-mark ";

/** What was done and is not known to be stored: kept by the browser, whatever becomes of page and server. */
export class Journal {
  readonly #db: Promise<IDBPDatabase<JournalSchema>>;
  readonly #project: string;
  /** What the browser did not take, by keys below 0: kept while the page is open. */
  readonly #unwritten = new Map<number, JournalEntry>();
  /** Writes, one after the other: the order of marks is theirs. */
  #writing: Promise<void>;

  /** @param project other projects may be served at the same address. */
  constructor(project: string) {
    this.#project = project;
    this.#db = openDB<JournalSchema>("rankproof-workbench", 1, {
      upgrade(db) {
        const marks = db.createObjectStore("marks", { autoIncrement: true });
        marks.createIndex("project", "project");
      },
    });
    this.#writing = this.#recover();
  }

  /**
   * The entry is kept when this returns: a page that is closed takes with it what its database has not done.
   * The promise is settled when the database has it.
   */
  add(given: NewEntry): Promise<void> {
    const entry = { ...given, project: this.#project };
    keep(entry);
    this.#writing = this.#writing.then(() => this.#write(entry));
    return this.#writing;
  }

  async #write(entry: JournalEntry): Promise<void> {
    try {
      await (await this.#db).add("marks", entry);
    } catch {
      // A full disk, or a browser that keeps nothing.
      this.#unwritten.set(-1 - this.#unwritten.size, entry);
    }
    forget(entry);
  }

  /** Writes what a page that was closed had only kept. */
  async #recover(): Promise<void> {
    const kept = keptOf(this.#project);
    if (kept.length === 0) return;
    const written = new Set((await this.#written().catch(() => [])).map(({ entry }) => entry.mark.mark));
    for (const entry of kept) await (written.has(entry.mark.mark) ? forget(entry) : this.#write(entry));
  }

  /** In the order in which they were added, with their keys. */
  async entries(): Promise<{ readonly key: number; readonly entry: JournalEntry }[]> {
    await this.#writing;
    const unwritten = [...this.#unwritten].map(([key, entry]) => ({ key, entry }));
    return [...(await this.#written().catch(() => [])), ...unwritten];
  }

  async #written(): Promise<{ key: number; entry: JournalEntry }[]> {
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
    for (const key of keys) this.#unwritten.delete(key);
    const written = keys.filter((key) => key >= 0);
    if (written.length === 0) return;
    const marks = (await this.#db).transaction("marks", "readwrite");
    await Promise.all([...written.map((key) => marks.store.delete(key)), marks.done]);
  }
}

function keep(entry: JournalEntry): void {
  try {
    localStorage.setItem(KEPT + entry.mark.mark, JSON.stringify(entry));
  } catch {
    // No room: then the database alone has to be fast enough.
  }
}

function forget({ mark }: JournalEntry): void {
  try {
    localStorage.removeItem(KEPT + mark.mark);
  } catch {
    // A browser that keeps nothing.
  }
}

/** What was kept of a project, in the order in which it was done. */
function keptOf(project: string): JournalEntry[] {
  try {
    return Object.entries(localStorage)
      .filter(([key]) => key.startsWith(KEPT))
      .map(([, text]) => JSON.parse(text as string) as JournalEntry)
      .filter((entry) => entry.project === project)
      .sort((a, b) => (a.mark.at < b.mark.at ? -1 : 1));
  } catch {
    return [];
  }
}
