import type {
  WorkbenchDisputes,
  WorkbenchHistory,
  WorkbenchJob,
  WorkbenchLive,
  WorkbenchMark,
  WorkbenchOverview,
  WorkbenchPair,
  WorkbenchPlan,
  WorkbenchQueries,
  WorkbenchQuery,
  WorkbenchQueue,
  WorkbenchReport,
  WorkbenchSession,
  WorkbenchWork,
} from "../records/index.js";
import type { AskedQuery, JournalEntry } from "./journal.js";
import { readServerClock } from "./server-clock.js";

/** Where a screen has its data from: a server, or what stands in the page itself. */
export interface DataSource {
  /** What a page without a server does itself; null where a server stores and starts things. */
  readonly local: LocalWork | null;
  session(): Promise<WorkbenchSession>;
  /** @param isFresh whether it waits for one by the labels of now; else one that was made before will do. */
  overview(collection: string, isFresh?: boolean): Promise<WorkbenchOverview>;
  queries(collection: string, runs: ChosenRuns): Promise<WorkbenchQueries>;
  query(collection: string, id: string, runs: ChosenRuns): Promise<WorkbenchQuery>;
  /** What the search answers to a query now; nothing of it is kept. */
  live(collection: string, id: string, signal: AbortSignal): Promise<WorkbenchLive>;
  history(collection: string): Promise<WorkbenchHistory>;
  compare(collection: string, a: string, b: string): Promise<WorkbenchReport>;
  report(collection: string, name: "trust" | "builds" | "tune"): Promise<WorkbenchReport>;
  queue(collection: string, rater: string, query: string | null): Promise<WorkbenchQueue>;
  pair(collection: string, query: string, item: string): Promise<WorkbenchPair>;
  /** Stores marks, in their order; those that are stored already, too. */
  mark(
    collection: string,
    rater: string,
    marks: readonly WorkbenchMark[],
    isAdjudicated: boolean,
  ): Promise<void>;
  /** Where people and the model differ most, and what was decided. */
  disputes(collection: string): Promise<WorkbenchDisputes>;
  startBatch(collection: string, options: { annotate: boolean; resume?: string }): Promise<void>;
  /** What work would take: nothing is begun. */
  plan(collection: string, work: WorkbenchWork | { kind: "batch" }): Promise<WorkbenchPlan>;
  startWork(collection: string, work: WorkbenchWork): Promise<void>;
  beginExample(): Promise<void>;
  /** Starts again what was stopped or has failed, to go on where it was. */
  resumeJob(id: string): Promise<void>;
  stopJob(id: string): Promise<void>;
  /** The jobs of a collection whenever they change, while any runs. */
  watchJobs(
    collection: string,
    onJobs: (jobs: readonly WorkbenchJob[]) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** What only a page without a server does. */
export interface LocalWork {
  /** Reads files, each by itself: what is wrong with one leaves the others as they were. */
  open(files: readonly File[]): Promise<void>;
  /** Every file that was given, the latest reading of each name. */
  readonly opened: readonly OpenedFile[];
  /** A query as labels know it; null for one that is not here. */
  queryOf(collection: string, queryId: string): AskedQuery | null;
  /**
   * The id that a query of these words has here; null where none has.
   *
   * @param preferred where several have.
   */
  idOf(collection: string, words: string, preferred: string): string | null;
  /** What was labelled, as JSONL for `rankproof label import`. */
  labelFile(entries: readonly JournalEntry[]): string;
}

/** What a file turned out to be. */
export interface OpenedFile {
  readonly name: string;
  /** What was found in it. */
  readonly found: string;
  /** Why it is left out; null for one that is read. */
  readonly problem: string | null;
  /** Whether it is a run that answers none of the queries that are asked here. */
  readonly isStranger: boolean;
}

/** The name under which a page without a server finds its source: what the script before it has put there. */
export const OFFLINE_SOURCE = "rankproofSource";

/** The name of what was asked before the script of the page was there: a promise of a response. */
export const FIRST_ANSWER = "rankproofFirst";

/** Which batches are looked at; what is left out is the latest, and the one before it. */
export interface ChosenRuns {
  readonly run?: string | undefined;
  readonly baseline?: string | undefined;
}

const TOKEN_HEADER = "x-rankproof-token";

/** A request that came to nothing. */
export class SourceError extends Error {
  /** The status of the answer; 0 where there was none. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What a request that gets no answer is told as. */
const UNREACHABLE = "The server does not answer; is `rankproof ui` still running?";

/** The project that the server opens with a key; null where it takes the key for none. */
export function projectOf(token: string): Promise<string | null> {
  return fetch("/api/session", { headers: { [TOKEN_HEADER]: token } })
    .then(async (answer) => (answer.ok ? ((await answer.json()) as WorkbenchSession).project : null))
    .catch(() => null);
}

/**
 * Asks the server that the page came from.
 *
 * @param renew called where the key is refused; whether there is another one now, to ask once more with.
 */
export function apiSource(token: () => string, renew: () => Promise<boolean>): DataSource {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const type = init.body == null ? {} : { "content-type": "application/json" };
    const asked = Date.now();
    try {
      const answer = await fetch(path, { ...init, headers: { [TOKEN_HEADER]: token(), ...type } });
      readServerClock(answer, asked);
      return answer;
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw new SourceError(0, UNREACHABLE);
    }
  };
  let renewing: Promise<boolean> | undefined;
  const ask = async (path: string, init: RequestInit = {}, asked?: Promise<Response>): Promise<Response> => {
    const used = token();
    let response = await (asked?.catch(() => send(path, init)) ?? send(path, init));
    if (response.status === 401) {
      // Another request may have found a better one in the meantime.
      if (token() === used) renewing ??= renew().finally(() => (renewing = undefined));
      if (token() !== used || (await renewing) === true) response = await send(path, init);
    }
    if (response.ok) return response;
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    throw new SourceError(response.status, message ?? `The server answers ${response.status}.`);
  };
  const get = async <T>(path: string): Promise<T> => (await (await ask(path)).json()) as T;
  const postBody = async <T>(path: string, body: unknown, signal: AbortSignal | null = null): Promise<T> =>
    (await (await ask(path, { method: "POST", body: JSON.stringify(body), signal })).json()) as T;
  const post = (path: string, body: unknown): Promise<void> => postBody(path, body);
  let first = (globalThis as { [FIRST_ANSWER]?: Promise<Response> })[FIRST_ANSWER];
  /** Came with the session, and is good for the first screen alone. */
  let overview: WorkbenchOverview | null = null;
  return {
    local: null,
    async session() {
      const asked = first;
      first = undefined;
      const answer = await ask("/api/session", {}, asked);
      const session = (await answer.json()) as WorkbenchSession & { overview?: WorkbenchOverview | null };
      overview = session.overview ?? null;
      return session;
    },
    async overview(id, isFresh = false) {
      const known = overview;
      overview = null;
      if (known?.collection === id && !isFresh) return known;
      return get(`${at(id)}/overview${isFresh ? "" : "?soon=1"}`);
    },
    queries: (id, runs) => get(`${at(id)}/queries${searchOf({ ...runs })}`),
    query: (id, query, runs) => get(`${at(id)}/query${searchOf({ id: query, ...runs })}`),
    live: (id, query, signal) => postBody(`${at(id)}/live`, { id: query }, signal),
    history: (id) => get(`${at(id)}/batches`),
    compare: (id, a, b) => get(`${at(id)}/compare${searchOf({ a, b })}`),
    report: (id, name) => get(`${at(id)}/${name}`),
    queue: (id, rater, query) => get(`${at(id)}/label${searchOf({ rater, query: query ?? undefined })}`),
    pair: (id, query, item) => get(`${at(id)}/pair${searchOf({ query, item })}`),
    mark: (id, rater, marks, isAdjudicated) =>
      post(`${at(id)}/marks`, { rater, marks, ...(isAdjudicated && { is_adjudicated: true }) }),
    disputes: (id) => get(`${at(id)}/disputes`),
    startBatch: (id, options) => post(`${at(id)}/batch`, options),
    plan: (id, work) => postBody(`${at(id)}/plan`, work),
    startWork: (id, work) => post(`${at(id)}/work`, work),
    beginExample: () => post("/api/example", {}),
    resumeJob: (id) => post(`/api/jobs/${encodeURIComponent(id)}/resume`, {}),
    stopJob: (id) => post(`/api/jobs/${encodeURIComponent(id)}/stop`, {}),
    async watchJobs(id, onJobs, signal) {
      const { body } = await ask(`${at(id)}/jobs`, { signal });
      if (body === null) return;
      const decoder = new TextDecoder();
      let rest = "";
      const reader = body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) onJobs(JSON.parse(line) as WorkbenchJob[]);
      }
    },
  };
}

const at = (collection: string): string => `/api/c/${encodeURIComponent(collection)}`;

function searchOf(values: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) search.set(name, value);
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
