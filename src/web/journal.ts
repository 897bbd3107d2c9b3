import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { WorkbenchMark } from "../records/index.js";

/** A mark that is not stored yet, with whose it is. */
export interface JournalEntry {
  readonly project: string;
  readonly collection: string;
  readonly rater: string;
  /** Whether the rater decides where others differ. */
  readonly isAdjudicated?: boolean;
  /** The words of its query, and whose labels it has: a page of a later state may not have it any more. */
  readonly asked?: AskedQuery | undefined;
  readonly mark: WorkbenchMark;
}

/** A query by its words, whatever its id is by now. */
export interface AskedQuery {
  readonly query: string;
  readonly tenant: string;
}

/** What the journal is given. */
export type NewEntry = Omit<JournalEntry, "project">;

interface JournalSchema extends DBSchema {
  marks: { key: number; value: JournalEntry; indexes: { project: string } };
}
type Database = IDBPDatabase<JournalSchema>;

/** Before the id of a mark, in the storage of the browser. */
const KEPT = "rankproof-mark ";
/** A mark that is not stored by then is written to the database. */
const TO_DATABASE_MS = 500;
/** Marks that are written at once, in far less than the time that the database is given. */
const AT_ONCE = 500;
/** The database is asked so often, each time for so long, with pauses that grow by so much. */
const [MOST_TRIES, PATIENCE_MS, PAUSE_MS] = [3, 1000, 100];
/** What did not answer at all is asked again after a pause, which doubles up to a quarter of an hour. */
const [FIRST_LATER_MS, LAST_LATER_MS] = [1000, 900_000];

/**
 * What was done and is not known to be stored: kept by the browser, whatever becomes of page and server. The
 * storage takes it at once, before a page can be closed, but brings it to disk after a while; the database
 * does so at once, and has no limit of some megabytes, but may fail to open, or never answer.
 */
export class Journal {
  readonly #project: string;
  /** By the ids of their marks, in their order. */
  readonly #entries = new Map<string, JournalEntry>();
  /** Where the database has them. */
  readonly #keys = new Map<string, number>();
  #db: Promise<Database> | undefined;
  /** What is done in the database, one after the other. */
  #inTurn: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #isRead: Promise<boolean>;

  /**
   * @param project other projects may be served at the same address.
   * @param onLate called when what earlier pages had written is known later than `entries` waits for it.
   */
  constructor(project: string, onLate: () => void = () => undefined) {
    this.#project = project;
    this.#isRead = this.renew();
    void this.#insist(onLate);
    this.#writeSoon();
  }

  /** The entry is kept when this returns. */
  add(given: NewEntry): void {
    const entry = { ...given, project: this.#project };
    this.#entries.set(entry.mark.mark, entry);
    keep(entry);
    this.#writeSoon();
  }

  /** What the same rater said last of the same pair, as far as this page knows. */
  latestOf({ collection, rater, mark }: NewEntry): JournalEntry | undefined {
    return [...this.#entries.values()].findLast(
      (entry) =>
        entry.collection === collection &&
        entry.rater === rater &&
        entry.mark.query_id === mark.query_id &&
        entry.mark.item === mark.item,
    );
  }

  /**
   * Takes what other pages of this browser have added.
   *
   * @returns whether the database answered.
   */
  async renew(): Promise<boolean> {
    this.#take(readKept(this.#project));
    return this.#inDatabase((db) => this.#read(db));
  }

  /** A database that a busy machine does not open in time has marks that this page would never send. */
  async #insist(onLate: () => void): Promise<void> {
    if (await this.#isRead) return;
    for (let later = FIRST_LATER_MS; later < LAST_LATER_MS; later *= 2) {
      await pause(later);
      if (await this.renew()) return onLate();
    }
  }

  /** In the order in which they were done. */
  async entries(): Promise<readonly JournalEntry[]> {
    await this.#isRead;
    return [...this.#entries.values()];
  }

  remove(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      this.#entries.delete(entry.mark.mark);
      forget(entry);
    }
    void this.#inDatabase(async (db) => {
      const marks = db.transaction("marks", "readwrite");
      const keys = entries.map(({ mark }) => this.#keys.get(mark.mark)).filter((key) => key !== undefined);
      await Promise.all([...keys.map((key) => marks.store.delete(key)), marks.done]);
      for (const { mark } of entries) this.#keys.delete(mark.mark);
    });
  }

  #take(entries: readonly JournalEntry[]): void {
    const all = [...this.#entries.values(), ...entries].sort((a, b) => (a.mark.at < b.mark.at ? -1 : 1));
    this.#entries.clear();
    for (const entry of all) this.#entries.set(entry.mark.mark, entry);
  }

  /** What an earlier page had written. */
  async #read(db: Database): Promise<void> {
    const ofProject = db.transaction("marks").store.index("project");
    const [keys, found] = await Promise.all([
      ofProject.getAllKeys(this.#project),
      ofProject.getAll(this.#project),
    ]);
    this.#forgetStored(found, keys);
    this.#take(found);
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#inDatabase((db) => this.#write(db));
    }, TO_DATABASE_MS);
  }

  async #write(db: Database): Promise<void> {
    const all = [...this.#entries.values()].filter(({ mark }) => !this.#keys.has(mark.mark));
    const some = all.slice(0, AT_ONCE);
    const marks = db.transaction("marks", "readwrite");
    const keys = await Promise.all(some.map((entry) => marks.store.add(entry)));
    await marks.done;
    this.#forgetStored(some, keys);
    if (some.length < all.length) this.#writeSoon();
  }

  /** The database has these: the storage, which has little room, need not. */
  #forgetStored(entries: readonly JournalEntry[], keys: readonly number[]): void {
    for (const [at, entry] of entries.entries()) {
      this.#keys.set(entry.mark.mark, keys[at] as number);
      forget(entry);
    }
  }

  /**
   * Does something in the database after all that was asked of it before. A browser may fail to open one
   * while that of a page before is being closed, or close it: then another connection is tried. What fails
   * each time is left: what the storage keeps is written with what comes next.
   *
   * @returns whether it was done.
   */
  #inDatabase(work: (db: Database) => Promise<void>): Promise<boolean> {
    const done = this.#inTurn.then(async () => {
      for (let tries = 1; tries <= MOST_TRIES; tries++)
        try {
          this.#db ??= openDatabase();
          await within(PATIENCE_MS, this.#db.then(work));
          return true;
        } catch {
          this.#db = undefined;
          await pause(PAUSE_MS * tries);
        }
      return false;
    });
    this.#inTurn = done;
    return done;
  }
}

function openDatabase(): Promise<Database> {
  return openDB<JournalSchema>("rankproof-workbench", 1, {
    upgrade(db) {
      const marks = db.createObjectStore("marks", { autoIncrement: true });
      marks.createIndex("project", "project");
    },
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const isLate = await Promise.race([work.then(() => false), pause(ms).then(() => true)]);
  if (isLate) throw new Error("the database does not answer");
}

function keep(entry: JournalEntry): void {
  try {
    localStorage.setItem(KEPT + entry.mark.mark, JSON.stringify(entry));
  } catch {
    // No room: then the database has to be fast enough.
  }
}

function forget({ mark }: JournalEntry): void {
  try {
    localStorage.removeItem(KEPT + mark.mark);
  } catch {
    // A browser that keeps nothing.
  }
}

function readKept(project: string): JournalEntry[] {
  try {
    return Object.entries(localStorage)
      .filter(([key]) => key.startsWith(KEPT))
      .map(([, text]) => JSON.parse(text as string) as JournalEntry)
      .filter((entry) => entry.project === project);
  } catch {
    return [];
  }
}
