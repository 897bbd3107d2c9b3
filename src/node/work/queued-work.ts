import { createHash } from "node:crypto";
import { sleep } from "../../foundation/async/index.js";
import { AdapterError, InputError, quote } from "../../foundation/errors/index.js";
import { canonicalJson } from "../../foundation/text/index.js";
import type { Surroundings } from "../../files/index.js";
import type { Config, DatasetConfig } from "../../records/index.js";
import type {
  AskedPart,
  BegunWork,
  PartDone,
  WorkProgress,
  WorkQueue,
} from "../../storage/postgres/index.js";
import type { Dataset, NamedQuery } from "../datasets/dataset.js";
import { readWholeDataset } from "../datasets/whole-dataset.js";
import { isPostgresUrl, storeName } from "../store-name.js";

/** What a worker is told of a dataset: it reads the rest from the configuration and the files where it is. */
export interface QueuedDataset {
  readonly id: string;
  /** What flags said in place of the configuration. */
  readonly named: Readonly<Partial<Record<"queries" | "corpus" | "tenant" | "language", string | undefined>>>;
  /** Digest of the queries: all must mean the same ones. */
  readonly digest: string;
}

/** Does the parts of one work. */
export interface Performer {
  perform(query: NamedQuery, asked: AskedPart): Promise<PartDone | null>;
  close(): Promise<void>;
}

/** Where a worker is. */
export interface WorkPlace {
  readonly config: Config;
  /** The address of the database that has the queue. */
  readonly store: string;
  readonly env: Surroundings["env"];
  /** Called with what makes results worse, or may. */
  readonly onWarning: (message: string) => void;
  /** Called with what the worker does. */
  readonly onNote: (message: string) => void;
}

/**
 * Opens the queue of a store.
 *
 * @param what whose store it is, for the error.
 * @param create whether it is made where there is none; without it nothing is written.
 * @throws InputError `ARGUMENT` where the store is no database, `CONFIG` where a package is missing.
 */
export async function openWorkQueue(store: string, what = "--store", create = true): Promise<WorkQueue> {
  if (!isPostgresUrl(store))
    throw new InputError(
      "ARGUMENT",
      `a queue is in a PostgreSQL database, and ${what} is ${quote(store)}; name one: postgresql://…`,
    );
  return (await import("../../storage/postgres/index.js")).postgresWorkQueue({ url: store, create });
}

/** What is said of a dataset to workers. */
export function queueDataset({ id, queries }: Dataset, named: QueuedDataset["named"]): QueuedDataset {
  const { queries: file, corpus, tenant, language } = named;
  return {
    id,
    named: dropUndefined({ queries: file, corpus, tenant, language }),
    digest: digestOf(queries.map((each) => [each.id, each.query])),
  };
}

function dropUndefined(named: QueuedDataset["named"]): Partial<Record<keyof QueuedDataset["named"], string>> {
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** The same dataset where a worker is. @throws InputError `CONFIG` where it is not the same. */
export async function datasetOfWork(
  { config, store }: WorkPlace,
  { id, named, digest }: QueuedDataset,
): Promise<Dataset> {
  const { datasets = {} } = config;
  const own = Object.hasOwn(datasets, id) ? datasets[id] : undefined;
  const queries = named.queries ?? own?.queries;
  if (queries === undefined)
    throw new InputError(
      "CONFIG",
      `the configuration here has no dataset ${quote(id)}, which work in the queue is about; start the ` +
        "worker in the folder of the project",
    );
  const merged: DatasetConfig = { ...own, ...dropUndefined(named), queries };
  const dataset = await readWholeDataset(config, id, merged, store);
  if (queueDataset(dataset, {}).digest === digest) return dataset;
  throw new InputError(
    "CONFIG",
    `${queries} has other queries here than where the work was put into the queue; bring the project up to ` +
      "date, or take the work out: rankproof work --remove",
  );
}

/** A name for what is to be done, the same for the same. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
}

/** How often whoever waits looks. */
const LOOK_MS = 500;
/** So long nobody may work before that is said. */
const QUIET_MS = 5000;

/**
 * Waits until work has ended, whoever does it.
 *
 * @throws AdapterError `RUN_INCOMPLETE` where it was taken out of the queue; an abort's own reason.
 */
export async function awaitWork(
  queue: WorkQueue,
  id: string,
  store: string,
  watcher: {
    readonly signal: AbortSignal;
    readonly onWork: (work: WorkProgress) => void;
    readonly onNote: (message: string) => void;
  },
): Promise<WorkProgress> {
  let [quietSince, wasTold] = [Date.now(), false];
  for (;;) {
    watcher.signal.throwIfAborted();
    const [work] = await queue.progress(id);
    if (work === undefined) throw new AdapterError("RUN_INCOMPLETE", "the work was taken out of the queue");
    watcher.onWork(work);
    const { done, total, running, waiting, ended, given_up } = work;
    if (done === total || (running === 0 && (ended || waiting === 0))) {
      if (given_up > 0) watcher.onNote(`${given_up} were tried too often; the same command tries them again`);
      return work;
    }
    if (running > 0) [quietSince, wasTold] = [Date.now(), false];
    if (!wasTold && Date.now() - quietSince > QUIET_MS) {
      wasTold = true;
      const why = work.last_error === null ? "" : `; the last one failed: ${work.last_error}`;
      watcher.onNote(
        `${waiting} wait in the queue and nobody works${why}; start workers: rankproof work --store ` +
          storeName(store),
      );
    }
    await sleep(LOOK_MS, watcher.signal);
  }
}

/** What does a work, with how many parts of it are under way. */
interface OpenWork {
  readonly ready: Promise<{ readonly dataset: Dataset; readonly performer: Performer }>;
  users: number;
}

/** Opens what does a work, and keeps it for all of its parts: until another work begins. */
export class Performers {
  readonly #open: (work: BegunWork) => OpenWork["ready"];
  readonly #works = new Map<string, OpenWork>();

  constructor(open: (work: BegunWork) => OpenWork["ready"]) {
    this.#open = open;
  }

  readonly perform = async (asked: AskedPart): Promise<PartDone | null> => {
    const name = `${asked.work.id} ${asked.work.begun_at}`;
    if (!this.#works.has(name)) {
      // Its work has ended, whatever comes of closing it.
      for (const [other, { users }] of this.#works)
        if (users === 0) void this.#letGo(other).catch(() => undefined);
      this.#works.set(name, { ready: this.#open(asked.work), users: 0 });
    }
    const work = this.#works.get(name) as OpenWork;
    work.users++;
    try {
      const { dataset, performer } = await work.ready;
      return await performer.perform(dataset.queries[asked.part] as NamedQuery, asked);
    } catch (error) {
      // What is missing may be there at the next try.
      await work.ready.catch(() => this.#works.get(name) === work && this.#works.delete(name));
      throw error;
    } finally {
      work.users--;
    }
  };

  async close(): Promise<void> {
    await Promise.all([...this.#works.keys()].map((name) => this.#letGo(name)));
  }

  async #letGo(name: string): Promise<void> {
    const ready = this.#works.get(name)?.ready;
    this.#works.delete(name);
    await (await ready?.catch(() => undefined))?.performer.close();
  }
}
