import { PostgresDatabase } from "./postgres-database.js";

/** Kept, so that a look takes no new connection; idle connections end by themselves. */
const databases = new Map<string, Promise<PostgresDatabase>>();

/**
 * What tells the runs and the labels of a database from what they were before; `-` where nothing was written
 * yet.
 */
export async function postgresStamps(
  url: string,
): Promise<{ readonly runs: string; readonly labels: string }> {
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
