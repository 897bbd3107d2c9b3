import { PostgresDatabase } from "./postgres-database.js";

/** Kept, so that a look takes no new connection; idle connections end by themselves. */
const databases = new Map<string, Promise<PostgresDatabase>>();

/** What tells runs and labels from what they were before; `-` where nothing was written yet. */
export interface PostgresStamps {
  readonly runs: string;
  readonly labels: string;
}

/**
 * The stamps of a database, which change with every transaction that wrote: for whoever keeps what was read.
 *
 * @throws InputError AdapterError as `postgresStore`
 */
export async function postgresStamps(url: string): Promise<PostgresStamps> {
  const database = databases.get(url) ?? PostgresDatabase.open({ url }, "runs");
  databases.set(url, database);
  try {
    const stamps = await (await database).stamps();
    return { runs: stamps.get("runs") ?? "-", labels: stamps.get("labels") ?? "-" };
  } catch (error) {
    databases.delete(url);
    throw error;
  }
}
