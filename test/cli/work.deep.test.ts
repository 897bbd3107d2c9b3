import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { postgresLabelStore, postgresStore, postgresWorkQueue } from "../../src/storage/postgres/index.js";
import { modelServer } from "../support/model-server.js";
import {
  hasPostgresql,
  PASSWORD,
  skippedPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "../support/postgresql.js";
import { showProof, tries } from "../support/proof.js";
import { bin, Workplace, type Ended } from "./spawned.js";

const WORKERS = 4;

describe.skipIf(!hasPostgresql)(`work that a queue spreads${skippedPostgresql}`, () => {
  let server: PostgresqlServer;
  const workers = new Set<ChildProcess>();
  const printed: string[] = [];
  beforeAll(async () => {
    server = await startPostgresql({ fsync: true });
  });
  afterAll(() => {
    for (const worker of workers) worker.kill("SIGKILL");
    server?.end();
  });

  /** A project whose queries each have a window of items, and a labeler behind a real address. */
  const project = async (queries: number, items: number, delayMs = 0) => {
    const model = await modelServer({ grades: {}, delayMs });
    const schema = `s${Math.random().toString(36).slice(2)}`;
    const store = `${server.url}?schema=${schema}`;
    const place = new Workplace();
    const words = (at: number): string => `thing${at} common`;
    place.write({
      "queries.tsv": Array.from({ length: queries }, (_, at) => `q${at}\t${words(at)}\n`).join(""),
      "items.jsonl": Array.from(
        { length: items },
        (_, at) => `${JSON.stringify({ id: `i${at}`, sku: `i${at}`, title: "common" })}\n`,
      ).join(""),
      "rankproof.config.json": JSON.stringify({
        store: "${STORE}",
        labelers: {
          gpt: {
            kind: "openai",
            baseUrl: model.baseUrl,
            apiKey: "${MODEL_KEY}",
            model: "m",
            batchSize: 2,
            price: { input: 1, output: 1, currency: "EUR" },
          },
        },
        datasets: { shop: { queries: "queries.tsv", corpus: "items.jsonl", labeler: "gpt" } },
      }),
    });
    const env = { STORE: store, MODEL_KEY: "key-0123456789abcdef" };
    /** A worker that is begun again when it is killed, until it ends by itself. */
    const work = (...args: readonly string[]): { kill: () => void; ended: Promise<void> } => {
      let worker: ChildProcess;
      const ended = new Promise<void>((resolve) => {
        const begin = (): void => {
          worker = spawn(process.execPath, [bin, "work", ...args], {
            cwd: place.folder,
            env: { ...process.env, ...env, NO_COLOR: "1" },
          });
          workers.add(worker);
          worker.stderr?.on("data", (text: Buffer) => printed.push(text.toString()));
          worker.on("exit", (code) => (code === null ? begin() : resolve()));
        };
        begin();
      });
      return { kill: () => void worker.kill("SIGKILL"), ended };
    };
    const call = (args: readonly string[], interrupted?: Promise<unknown>): Promise<Ended> =>
      place.run(args, { env, ...(interrupted && { interrupted }) });
    return { model, store, schema, place, work, call, env };
  };

  /** Runs a statement on a connection of its own, unless the server is away. */
  const asAdmin = async (statement: string): Promise<void> => {
    const client = new pg.Client(server.url);
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(statement);
    } catch {
      // The server is away.
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  it("labels everything once while workers, connections and server are killed", async () => {
    const [kills, drops, restarts] = [tries(50), tries(10), tries(1) === 1 ? 1 : 30];
    const [queries, items] = [40 * Math.max(1, tries(1) / 2), 12];
    const { model, store, schema, work, call } = await project(queries, items, 60);
    const random = seededRandom(17);
    const below = (count: number): number => Math.floor(random() * count);
    const all = Array.from({ length: WORKERS }, () => work("--until-done", "--concurrency", "2"));
    const building = call(["label", "build", "shop", "--workers", "queue", "--json"]);
    let isOver = false;
    void building.then(() => (isOver = true));
    const faults = [
      ...Array<"kill">(kills).fill("kill"),
      ...Array<"drop">(drops).fill("drop"),
      ...Array<"restart">(restarts).fill("restart"),
    ].sort(() => random() - 0.5);
    const queue = await postgresWorkQueue({ url: store });
    let suffered = 0;
    for (const fault of faults) {
      await pause(200 + below(400));
      if (isOver) break;
      suffered++;
      if (fault === "kill") all[below(WORKERS)]?.kill();
      else if (fault === "drop")
        await asAdmin(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rankproof' " +
            "AND random() < 0.3",
        );
      else {
        server.stop(random() < 0.5 ? "fast" : "immediate");
        await pause(below(300));
        server.start();
      }
    }
    const { status, stdout, stderr } = await building;
    expect([status, stderr]).toEqual([0, expect.anything()]);
    const labels = await postgresLabelStore({ url: store });
    const said = await labels.find();
    const pairs = said.map(({ query, item }) => `${query}\n${item}`);
    expect(pairs).toHaveLength(queries * items);
    expect(new Set(pairs).size).toBe(queries * items);
    // Nothing was paid again once it was stored: an answer that came twice had not been stored the first time,
    // as its worker was killed, or had lost its claim, while it came.
    const { pairs: answered, requests } = await model.stats();
    const again = Object.values(answered).reduce((sum, times) => sum + times - 1, 0);
    expect(again).toBeLessThanOrEqual(2 * 2 * WORKERS * suffered);
    const summary = JSON.parse(stdout) as { answers: { graded: number }; isDone: boolean; calls: number };
    expect(summary).toMatchObject({ answers: { graded: queries * items }, isDone: true });
    await Promise.all(all.map((worker) => worker.ended));
    await Promise.all([labels.close(), queue.close()]);
    showProof("kills around a queue", {
      schema,
      suffered,
      queries,
      assessments: said.length,
      requests,
      again,
    });
  });
});
