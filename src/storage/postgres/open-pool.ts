import type * as Pg from "pg";
import { InputError } from "../../foundation/errors/index.js";

/** `date`, `timestamp` and `timestamptz`, by their numbers. */
const DATES = [1082, 1114, 1184];

/**
 * Connections of the package `pg`, which is loaded now. A connection that breaks while nobody uses it is no
 * crash: the next query says what is wrong.
 *
 * @throws InputError `CONFIG` where `pg` is not installed, and for an address that is none.
 */
export async function openPool(
  what: string,
  settings: Omit<Pg.PoolConfig, "types">,
  onConnect?: (client: Pg.PoolClient) => void,
): Promise<Pg.Pool> {
  if (!URL.canParse(settings.connectionString ?? ""))
    throw new InputError("CONFIG", `${what} needs an address such as postgresql://user@host:5432/database`);
  let pg: typeof Pg;
  try {
    pg = await import("pg");
  } catch (error) {
    throw new InputError("CONFIG", `${what} needs the package pg: npm install pg`, {}, error);
  }
  // A day is the same on every machine.
  const getTypeParser = ((id, format) =>
    DATES.includes(id)
      ? String
      : (pg.default.types.getTypeParser(id, format) as unknown)) as typeof pg.default.types.getTypeParser;
  const pool = new pg.default.Pool({ ...settings, types: { getTypeParser } });
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    onConnect?.(client);
  });
  pool.on("error", () => undefined);
  return pool;
}
