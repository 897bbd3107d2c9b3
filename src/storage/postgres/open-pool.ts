import type * as Pg from "pg";
import { InputError } from "../../foundation/errors/index.js";

/** `date`, `timestamp` and `timestamptz`, by their numbers. */
const DATES = [1082, 1114, 1184];

type Connected = ((error: Error) => void) | ((error: null, client: Pg.Client) => void);

/**
 * Connections of the package `pg`, which is loaded now. A connection that breaks while nobody uses it is no
 * crash: the next query says what is wrong.
 *
 * @throws InputError `CONFIG` where `pg` is not installed, and for an address that is none.
 */
export async function openPool(what: string, settings: Omit<Pg.PoolConfig, "types">): Promise<Pg.Pool> {
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
  /** One that could not sign on would hold its socket until the server closes it, and the process with it. */
  class Client extends pg.default.Client {
    override connect(): Promise<Pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Pg.Client> | void {
      if (callback === undefined) return super.connect();
      super.connect((error: Error | null) => {
        if (error) void this.end().catch(() => undefined);
        (callback as (error: Error | null, client: Pg.Client) => void)(error, this);
      });
    }
  }
  const pool = new pg.default.Pool({ ...settings, Client, types: { getTypeParser } });
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
  });
  pool.on("error", () => undefined);
  return pool;
}
