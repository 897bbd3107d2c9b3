import { Worker } from "node:worker_threads";
import { AdapterError, InputError, type ErrorCode } from "../foundation/errors/index.js";
import type { FusionSearch } from "./fusion-search.js";
import type { ThreadPlace } from "./project.js";
import type { Question } from "./readings.js";
import { Refused } from "./refused.js";

/** What a thread is asked to do. */
export interface ThreadTask {
  readonly id: number;
  readonly task:
    | { readonly kind: "answer"; readonly question: Question }
    | { readonly kind: "fuse"; readonly search: FusionSearch }
    /** Nobody waits for what was asked under this id. */
    | { readonly kind: "cancel" };
}

/** How far work in a thread is. */
export interface ThreadProgress {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

/** What comes back: progress any number of times, then JSON or why there is none. */
export interface ThreadAnswer {
  readonly id: number;
  readonly progress?: ThreadProgress;
  readonly text?: string;
  readonly failed?: {
    readonly message: string;
    readonly status?: Refused["status"];
    readonly code?: ErrorCode;
    readonly isOutside?: boolean;
    readonly stack?: string | undefined;
  };
}

interface Waiting {
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: ThreadProgress) => void) | undefined;
}

/** Where the build has put it, from the package's source as from what it is compiled to. */
const PROGRAM = new URL("../../dist/cli/thread-work.js", import.meta.url);

/** A thread that works on a project. It is started when it is first asked, and again after it has failed. */
export class Thread {
  readonly #place: ThreadPlace;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;
  #onIdle: (() => void) | undefined;

  constructor(place: ThreadPlace) {
    this.#place = place;
  }

  /**
   * @returns JSON.
   * @throws what the work throws: `Refused`, an error of the package, or an error of the code; the reason of
   * the signal where nobody waits any more.
   */
  ask(
    task: ThreadTask["task"],
    {
      onProgress,
      signal,
    }: {
      readonly onProgress?: (progress: ThreadProgress) => void;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): Promise<string> {
    const id = ++this.#count;
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      // The process lives as long as somebody waits for an answer.
      worker.ref();
      worker.postMessage({ id, task } satisfies ThreadTask);
      const giveUp = (): void => {
        if (!this.#waiting.delete(id)) return;
        reject(signal?.reason as Error);
        worker.postMessage({ id, task: { kind: "cancel" } } satisfies ThreadTask);
        if (this.#waiting.size === 0) this.#rest(worker);
      };
      if (signal?.aborted === true) giveUp();
      else signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Ends it when it has answered what it was asked. */
  retire(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = () => void this.close().then(resolve);
      if (this.#waiting.size === 0) this.#rest(this.#worker);
    });
  }

  /** Ends it; what it was asked for fails. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#fail(new AdapterError("RUN_INCOMPLETE", "the work was stopped"));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, { workerData: this.#place });
    worker.unref();
    worker.on("message", (answer: ThreadAnswer) => this.#take(worker, answer));
    worker.on("error", (error) => this.#fail(error));
    return worker;
  }

  #take(worker: Worker, { id, progress, text, failed }: ThreadAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    if (progress !== undefined) return waiting.onProgress?.(progress);
    this.#waiting.delete(id);
    if (failed === undefined) waiting.resolve(text ?? "null");
    else waiting.reject(errorOf(failed));
    if (this.#waiting.size === 0) this.#rest(worker);
  }

  /** Nobody waits for it any more. */
  #rest(worker: Worker | undefined): void {
    worker?.unref();
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    onIdle?.();
  }

  /** Lets go of a thread that can no longer be asked. */
  #fail(error: unknown): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#rest(undefined);
  }
}

/** The error that was thrown in the thread, as far as it matters here. */
function errorOf({ message, status, code, isOutside, stack }: NonNullable<ThreadAnswer["failed"]>): Error {
  if (status !== undefined) return new Refused(status, message);
  if (code !== undefined)
    return isOutside === true ? new AdapterError(code, message) : new InputError(code, message);
  return Object.assign(new Error(message), { stack });
}
