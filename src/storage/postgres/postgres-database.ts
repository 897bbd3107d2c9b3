import { randomUUID } from "node:crypto";
import type * as Pg from "pg";
import { sleep } from "../../foundation/async/index.js";
import { AdapterError, InputError, quote } from "../../foundation/errors/index.js";
import { checkOpening } from "../check-given.js";
import { placeOf, schemaOf } from "./address.js";
import { claimLock, Claims } from "./claims.js";
import { columnsOf, type Value } from "./columns.js";
import { lockNumber } from "./lock-number.js";
import { codeOf, isInTheWay, isLost, isMissing, postgresProblem } from "./problem.js";
import { migrationFrom, POSTGRES_SCHEMA, tablesOf } from "./schema.js";
import { settingsOf, sharePool } from "./share-pool.js";
import { keyOf } from "./escape-text.js";

/** Where a store in PostgreSQL is, and how patiently it is used. */
export interface PostgresOptions {
  /**
   * `postgresql://user:password@host:5432/database?schema=name`; never printed with its password. TLS as the
   * package `pg` has it: `?sslmode=verify-full`.
   */
  readonly url: string;
  /** The schema that is the store's own; default that of the address, else `rankproof`. */
  readonly schema?: string | undefined;
  /**
   * How long a call waits for other processes, and for a server that has ended the connection to take another
   * one, in milliseconds. Default 10,000.
   */
  readonly lockTimeoutMs?: number | undefined;
  /** Whether a schema without a store will do, which the first write then makes. Default true. */
  readonly create?: boolean | undefined;
}

/** What a call sends to PostgreSQL, and what comes back; `@name` stands for a table of the store. */
export interface PostgresConnection {
  /** All rows of a statement, which is prepared. */
  rows(statement: string, values?: readonly unknown[]): Promise<PostgresRow[]>;
  /**
   * Runs a statement for many records: what `values` returns of each stands in arrays, one for each column,
   * behind the parameters that are `fixed`.
   */
  each<T>(
    statement: string,
    records: Iterable<T>,
    values: (record: T, at: number) => readonly Value[],
    fixed?: readonly unknown[],
  ): Promise<void>;
}

export type PostgresRow = Readonly<Record<string, unknown>>;

const LOCK_TIMEOUT_MS = 10_000;
/** For what rewrites whole tables. */
const ANY_TIME = { query_timeout: 2 ** 31 - 1 };
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [20, 500];

/**
 * Notes a transaction; `fresh` is 0 for one that was committed, though nobody heard of it. With one of 16 go
 * old tokens. It has no parameters, so that it is sent with what begins the transaction.
 */
function entering(token: string): string {
  const old =
    "DELETE FROM @tokens WHERE token IN (SELECT token FROM @tokens WHERE at < now() - interval '1 hour' " +
    "LIMIT 1000 FOR UPDATE SKIP LOCKED); ";
  return (
    (token.startsWith("0") ? old : "") +
    `WITH token AS (INSERT INTO @tokens(token) VALUES ('${token}') ON CONFLICT DO NOTHING RETURNING 1) ` +
    "SELECT version, (SELECT count(*)::int FROM token) AS fresh FROM @schema_version"
  );
}

/** Counts a change and commits it. Last of all: who writes long would keep others waiting for its counter. */
function committing(kind: Kind): string {
  return `UPDATE @changes SET n = n + 1 WHERE kind = '${kind}' AND slot = pg_backend_pid() % 32; COMMIT`;
}

/** What an attempt returns that is to be made again. */
const RETRY: unique symbol = Symbol("again");

/** What is written: the stamps of runs and of labels tell of each; who keeps what was read minds no work. */
type Kind = "runs" | "labels" | "work";

/** The schema of one store, and the connections to it. */
export class PostgresDatabase {
  /** As messages name it. */
  readonly name: string;
  readonly #url: string;
  readonly #schema: string;
  readonly #kind: Kind;
  readonly #pool: Pg.Pool;
  readonly #release: () => void;
  /** Calls that are under way: closing waits for them. */
  readonly #calls = new Set<Promise<unknown>>();
  readonly #patienceMs: number;
  /** Held by all that write, and by nobody else where all of the schema changes. */
  readonly #lock: string;
  readonly #claims: Claims;
  #wasThere = false;
  #isClosed = false;

  private constructor(
    options: PostgresOptions,
    kind: Kind,
    { pool, release }: Awaited<ReturnType<typeof sharePool>>,
    schema: string,
  ) {
    this.#url = options.url;
    this.#schema = schema;
    this.name = placeOf(options.url);
    this.#kind = kind;
    this.#pool = pool;
    this.#release = release;
    this.#patienceMs = Math.ceil(options.lockTimeoutMs ?? LOCK_TIMEOUT_MS);
    this.#lock = lockNumber("schema", schema);
    this.#claims = new Claims({
      store: this.name,
      schema,
      connection: settingsOf(options.url, this.#patienceMs, 1),
      onConnected: () => {
        this.#wasThere = true;
      },
    });
  }

  /** Connects, and refuses what is no store. */
  static async open(options: PostgresOptions, kind: Kind): Promise<PostgresDatabase> {
    checkOpening(options, ["url", "schema"]);
    const schema = schemaOf(options.url, options.schema);
    const shared = await sharePool(options.url, options.lockTimeoutMs ?? LOCK_TIMEOUT_MS);
    const database = new PostgresDatabase(options, kind, shared, schema);
    try {
      const version = await database.#patiently(() =>
        database.#with((client) => database.#versionOf(client)),
      );
      if (version === 0 && options.create === false)
        throw new InputError(
          "FILE_NOT_FOUND",
          `${database.name}: the database has no store in the schema ${quote(schema)}; name another one ` +
            "with ?schema=, or make it with `rankproof init --store`",
        );
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  }

  /** Runs `look` on one state of the schema; `empty` where there is none yet. */
  read<T>(look: (db: PostgresConnection) => Promise<T>, empty: T): Promise<T> {
    return this.#patiently(() =>
      this.#with(async (client) => {
        try {
          const begun = await this.#simply(
            client,
            `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${this.#settings}; ` +
              "SELECT version FROM @schema_version",
          );
          this.#refuseNewer(Number(begun.at(-1)?.["version"]));
        } catch (error) {
          if (!isMissing(error)) throw error;
          await client.query("ROLLBACK");
          return empty;
        }
        const found = await look(this.#connection(client));
        await client.query("COMMIT");
        return found;
      }),
    );
  }

  /**
   * Runs `change` in one transaction. It runs again where the connection was lost before the commit; where it
   * was lost at the commit, what was committed is not done twice.
   *
   * @param isAlone while nobody else writes.
   */
  async write<T>(change: (db: PostgresConnection) => Promise<T>, isAlone = false): Promise<T> {
    const token = randomUUID();
    let outcome: { readonly of: T } | undefined;
    let isOutdated = false;
    let hasMigrated = false;
    return this.#patiently<T>(() =>
      this.#with(async (client) => {
        await this.#claims.keep();
        const entered = await this.#begin(client, isAlone, entering(token));
        if (entered?.["fresh"] === 0 && outcome !== undefined) {
          await client.query("ROLLBACK");
          return outcome.of;
        }
        const version = Number(entered?.["version"]);
        this.#refuseNewer(version);
        isOutdated = version < POSTGRES_SCHEMA;
        if (isOutdated) throw new Error("the schema is of an older version");
        const changed = await change(this.#connection(client));
        outcome = { of: changed };
        await this.#simply(client, committing(this.#kind));
        return changed;
      }).catch(async (error: unknown): Promise<typeof RETRY> => {
        if ((!isMissing(error) && !isOutdated) || hasMigrated) throw error;
        // Where its connection is lost, it is made again, too.
        await this.migrate();
        hasMigrated = true;
        return RETRY;
      }),
    );
  }

  /** Makes the tables, or brings those of an older version up to date. */
  migrate(): Promise<void> {
    return this.#with(async (client) => {
      await this.#begin(client, true);
      const [there] = await this.#connection(client).rows(
        "SELECT current_setting('server_encoding') AS encoding, n.oid AS schema " +
          "FROM (VALUES ($1::text)) AS wanted(name) LEFT JOIN pg_namespace AS n ON n.nspname = name",
        [this.#schema],
      );
      if (there?.["encoding"] !== "UTF8")
        throw new InputError("STORE_SCHEMA", `${this.name}: the database must have the encoding UTF8`);
      if (there["schema"] === null) await client.query(`CREATE SCHEMA ${quoteName(this.#schema)}`);
      const version = await this.#versionOf(client);
      if (version < POSTGRES_SCHEMA) await this.#simply(client, migrationFrom(version), ANY_TIME);
      await client.query("COMMIT");
    });
  }

  /** Rewrites tables without what was removed. */
  compact(tables: readonly string[]): Promise<void> {
    return this.#patiently(() =>
      this.#with(async (client) => {
        await client.query(`SET lock_timeout = ${this.#patienceMs}`);
        const all = tables.map((table) => `@${table}`).join(", ");
        await this.#simply(client, `VACUUM (FULL) ${all}`, ANY_TIME);
        await client.query("RESET lock_timeout");
      }),
    );
  }

  /** What changes with every transaction that wrote, by what it wrote; none where nothing was written yet. */
  async stamps(): Promise<ReadonlyMap<unknown, string>> {
    const sums = "SELECT kind, sum(n)::text AS sum FROM @changes GROUP BY kind";
    const rows = await this.read((db) => db.rows(sums), []);
    return new Map(rows.map(({ kind, sum }) => [kind, String(sum)]));
  }

  /** As that of a label store: locks of one connection, which end with the process. */
  claim(name: string): Promise<(() => Promise<void>) | undefined> {
    return this.#claims.take(name, (hold) => this.#patiently(hold));
  }

  /** Of these names those that nobody has claimed at the moment. */
  async listUnclaimed(names: readonly string[]): Promise<string[]> {
    const held =
      "SELECT (classid::bigint << 32 | objid::bigint)::text AS number FROM pg_locks WHERE objsubid = 1 AND " +
      "locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    const rows = await this.#patiently(() => this.#with((client) => client.query<PostgresRow>(held)));
    const numbers = new Set(rows.rows.map(({ number }) => number));
    return names.filter((name) => !numbers.has(claimLock(this.#schema, name)));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#claims.close();
    await Promise.allSettled(this.#calls);
    this.#release();
  }

  /** Begins a transaction that writes, and takes its lock; the row of the first statement in it. */
  async #begin(client: Pg.PoolClient, isAlone: boolean, first = ""): Promise<PostgresRow | undefined> {
    const lock = `pg_advisory_xact_lock${isAlone ? "" : "_shared"}(${this.#lock})`;
    // Whatever is usual in the database: what others wrote while the lock was waited for must be seen.
    const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; ${this.#settings}; SELECT ${lock}; ${first}`;
    return (await this.#simply(client, begin)).at(-1);
  }

  /** How long a transaction waits for locks; and numbers have all of their digits. */
  get #settings(): string {
    return `SET LOCAL lock_timeout = ${this.#patienceMs}; SET LOCAL extra_float_digits = 1`;
  }

  /**
   * The version of the schema, 0 where it has none yet. Another program may call a table `schema_version`,
   * too: nothing of its own is read or changed.
   * @throws InputError `STORE_SCHEMA` for a schema of another kind, and one of a newer version.
   */
  async #versionOf(client: Pg.PoolClient): Promise<number> {
    // The catalogue itself: what the connection remembers of names may be from before a lock.
    const tables =
      "SELECT relname::text FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace " +
      "WHERE nspname = $1 AND relkind IN ('r', 'p')";
    const db = this.#connection(client);
    const [there] = await db.rows(`${tables} AND relname = 'schema_version'`, [this.#schema]);
    if (there === undefined) return 0;
    // In one statement: another process may bring the schema up to date at the moment.
    const [is, ...others] = await db.rows(`SELECT version, ARRAY(${tables}) AS tables FROM @schema_version`, [
      this.#schema,
    ]);
    const version = Number(is?.["version"]);
    const known = is?.["tables"] as readonly string[] | undefined;
    const missing = tablesOf(version).find((table) => known?.includes(table) === false);
    const lack =
      missing !== undefined
        ? `it has no table ${missing}`
        : Number.isInteger(version) && version > 0 && others.length === 0
          ? null
          : "its schema_version has not one version";
    if (lack !== null)
      throw new InputError(
        "STORE_SCHEMA",
        `${this.name}: the schema is of another kind, or was not restored as a whole: ${lack}; name one of ` +
          "its own with ?schema=",
      );
    this.#refuseNewer(version);
    return version;
  }

  #refuseNewer(version: number): void {
    if (version > POSTGRES_SCHEMA)
      throw new InputError(
        "STORE_SCHEMA",
        `${this.name}: the schema is of version ${version}, and this version knows ${POSTGRES_SCHEMA}; ` +
          "use a newer rankproof",
        { version },
      );
  }

  /** Runs work on a connection, which is not used again where anything is left open on it. */
  async #with<T>(work: (client: Pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    this.#wasThere = true;
    let isWhole = false;
    try {
      const done = await work(client);
      isWhole = true;
      return done;
    } catch (error) {
      if (!isLost(error))
        isWhole = await client.query("ROLLBACK").then(
          () => true,
          () => false,
        );
      throw error;
    } finally {
      client.release(!isWhole);
    }
  }

  #patiently<T>(work: () => Promise<T | typeof RETRY>): Promise<T> {
    const call = this.#retry(work);
    this.#calls.add(call);
    void call.catch(() => undefined).finally(() => this.#calls.delete(call));
    return call;
  }

  /** Tries again while the server is away, or took a transaction back because of others. */
  async #retry<T>(work: () => Promise<T | typeof RETRY>): Promise<T> {
    const end = Date.now() + this.#patienceMs;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      if (this.#isClosed)
        throw new AdapterError("STORE_CLOSED", `${this.name}: the store is closed; open a new one`);
      try {
        const done = await work();
        if (done !== RETRY) return done;
      } catch (error) {
        const isStarting = codeOf(error) === "57P03";
        const mayPass = isInTheWay(error) || isStarting || (this.#wasThere && isLost(error));
        if (!mayPass || Date.now() + wait > end) throw postgresProblem(error, this.#url);
        await sleep(wait);
      }
    }
  }

  #connection(client: Pg.PoolClient): PostgresConnection {
    const rows = async (statement: string, values: readonly unknown[] = []): Promise<PostgresRow[]> => {
      const text = this.inSchema(statement);
      return (await client.query<PostgresRow>({ name: keyOf(text), text, values: [...values] })).rows;
    };
    return {
      rows,
      async each(statement, records, values, fixed = []) {
        for (const columns of columnsOf(records, values)) await rows(statement, [...fixed, ...columns]);
      },
    };
  }

  /** Statements without parameters; the rows of the last one. */
  async #simply(client: Pg.PoolClient, statements: string, time: object = {}): Promise<PostgresRow[]> {
    const results = (await client.query<PostgresRow>({ text: this.inSchema(statements), ...time })) as
      Pg.QueryResult<PostgresRow> | Pg.QueryResult<PostgresRow>[];
    return (Array.isArray(results) ? results.at(-1)?.rows : results.rows) ?? [];
  }

  /** A statement with the names of tables in full. @param other the schema that `#.` stands for. */
  inSchema(statement: string, other = ""): string {
    return statement.replace(/@(?=\w)|#\./g, (sign) => `${quoteName(sign === "@" ? this.#schema : other)}.`);
  }
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
