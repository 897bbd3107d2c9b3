import type { WorkbenchMark } from "../records/index.js";
import { SourceError, type DataSource } from "./data-source.js";
import { Journal, type JournalEntry, type NewEntry } from "./journal.js";

/** Marks in one request. */
const AT_ONCE = 100;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [500, 10_000];

/** How far what was done is stored. */
export interface SenderState {
  /** Marks that are not known to be stored. */
  readonly waiting: number;
  /** Why they wait; null while nothing is wrong. */
  readonly problem: string | null;
  /** Whether trying again can help without anybody's doing. */
  readonly isRefused: boolean;
  /** Marks that the server will never take. */
  readonly refused: number;
}

/** Whose marks go together in a request. */
type Sending = Omit<NewEntry, "mark">;

function isOfOne(entry: Sending, other: Sending): boolean {
  return (
    entry.collection === other.collection &&
    entry.rater === other.rater &&
    (entry.isAdjudicated ?? false) === (other.isAdjudicated ?? false)
  );
}

/**
 * Brings marks to the store, in their order, and tries again until each is there. What the browser's journal
 * holds from an earlier page goes first.
 */
export class MarkSender {
  readonly #source: DataSource;
  readonly #journal: Journal;
  readonly #onState: (state: SenderState) => void;
  #isSending = false;
  #isWanted = false;
  #pause = FIRST_PAUSE_MS;
  #waiting = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Why the server does not take a mark: it stays in the journal, and holds nothing up. */
  readonly #refused = new Map<string, string>();

  /** @param project whose journal is sent. */
  constructor(source: DataSource, project: string, onState: (state: SenderState) => void) {
    this.#source = source;
    this.#journal = new Journal(project, () => void this.flush());
    this.#onState = onState;
  }

  /** Takes a mark; what the page shows does not wait for it. */
  send(entry: NewEntry): void {
    this.#waiting++;
    this.#journal.add(this.#withWords(entry));
    this.#tell(null);
    void this.flush();
  }

  /** What waits of a rater, in its order. */
  async waiting(collection: string, rater: string, isAdjudicated = false): Promise<WorkbenchMark[]> {
    const own = { collection, rater, isAdjudicated };
    return (await this.entries())
      .filter((entry) => isOfOne(entry, own))
      .flatMap((entry) => this.#markOf(entry));
  }

  /** Without a server the labels are of words: a page of a later state may have other ids. */
  #withWords(entry: NewEntry): NewEntry {
    const { local } = this.#source;
    if (local === null) return entry;
    const { collection, mark } = entry;
    // A mark that takes another one back is of the same words.
    const before = mark.outcome === "withdrawn" ? this.#journal.latestOf(entry)?.asked : undefined;
    return { ...entry, asked: before ?? local.queryOf(collection, mark.query_id) ?? undefined };
  }

  /** A mark by the id that its query has now; none where the id is that of other words. */
  #markOf({ collection, mark, asked }: JournalEntry): WorkbenchMark[] {
    const { local } = this.#source;
    if (local === null || asked === undefined) return [mark];
    const id = local.idOf(collection, asked.query, mark.query_id);
    if (id !== null) return [{ ...mark, query_id: id }];
    return local.queryOf(collection, mark.query_id) === null ? [mark] : [];
  }

  /** Everything that is not known to be stored, in its order. */
  entries(): Promise<readonly JournalEntry[]> {
    return this.#journal.entries();
  }

  /** The same with what was done in other pages of this browser since. */
  async entriesOfAll(): Promise<readonly JournalEntry[]> {
    await this.#journal.renew();
    await this.flush();
    return this.entries();
  }

  /** Gives up the marks that the server will never take. */
  async discardRefused(): Promise<void> {
    const given = (await this.entries()).filter(({ mark }) => this.#refused.has(mark.mark));
    this.#journal.remove(given);
    this.#refused.clear();
    this.#waiting -= given.length;
    this.#tell(null);
  }

  /** Sends what waits, now; without a server it stays in the journal. */
  async flush(): Promise<void> {
    if (this.#source.local !== null) {
      // What was taken back is no label, in however many pages it was.
      const last = new Map(
        (await this.entries()).map(({ collection, rater, mark, asked }) => [
          JSON.stringify([collection, rater, asked?.query ?? mark.query_id, mark.item]),
          mark.outcome,
        ]),
      );
      this.#waiting = [...last.values()].filter((outcome) => outcome !== "withdrawn").length;
      return this.#tell(null);
    }
    this.#isWanted = true;
    clearTimeout(this.#timer);
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#sendAll();
      }
      this.#pause = FIRST_PAUSE_MS;
      this.#tell(null);
    } catch (error) {
      const { message, status } = error instanceof SourceError ? error : new SourceError(0, String(error));
      // A token of an earlier start, or a mark that the server will never take.
      const isRefused = status >= 400 && status < 500;
      this.#tell(message, isRefused);
      this.#timer = setTimeout(() => void this.flush(), this.#pause);
      this.#pause = Math.min(LONGEST_PAUSE_MS, 2 * this.#pause);
    } finally {
      this.#isSending = false;
    }
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const all = await this.#journal.entries();
      this.#waiting = all.length;
      const entries = all.filter(({ mark }) => !this.#refused.has(mark.mark));
      const [first] = entries;
      if (first === undefined) return;
      const end = entries.findIndex((entry) => !isOfOne(entry, first));
      await this.#sendBatch(first, entries.slice(0, Math.min(AT_ONCE, end === -1 ? entries.length : end)));
      this.#tell(null);
    }
  }

  async #sendBatch(by: Sending, batch: readonly JournalEntry[]): Promise<void> {
    try {
      const { collection, rater, isAdjudicated = false } = by;
      await this.#source.mark(
        collection,
        rater,
        batch.map(({ mark }) => mark),
        isAdjudicated,
      );
    } catch (error) {
      if (!(error instanceof SourceError) || (error.status !== 400 && error.status !== 404)) throw error;
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) this.#refused.set(only.mark.mark, error.message);
      // One that is not taken keeps the others of its request back.
      else for (const each of batch) await this.#sendBatch(by, [each]);
      return;
    }
    this.#journal.remove(batch);
    this.#waiting -= batch.length;
  }

  #tell(problem: string | null, isRefused = false): void {
    const [refused = null] = this.#refused.values();
    this.#onState({
      waiting: this.#waiting,
      problem: problem ?? refused,
      isRefused: isRefused || refused !== null,
      refused: this.#refused.size,
    });
  }
}
