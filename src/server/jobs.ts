import { sleep } from "../foundation/async/index.js";
import { InputError, isRankproofError, messageOf, quote } from "../foundation/errors/index.js";
import type { WorkbenchJob } from "../records/index.js";
import { Refused } from "./refused.js";

/** What work tells while it goes on. */
export interface JobReport {
  readonly done?: number;
  readonly total?: number;
  readonly failed?: number;
  readonly calls?: number;
  readonly price?: string | null;
  readonly message?: string;
  readonly result?: string;
}

/**
 * Work that a page starts, and that goes on when the page is closed.
 *
 * @param before the result of the attempt that it goes on with; null for a new beginning.
 */
export type JobWork = (
  tell: (report: JobReport) => void,
  signal: AbortSignal,
  before: string | null,
) => Promise<{ readonly result: string | null; readonly message: string }>;

/** What is done, how it is called, and what its progress counts. */
export interface JobStart {
  readonly kind: WorkbenchJob["kind"];
  readonly unit: WorkbenchJob["unit"];
  readonly collection: string;
  readonly work: JobWork;
}

interface Running {
  state: WorkbenchJob;
  /** Undefined where the configuration has changed since. */
  start: JobStart | undefined;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Ended work is listed so long. */
const KEPT = 20;

/** Everything that runs, or has run since the server started. */
export class Jobs {
  readonly #jobs = new Map<string, Running>();
  readonly #watchers = new Set<() => void>();
  #count = 0;
  #isClosed = false;
  /** How often anything has changed. */
  #changes = 0;

  /**
   * Starts work, unless work of this kind is running for the collection.
   *
   * @param before the result of the attempt that it goes on with.
   */
  start(start: JobStart, before: string | null = null): WorkbenchJob {
    if (this.#isClosed) throw new Refused(503, "the workbench was closed");
    const { kind, unit, collection, work } = start;
    for (const { state } of this.#jobs.values())
      if (state.state === "running" && state.collection === collection && state.kind === kind)
        throw new InputError(
          "ARGUMENT",
          `this work on ${quote(collection)} is running already; stop it first`,
        );
    const id = `job-${++this.#count}`;
    const stop = new AbortController();
    const startedAt = Date.now();
    const state: WorkbenchJob = {
      id,
      kind,
      unit,
      collection,
      state: "running",
      done: 0,
      total: null,
      failed: 0,
      calls: 0,
      price: null,
      seconds: 0,
      seconds_left: null,
      message: "",
      result: null,
    };
    // What an earlier attempt has done is told at the beginning, and says nothing about how fast it goes.
    let first: { readonly done: number; readonly seconds: number } | undefined;
    const update = (change: Partial<WorkbenchJob>): void => {
      const job = this.#jobs.get(id);
      if (job === undefined) return;
      const seconds = (Date.now() - startedAt) / 1000;
      const { done, total } = { ...job.state, ...change };
      // Another part of the work counts anew.
      if (total !== job.state.total || done < job.state.done) first = undefined;
      if (change.done !== undefined) first ??= { done, seconds };
      const since = first !== undefined && done > first.done ? first : null;
      job.state = {
        ...job.state,
        ...change,
        seconds,
        seconds_left:
          // What comes after what was counted is not said to be nothing.
          total === null || since === null || done >= total
            ? null
            : ((seconds - since.seconds) / (done - since.done)) * (total - done),
      };
      this.#changes++;
      for (const watcher of this.#watchers) watcher();
    };
    const ended = (async (): Promise<void> => {
      // The caller gets to know of the job before it may end.
      await Promise.resolve();
      try {
        const { result, message } = await work(update, stop.signal, before);
        update({ state: "done", result, message });
      } catch (error) {
        // How the command line goes on with a batch is no help here, where a button does.
        const isHalf = kind === "batch" && isRankproofError(error) && error.code === "RUN_INCOMPLETE";
        const message = isHalf ? "" : messageOf(error);
        update({ state: stop.signal.aborted ? "stopped" : "failed", message });
      }
    })();
    this.#jobs.set(id, { state, start, stop, ended });
    for (const [old, { state: each }] of this.#jobs)
      if (this.#jobs.size > KEPT && each.state !== "running") this.#jobs.delete(old);
    return state;
  }

  /** The jobs of a collection, the latest first. */
  of(collection: string): WorkbenchJob[] {
    return [...this.#jobs.values()]
      .map(({ state }) => state)
      .filter((state) => state.collection === collection)
      .reverse();
  }

  /**
   * Asks a job to stop; what it has is kept.
   *
   * @returns whether there is such a job.
   */
  stop(id: string): boolean {
    const job = this.#jobs.get(id);
    job?.stop.abort(new Error("stopped from the page"));
    return job !== undefined;
  }

  /**
   * Starts a job that was stopped or has failed again, to go on where it was.
   *
   * @returns undefined where there is no such job.
   * @throws InputError `ARGUMENT` for one that was begun by another configuration.
   */
  resume(id: string): WorkbenchJob | undefined {
    const job = this.#jobs.get(id);
    if (job === undefined || job.state.state === "running" || job.state.state === "done") return undefined;
    if (job.start === undefined)
      throw new InputError("ARGUMENT", "the configuration has changed since this was begun; begin it anew");
    const state = this.start(job.start, job.state.result);
    this.#jobs.delete(id);
    return state;
  }

  /** Goes on with nothing that was begun before: what runs comes to its end, the rest is forgotten. */
  letGo(): void {
    for (const [id, job] of this.#jobs)
      if (job.state.state === "running") job.start = undefined;
      else this.#jobs.delete(id);
  }

  /** Stops everything, and waits until it has let go. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { stop } of this.#jobs.values()) stop.abort(new Error("the workbench is closed"));
    await Promise.all([...this.#jobs.values()].map(({ ended }) => ended));
    for (const watcher of this.#watchers) watcher();
  }

  /**
   * The jobs of a collection now, and again whenever one changes, until none is running or the signal aborts;
   * at most so often.
   */
  async *watch(collection: string, signal: AbortSignal, everyMs = 200): AsyncGenerator<WorkbenchJob[], void> {
    for (;;) {
      const before = this.#changes;
      const jobs = this.of(collection);
      yield jobs;
      if (signal.aborted || jobs.every(({ state }) => state !== "running")) return;
      await sleep(everyMs, signal).catch(() => undefined);
      if (this.#changes === before) await this.#change(signal);
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#watchers.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#watchers.add(done);
      signal.addEventListener("abort", done);
    });
  }
}
