import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { PostgresqlServer } from "./postgresql.js";

/** A worker is killed, connections are ended, the server is restarted. */
export type Fault = "kill" | "drop" | "restart";

/** Runs a statement on a connection of its own. */
export async function asAdmin({ url }: PostgresqlServer, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows as unknown[];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** So many of each kind, in an order of chance. */
export function shuffledFaults(counts: Readonly<Record<Fault, number>>, random: () => number): Fault[] {
  const kinds = ["kill", "drop", "restart"] as const;
  return kinds
    .flatMap((kind) => Array<Fault>(counts[kind]).fill(kind))
    .map((kind) => [random(), kind] as const)
    .sort(([a], [b]) => a - b)
    .map(([, kind]) => kind);
}

/** Makes a fault happen; of the connections of stores and queues about a third end. */
export async function inject(
  fault: Fault,
  server: PostgresqlServer,
  random: () => number,
  kill: () => void,
): Promise<void> {
  if (fault === "kill") return kill();
  if (fault === "drop") {
    const ending =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rankproof' " +
      "AND random() < 0.35";
    await asAdmin(server, ending);
    return;
  }
  server.stop(random() < 0.5 ? "fast" : "immediate");
  await pause(Math.floor(random() * 300));
  server.start();
}
