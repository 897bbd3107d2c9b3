import type * as Pg from "pg";
import { openPool } from "./open-pool.js";

/** Connections of all stores of this process that are at one address, with as many as use them. */
interface SharedPool {
  readonly pool: Promise<Pg.Pool>;
  users: number;
}

const CONNECTIONS = 8;
/** Whoever opens a store for each request need not connect each time. */
const LINGER_MS = 1000;
const pools = new Map<string, SharedPool>();

/** A server that has stopped does not end its connections. A statement takes seconds. */
const LONGEST_ANSWER_MS = 300_000;

/** Settings of a connection that ends with the process, and not before it is wanted no more. */
export function settingsOf(url: string, timeoutMs: number, max = CONNECTIONS): Pg.PoolConfig {
  return {
    connectionString: url,
    max,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: LONGEST_ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: timeoutMs,
    allowExitOnIdle: true,
    application_name: "rankproof",
  };
}

/** The connections to an address, and what lets them go. */
export async function sharePool(
  url: string,
  timeoutMs: number,
): Promise<{ readonly pool: Pg.Pool; readonly release: () => void }> {
  const key = JSON.stringify([url, timeoutMs]);
  const shared = pools.get(key) ?? {
    pool: openPool("a store in PostgreSQL", settingsOf(url, timeoutMs)),
    users: 0,
  };
  pools.set(key, shared);
  shared.users++;
  const end = async (): Promise<void> => {
    if (shared.users > 0 || pools.get(key) !== shared) return;
    pools.delete(key);
    await (await shared.pool).end();
  };
  const release = (): void => {
    shared.users--;
    setTimeout(() => void end().catch(() => undefined), LINGER_MS).unref();
  };
  try {
    return { pool: await shared.pool, release };
  } catch (error) {
    pools.delete(key);
    throw error;
  }
}
