import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type * as Graphile from "graphile-worker";
import type * as Pg from "pg";
import { onAbort, sleep } from "../../foundation/async/index.js";
import { InputError, isRankproofError } from "../../foundation/errors/index.js";
import { parseJson } from "../../foundation/text/index.js";
import { placeOf, schemaOf } from "./address.js";
import { openPool } from "./open-pool.js";
import {
  PostgresDatabase,
  type PostgresConnection,
  type PostgresOptions,
  type PostgresRow,
} from "./postgres-database.js";
import { codeOf, isLost, isMissing, postgresProblem } from "./problem.js";
import type {
  BeginOptions,
  BegunWork,
  PartDone,
  QueuedWork,
  WorkOptions,
  WorkPaid,
  WorkPart,
  WorkProgress,
  WorkQueue,
} from "./queued-work.js";
import { settingsOf } from "./share-pool.js";
import { unescapeText, keyOf, escapeText } from "./escape-text.js";

const TASK = "rankproof";
const LONGEST_NAME = 63;
/** How often a worker without work looks for some, and everyone looks for jobs whose worker is gone. */
const IDLE_MS = 500;
/** Younger jobs may not have been claimed yet by the worker that has them. */
const UNCLAIMED = "1 second";
const FAILURES = 5;
/** What is added at once. */
const JOBS = 10_000;

const PAID =
  "SELECT count(*)::int AS done, count(failed)::int AS failed, coalesce(sum(calls), 0)::int AS calls, " +
  "coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output, " +
  "coalesce(sum(amount), 0) AS amount " +
  "FROM @parts WHERE work_key = w.key";

const WORK =
  "w.json, w.total, w.ended, to_char(w.begun_at AT TIME ZONE 'UTC', " +
  '\'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\') AS begun_at';

const PROGRESS =
  `SELECT ${WORK}, p.*, j.* FROM @work AS w, LATERAL (${PAID}) AS p, LATERAL (SELECT ` +
  "count(*) FILTER (WHERE locked_at IS NULL AND attempts < max_attempts)::int AS waiting, " +
  "count(locked_at)::int AS running, " +
  "count(*) FILTER (WHERE locked_at IS NULL AND attempts >= max_attempts)::int AS given_up, " +
  "(array_agg(last_error ORDER BY updated_at DESC) FILTER (WHERE last_error IS NOT NULL))[1] AS last_error " +
  "FROM #.jobs WHERE starts_with(key, w.key || ' ')) AS j";

/**
 * Opens the queue of a store, whose tables it makes; with `create: false` it writes nothing, and there may be
 * no queue.
 *
 * @throws InputError `CONFIG` where `graphile-worker` or `pg` is not installed.
 */
export async function postgresWorkQueue(options: PostgresOptions): Promise<WorkQueue> {
  let graphile: typeof Graphile;
  try {
    graphile = (await import("graphile-worker")).default as unknown as typeof Graphile;
  } catch (error) {
    throw new InputError(
      "CONFIG",
      "a queue needs the packages graphile-worker and pg: npm install graphile-worker@0.16 pg",
      {},
      error,
    );
  }
  const schema = `${schemaOf(options.url, options.schema)}_queue`;
  if (new TextEncoder().encode(schema).length > LONGEST_NAME)
    throw new InputError("ARGUMENT", `${placeOf(options.url)}: a queue needs a shorter name of the schema`);
  const database = await PostgresDatabase.open(options, "work");
  const pool = await openPool("a queue", settingsOf(options.url, PATIENCE_MS, CONNECTIONS));
  const queue = new GraphileQueue(database, pool, graphile, schema, options.url);
  try {
    if (options.create !== false) await queue.prepare();
    return queue;
  } catch (error) {
    await queue.close();
    throw postgresProblem(error, options.url);
  }
}

const PATIENCE_MS = 10_000;
/** So long a worker waits for a server that is away. */
const AWAY_MS = 120_000;
const CONNECTIONS = 2;

class GraphileQueue implements WorkQueue {
  readonly #database: PostgresDatabase;
  readonly #pool: Pg.Pool;
  readonly #graphile: typeof Graphile;
  readonly #schema: string;
  readonly #url: string;
  readonly #logger: Graphile.Logger;

  constructor(
    database: PostgresDatabase,
    pool: Pg.Pool,
    graphile: typeof Graphile,
    schema: string,
    url: string,
  ) {
    this.#database = database;
    this.#pool = pool;
    this.#graphile = graphile;
    this.#schema = schema;
    this.#url = url;
    this.#logger = new graphile.Logger(() => () => undefined);
  }

  /** Makes the tables of store and queue. */
  async prepare(): Promise<void> {
    await this.#database.write(async () => undefined);
    // Of several that begin at once one makes it; the library looks for its tables when it is asked for.
    for (let tries = 0; ; tries++)
      try {
        return await (await this.#graphile.makeWorkerUtils(this.#shareSettings())).migrate();
      } catch (error) {
        if (tries > 20 || !/^(23505|42P0[67]|42710|XX000|40...)$/.test(codeOf(error))) throw error;
        await sleep(50 + 50 * tries);
      }
  }

  async begin(
    { id, total, about }: QueuedWork,
    { isFailedAgain = false, isEndedAgain = false, known = [] }: BeginOptions = {},
  ): Promise<void> {
    const key = keyOf(id);
    const [before] = await this.progress(id);
    const isOver = before !== undefined && (before.ended || before.waiting + before.running === 0);
    await this.#database.write(async (db) => {
      if (isOver && isEndedAgain) await db.rows("DELETE FROM @work WHERE key = $1", [key]);
      await db.rows(
        "INSERT INTO @work(key, total, json) VALUES ($1, $2, $3) " +
          "ON CONFLICT (key) DO UPDATE SET ended = false",
        [key, total, escapeText(JSON.stringify({ id, about }))],
      );
      if (isFailedAgain)
        await db.rows("DELETE FROM @parts WHERE work_key = $1 AND failed IS NOT NULL", [key]);
      for (const part of known) await keepPart(db, key, part.part, part);
    });
    // A job for each part that has none and has not ended.
    for (let from = 0; from < total; from += JOBS)
      await this.#rows(
        "SELECT count(*) FROM #.add_jobs(ARRAY(SELECT ($1::text, " +
          "json_build_object('work', $2::text, 'part', n), NULL::text, NULL::timestamptz, NULL::int, " +
          "$2::text || ' ' || n, NULL::int, NULL::text[])::#.job_spec " +
          "FROM generate_series($3::int, $4::int) AS n WHERE NOT EXISTS (" +
          "SELECT FROM @parts WHERE work_key = $2::uuid AND part = n) AND NOT EXISTS (SELECT FROM #.jobs " +
          "WHERE key = $2::text || ' ' || n AND (locked_at IS NOT NULL OR attempts = 0))))",
        [TASK, key, from, Math.min(from + JOBS, total) - 1],
      );
  }

  async progress(id?: string): Promise<WorkProgress[]> {
    const rows = await this.#rows(
      `${PROGRESS}${id === undefined ? "" : " WHERE w.key = $1"} ORDER BY w.begun_at`,
      id === undefined ? [] : [keyOf(id)],
      "may be missing",
    );
    return rows.map((row) => workOf<WorkProgress>(row));
  }

  async parts(id: string): Promise<WorkPart[]> {
    const rows = await this.#database.read(
      (db) => db.rows("SELECT * FROM @parts WHERE work_key = $1 ORDER BY part", [keyOf(id)]),
      [],
    );
    return rows.map(partOf);
  }

  async remove(id: string): Promise<void> {
    const key = keyOf(id);
    // A worker that has a part of it finds that there is no such work any more.
    await this.#database.write((db) => db.rows("DELETE FROM @work WHERE key = $1", [key]));
    const jobs = await this.#rows("SELECT id FROM #.jobs WHERE starts_with(key, $1 || ' ')", [key]);
    await this.#rows("SELECT count(*) FROM #.complete_jobs($1::bigint[])", [jobs.map((job) => job["id"])]);
  }

  async work(options: WorkOptions): Promise<void> {
    const failure = new AbortController();
    const signal = AbortSignal.any([options.signal, failure.signal]);
    const name = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`;
    let failures = 0;
    const task = async (payload: unknown, { job }: Graphile.JobHelpers): Promise<void> => {
      const { work, part } = payload as { work: string; part: number };
      const giveBack = await this.#claim(job.id, signal);
      try {
        // Ctrl-C while another worker, that has lost the job, was still at it.
        if (giveBack === undefined) throw new Error("given back");
        await this.#perform(work, part, job.attempts > 1, options);
        failures = 0;
      } catch (error) {
        if (
          !options.signal.aborted &&
          !isPassing(error) &&
          ++failures >= (options.stopAfterFailures ?? FAILURES)
        )
          failure.abort(error);
        throw error;
      } finally {
        await giveBack?.();
      }
    };
    // What the server does not answer is asked again, so that nothing ends for a restart of the server.
    const client = {
      query: (query: Pg.QueryConfig) => this.#patiently(() => this.#pool.query(query)),
    } as unknown as Pg.PoolClient;
    const slot = async (at: number): Promise<void> => {
      // The library keeps something for good of every object of options that it has seen.
      const settings = { ...this.#shareSettings(), noHandleSignals: true, workerId: `${name} ${at}` };
      while (!signal.aborted) {
        const tasks = this.#graphile.runTaskListOnce(settings, { [TASK]: task }, client);
        const letGo = onAbort(signal, () => void tasks.gracefulShutdown());
        await tasks.promise.finally(letGo);
        if (options.isUntilDone === true && (await this.#isEmpty())) return;
        await sleep(IDLE_MS, signal).catch(() => undefined);
      }
    };
    const done = new AbortController();
    const rescue = async (): Promise<void> => {
      while (!done.signal.aborted) {
        // While the server is away no job is lost; whoever works finds out whether it stays away.
        await this.#freeLost().catch((error: unknown) => {
          if (!isPassing(error)) throw error;
        });
        await sleep(IDLE_MS, done.signal).catch(() => undefined);
      }
    };
    const stopAll = (error: unknown): void => failure.abort(error);
    // Those that go on are waited for when one fails: what they are doing is paid, and needs the pool.
    const slots = Array.from({ length: options.concurrency }, (_, at) => slot(at).catch(stopAll));
    await Promise.all([Promise.all(slots).then(() => done.abort()), rescue().catch(stopAll)]);
    if (failure.signal.aborted) throw postgresProblem(failure.signal.reason, this.#url);
  }

  async close(): Promise<void> {
    await this.#database.close();
    await this.#pool.end();
  }

  /** Does a part that has not ended, and keeps what came of it. */
  async #perform(key: string, part: number, isRetry: boolean, options: WorkOptions): Promise<void> {
    const [found] = await this.#rows(
      `SELECT ${WORK} FROM @work AS w WHERE w.key = $1 AND NOT ended AND NOT EXISTS (` +
        "SELECT FROM @parts WHERE work_key = w.key AND part = $2)",
      [key, part],
    );
    if (found === undefined) return;
    const work = workOf<BegunWork>(found);
    const paid = async (): Promise<WorkPaid> => {
      const [sums] = await this.#rows(`SELECT p.* FROM @work AS w, LATERAL (${PAID}) AS p WHERE w.key = $1`, [
        key,
      ]);
      return (sums ?? { calls: 0, input: 0, output: 0, amount: 0 }) as unknown as WorkPaid;
    };
    let done: PartDone | null;
    try {
      done = await options.perform({ work, part, isRetry, paid });
    } catch (error) {
      options.onFailed?.(work, part, error);
      throw error;
    }
    await this.#database.write(async (db) => {
      if (done?.ends ?? done === null) await db.rows("UPDATE @work SET ended = true WHERE key = $1", [key]);
      if (done !== null) await keepPart(db, key, part, done);
    });
    if (done !== null) options.onPart?.(work, { ...done, part });
  }

  /** Takes a job for oneself; undefined where the signal came before that. */
  async #claim(job: string, signal: AbortSignal): Promise<(() => Promise<void>) | undefined> {
    for (;;) {
      const giveBack = await this.#database.claim(claimOf(job));
      if (giveBack !== undefined || signal.aborted) return giveBack;
      await sleep(IDLE_MS);
    }
  }

  /** Frees jobs whose worker is gone: what a process has claimed ends with it. */
  async #freeLost(): Promise<void> {
    const jobs = await this.#rows(
      `SELECT id, locked_by FROM #.jobs WHERE locked_at < now() - interval '${UNCLAIMED}'`,
    );
    const lost = new Set(await this.#database.listUnclaimed(jobs.map(({ id }) => claimOf(id))));
    for (const { id, locked_by } of jobs) {
      const giveBack = lost.has(claimOf(id)) ? await this.#database.claim(claimOf(id)) : undefined;
      if (giveBack === undefined) continue;
      // Not the jobs that it has got since: a worker has one at a time.
      await this.#rows(
        "SELECT #.force_unlock_workers(ARRAY[locked_by]) FROM #.jobs WHERE id = $1 AND locked_by = $2",
        [id, locked_by],
      );
      await giveBack();
    }
  }

  async #isEmpty(): Promise<boolean> {
    return (
      (await this.#rows("SELECT FROM #.jobs WHERE attempts < max_attempts OR locked_at IS NOT NULL LIMIT 1"))
        .length === 0
    );
  }

  #shareSettings(): Graphile.WorkerUtilsOptions {
    return { pgPool: this.#pool, schema: this.#schema, logger: this.#logger };
  }

  /** Rows of a statement about the queue, `#`, and the store, `@`. */
  async #rows(
    statement: string,
    values: readonly unknown[] = [],
    tables: "are there" | "may be missing" = "are there",
  ): Promise<PostgresRow[]> {
    const text = this.#database.inSchema(statement, this.#schema);
    try {
      return (await this.#patiently(() => this.#pool.query<PostgresRow>(text, [...values]))).rows;
    } catch (error) {
      if (tables === "may be missing" && isMissing(error)) return [];
      throw postgresProblem(error, this.#url);
    }
  }

  /** Tries again while the server is away. */
  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (const end = Date.now() + AWAY_MS; ;)
      try {
        return await ask();
      } catch (error) {
        if (!isLost(error) || Date.now() > end) throw error;
        await sleep(IDLE_MS);
      }
  }
}

/** Whether the way to the server failed, or another worker took over: another try may succeed. */
function isPassing(error: unknown): boolean {
  if (!isRankproofError(error)) return isLost(error);
  return error.code === "STORE_LOCKED" || (error.code === "STORE_DATABASE" && isLost({ ...error.details }));
}

/** What was stored of a part stays; of work that was taken out of the queue nothing is stored. */
async function keepPart(
  db: PostgresConnection,
  key: string,
  part: number,
  { failed, calls, input, output, amount, outcome }: PartDone,
): Promise<void> {
  await db.rows(
    "INSERT INTO @parts SELECT key, $2, $3, $4, $5, $6, $7, $8 FROM @work WHERE key = $1 " +
      "ON CONFLICT DO NOTHING",
    [
      key,
      part,
      failed === null ? null : escapeText(failed),
      ...[calls, input, output, amount],
      escapeText(JSON.stringify(outcome)),
    ],
  );
}

function claimOf(job: unknown): string {
  return `job ${String(job)}`;
}

function workOf<T extends BegunWork>({ json, ...row }: PostgresRow): T {
  return { ...row, ...(parseJson(unescapeText(json)) as object) } as unknown as T;
}

function partOf({ json, failed, ...row }: PostgresRow): WorkPart {
  return {
    ...(row as unknown as WorkPart),
    failed: failed === null ? null : unescapeText(failed),
    outcome: parseJson(unescapeText(json)),
  };
}
