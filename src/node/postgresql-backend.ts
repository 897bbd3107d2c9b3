import type * as Pg from "pg";
import { raceAbort } from "../foundation/async/index.js";
import { parseJson } from "../foundation/text/index.js";
import { checkLimit } from "../foundation/checks/index.js";
import { AdapterError, InputError, messageOf, quote } from "../foundation/errors/index.js";
import { openPool, placeOf, withoutPassword } from "../storage/postgres/internal.js";
import type { Backend, BackendHit, LabelItem } from "../records/index.js";

/** A query in SQL as a search. */
export interface PostgresqlBackendOptions {
  /** How to connect: `postgresql://user:password@host:5432/database`. Never printed with its password. */
  readonly url: string;
  /** The query, best first: `$1` are the words, `$2` is how many. Columns `id`, `score`, and fields. */
  readonly sql: string;
  /** A query for all items: column `id`, and fields. Without it they cannot be listed. */
  readonly listSql?: string | undefined;
  /** After so long a query has failed, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 30_000;
const CONNECTIONS = 4;
const PATIENCE_MS = 500;

type PgRow = Readonly<Record<string, unknown>>;

/**
 * A search in PostgreSQL, by the package `pg`, which is to be installed besides. It only reads: each
 * connection is set so that nothing can be written.
 *
 * @throws InputError `CONFIG` for a query without `$1` and `$2`, and where `pg` is not installed.
 */
export async function postgresqlBackend({
  url,
  sql,
  listSql,
  timeoutMs = TIMEOUT_MS,
}: PostgresqlBackendOptions): Promise<Backend> {
  for (const parameter of ["$1", "$2"])
    if (!sql.includes(parameter))
      throw new InputError(
        "CONFIG",
        `the query must have ${parameter}: $1 are the words of the question, $2 is how many hits are wanted`,
      );
  const settings: Pg.PoolConfig = {
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    // A server that says nothing at all does not end a statement, either.
    query_timeout: timeoutMs + PATIENCE_MS,
  };
  const pool = await openPool("a search in PostgreSQL", settings);
  const where = placeOf(url);
  const rowsOf = async (
    text: string,
    values: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<readonly PgRow[]> => {
    try {
      return await raceAbort(() => runQuery(pool, text, values, signal), signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw new AdapterError("RETRIEVER_FAILED", `${where}: ${withoutPassword(messageOf(error), url)}`);
    }
  };
  return {
    async search(query, { limit, signal }) {
      checkLimit(limit);
      signal?.throwIfAborted();
      const hits = new Map<string, BackendHit>();
      (await rowsOf(sql, [query, limit], signal)).forEach((row, at) => {
        const { id, fields } = itemIn(row, at, where);
        if (!hits.has(id)) hits.set(id, { chunk_id: id, doc_id: id, score: scoreIn(row, at, where), fields });
      });
      return [...hits.values()].slice(0, limit).map((hit, at) => ({ ...hit, rank: at + 1 }));
    },
    ...(listSql !== undefined && {
      async *list({ signal } = {}) {
        const seen = new Set<string>();
        for (const [at, row] of (await rowsOf(listSql, [], signal)).entries()) {
          const item = itemIn(row, at, where);
          if (seen.has(item.id)) continue;
          seen.add(item.id);
          yield item;
        }
      },
    }),
    async configuration({ signal } = {}) {
      const [settings] = await rowsOf(
        "SELECT version(), current_setting('default_text_search_config') AS default_text_search_config",
        [],
        signal,
      );
      return settings;
    },
    close: () => pool.end(),
  };
}

/** All digits of a score; and transactions only read, unless the SQL of the search says otherwise itself. */
const SETTINGS = "SET extra_float_digits = 1; SET default_transaction_read_only = on";
const prepared = new WeakSet<Pg.PoolClient>();

/** A connection that is still at a query is closed, so that nobody waits for it. */
async function runQuery(
  pool: Pg.Pool,
  text: string,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<readonly PgRow[]> {
  const client = await pool.connect();
  if (signal?.aborted === true) {
    client.release();
    return [];
  }
  let isDropped = false;
  const drop = (): void => {
    isDropped = true;
    client.release(true);
  };
  signal?.addEventListener("abort", drop, { once: true });
  let isWhole = false;
  try {
    if (!prepared.has(client)) await client.query(SETTINGS);
    prepared.add(client);
    const { rows } = await client.query<PgRow>(text, [...values]);
    isWhole = true;
    return rows;
  } finally {
    signal?.removeEventListener("abort", drop);
    if (!isDropped) client.release(!isWhole);
  }
}

function itemIn({ id, score: _, ...fields }: PgRow, at: number, where: string): LabelItem {
  if (typeof id !== "number" && (typeof id !== "string" || id === ""))
    throw new AdapterError(
      "RETRIEVER_FAILED",
      `${where}: row ${at + 1} must have an id in a column of that name, got ${quote(id)}`,
    );
  return { id: String(id), fields: parseJson(JSON.stringify(fields)) as LabelItem["fields"] };
}

/** A `numeric` comes as a text, so that it loses no digit. */
function scoreIn({ score }: PgRow, at: number, where: string): number | null {
  if (score === undefined || score === null) return null;
  const number = typeof score === "string" && score.trim() !== "" ? Number(score) : score;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw new AdapterError(
    "RETRIEVER_FAILED",
    `${where}: row ${at + 1} must have a finite score, got ${quote(score)}`,
  );
}
