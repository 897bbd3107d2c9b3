/** Work in parts that any process may do: those of a label build or of a batch are its queries. */
export interface QueuedWork {
  /** Work of one id is the same work. */
  readonly id: string;
  /** Parts are numbered from 0 to below it. */
  readonly total: number;
  /** What a worker must know to do a part, as JSON; it is stored, so that no secret belongs here. */
  readonly about: unknown;
}

/** What became of a part. */
export interface WorkPart {
  readonly part: number;
  /** Why it failed; null where it did not. */
  readonly failed: string | null;
  /** What was paid for it. */
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly amount: number;
  /** What came of it, as JSON. */
  readonly outcome: unknown;
}

/** Work that was begun. */
export interface BegunWork extends QueuedWork {
  /** Whether its budget ended it. */
  readonly ended: boolean;
  /** In UTC with milliseconds. */
  readonly begun_at: string;
}

/** What was paid for parts that have ended. */
export type WorkPaid = Pick<WorkPart, "calls" | "input" | "output" | "amount">;

/** How far work is, whoever does it. */
export interface WorkProgress extends BegunWork, WorkPaid {
  /** Parts that have ended, and those of them that failed. */
  readonly done: number;
  readonly failed: number;
  /** Jobs that wait, that a worker has, and that were given up. */
  readonly waiting: number;
  readonly running: number;
  readonly given_up: number;
  /** What a job failed with last; null for nothing. */
  readonly last_error: string | null;
}

/** A part that is to be done. */
export interface AskedPart {
  readonly work: BegunWork;
  readonly part: number;
  /** Whether somebody has begun it before. */
  readonly isRetry: boolean;
  /** What was paid for the parts that have ended. */
  readonly paid: () => Promise<WorkPaid>;
}

/** What came of a part; `ends` where with it the budget of the work is spent. */
export type PartDone = Omit<WorkPart, "part"> & { readonly ends?: boolean | undefined };

/** How a process works. */
export interface WorkOptions {
  /** Parts that are done at once. */
  readonly concurrency: number;
  /** Does a part; null where the budget of the work was spent before it, which ends the work. */
  readonly perform: (asked: AskedPart) => Promise<PartDone | null>;
  /** Ends when what is under way is done. */
  readonly signal: AbortSignal;
  /** So many parts in a row that throw end the worker, with what the last one threw. Default 5. */
  readonly stopAfterFailures?: number | undefined;
  /** Ends when there are no jobs left, in place of waiting for more. */
  readonly isUntilDone?: boolean | undefined;
  /** Called with a part that was done, after it is kept. */
  readonly onPart?: ((work: BegunWork, part: WorkPart) => void) | undefined;
  /** Called with a part that threw, which another try takes up later. */
  readonly onFailed?: ((work: BegunWork, part: number, error: unknown) => void) | undefined;
}

/** What of work that was begun before is done again, and what is known of it. */
export interface BeginOptions {
  /** Parts that failed. */
  readonly isFailedAgain?: boolean | undefined;
  /** All of it, where nothing is left of it. */
  readonly isEndedAgain?: boolean | undefined;
  /** Parts that need not be done. */
  readonly known?: readonly WorkPart[] | undefined;
}

/** The queue of a store in PostgreSQL, which graphile-worker keeps in a schema of its own. */
export interface WorkQueue {
  /** Adds work, or goes on with it; jobs that failed before are tried again at once. */
  begin(work: QueuedWork, options?: BeginOptions): Promise<void>;
  /** How far work is: one, or all that is known. */
  progress(id?: string): Promise<WorkProgress[]>;
  /** What came of its parts, in their order. */
  parts(id: string): Promise<WorkPart[]>;
  /** Takes work out of the queue; what came of it stays where it was stored. */
  remove(id: string): Promise<void>;
  /** Does parts until the signal, or until there is nothing left. */
  work(options: WorkOptions): Promise<void>;
  /** Ends the connections of the queue. */
  close(): Promise<void>;
}
