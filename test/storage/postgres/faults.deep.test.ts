import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/foundation/numbers/index.js";
import { postgresLabelStore, postgresStore, postgresWorkQueue } from "../../../src/storage/postgres/index.js";
import { claimLock } from "../../../src/storage/postgres/claims.js";
import { standBetween, type Passage } from "../../support/between.js";
import { asAdmin, inject, shuffledFaults } from "../../support/faults.js";
import {
  hasPostgresql,
  skippedPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "../../support/postgresql.js";
import { showProof, tries } from "../../support/proof.js";

const WORKERS = 4;
const OF_A_CALL = 3;
const library = pathToFileURL(join(import.meta.dirname, "../../../dist/storage/postgres/index.js")).href;

/** Adds assessments, three in each call, from where it finds its own to end; says what was stored. */
const WORKER = `
const { postgresLabelStore, postgresStore } = await import(${JSON.stringify(library)});
const [url, name, total] = process.argv.slice(2);
// Whoever begins while the server is away is told so at once, and begins again.
const opened = (open) => open({ url, lockTimeoutMs: 60_000 }).catch(({ code }) =>
  process.exit(code === "STORE_DATABASE" ? 7 : 8));
const labels = await opened(postgresLabelStore);
const runs = await opened(postgresStore);
while ((await labels.claim(name)) === undefined) await new Promise((done) => setTimeout(done, 20));
const one = (n, k) => ({ tenant: "t", query: name, item: n + "-" + k, outcome: "graded", grade: 1,
  rater: { kind: "model", name: "judge" }, vote: 1, at: "2026-05-01T09:00:00.000Z" });
const kept = (await labels.find({ tenant: "t", query: name })).length;
for (let n = kept / ${OF_A_CALL}; n < Number(total); n++) {
  await labels.add([0, 1, 2].map((k) => one(n, k)));
  const results = [0, 1, 2].map((k) => ({ query_id: "q" + k, hits_top_k: [], n }));
  const run = { run_id: name, suite: "s", created_at: "2026", config_snapshot: {}, results };
  await runs.saveRun(run, { replace: true });
  process.stdout.write(n + "\\n");
}
await labels.close();
await runs.close();
`;

describe.skipIf(!hasPostgresql)(`faults around stores in PostgreSQL${skippedPostgresql}`, () => {
  let server: PostgresqlServer;
  const script = join(mkdtempSync(join(tmpdir(), "rankproof-pg-worker-")), "worker.mjs");
  beforeAll(async () => {
    writeFileSync(script, WORKER);
    server = await startPostgresql({ fsync: true });
  });
  afterAll(() => server?.end());

  it("lose nothing and store nothing twice while workers, connections and server are killed", async () => {
    const [kills, drops, restarts] = [tries(30), tries(20), tries(3)];
    const random = seededRandom(17);
    const below = (count: number): number => Math.floor(random() * count);
    const told = new Map<string, number>();
    const failures: string[] = [];
    const living = new Map<string, ChildProcess>();
    let total = 1_000_000;
    const begin = (name: string): void => {
      const worker = spawn(process.execPath, [script, server.url, name, String(total)]);
      living.set(name, worker);
      worker.stdout.on("data", (lines: Buffer) => {
        for (const line of lines.toString().trim().split("\n"))
          told.set(name, Math.max(told.get(name) ?? -1, Number(line)));
      });
      worker.stderr.on("data", (text: Buffer) => failures.push(text.toString()));
      worker.on("exit", (code) => {
        if (code === 8) failures.push("a store was refused");
        if (code === 0 && total !== 1_000_000) living.delete(name);
        else begin(name);
      });
    };
    const names = Array.from({ length: WORKERS }, (_, at) => `worker-${at}`);
    names.forEach(begin);
    for (const fault of shuffledFaults({ kill: kills, drop: drops, restart: restarts }, random)) {
      await pause(50 + below(250));
      const kill = (): void => void living.get(names[below(WORKERS)] as string)?.kill("SIGKILL");
      await inject(fault, server, random, kill);
    }
    // From now on each ends some calls after what any has told, which is less than what they have done: one
    // that was killed twice between its two stores is two calls on.
    const store = await postgresLabelStore({ url: server.url });
    total = Math.max(...told.values()) + 10;
    for (const name of names) living.get(name)?.kill("SIGKILL");
    while (living.size > 0) await pause(50);
    const runs = await postgresStore({ url: server.url });
    for (const name of names) {
      const items = (await store.find({ tenant: "t", query: name })).map(({ item }) => item);
      const wanted = Array.from(
        { length: total * OF_A_CALL },
        (_, at) => `${Math.floor(at / OF_A_CALL)}-${at % OF_A_CALL}`,
      );
      expect(items).toEqual(wanted);
      expect((await runs.loadRun(name))?.results.map((each) => each["n"])).toEqual([
        total - 1,
        total - 1,
        total - 1,
      ]);
    }
    expect(failures).toEqual([]);
    showProof("kills around stores in PostgreSQL", {
      kills,
      drops,
      restarts,
      assessments: total * OF_A_CALL * WORKERS,
    });
    await Promise.all([store.close(), runs.close()]);
  });

  it("take a claim over when its process is killed, and not before", async () => {
    const holding = spawn(process.execPath, [script, server.url, "mine", "1000000"]);
    await once(holding.stdout, "data");
    const store = await postgresLabelStore({ url: server.url });
    expect(await store.claim("mine")).toBe(undefined);
    holding.kill("SIGKILL");
    let giveBack: unknown;
    for (let look = 0; look < 200 && giveBack === undefined; look++) {
      await pause(20);
      giveBack = await store.claim("mine");
    }
    expect(giveBack).toBeTypeOf("function");
    await store.close();
  });

  it("keep a process alive that waits for the answer to a claim that it gives back", async () => {
    const slow = await standBetween(server.url, (data, { upstream }) => {
      if (data.includes("pg_advisory_unlock(")) setTimeout(() => upstream.write(data), 1000);
      else upstream.write(data);
    });
    const giver = spawn(process.execPath, [
      "--input-type=module",
      "--eval",
      `const { postgresLabelStore } = await import(${JSON.stringify(library)});
      const store = await postgresLabelStore({ url: process.argv[1], schema: "slow" });
      const [giveBack] = [await store.claim("a"), await store.claim("b")];
      await giveBack();
      await store.close();`,
      slow.url,
    ]);
    expect(await once(giver, "exit")).toEqual([0, null]);
    slow.close();
  });

  it.each(["down", "silent"])(
    "leave a worker alive that waits for work while the server is %s for long",
    async (how) => {
      let isSilent = false;
      const between = await standBetween(
        server.url,
        // Whoever looks for the claims of others connects anew.
        (data, { client, upstream }) =>
          isSilent && data.includes("pg_locks") ? client.destroy() : upstream.write(data),
        () => isSilent,
      );
      const queue = await postgresWorkQueue({ url: between.url, schema: how, lockTimeoutMs: 1500 });
      const stop = new AbortController();
      const ended: number[] = [];
      const working = queue.work({
        concurrency: 1,
        signal: stop.signal,
        perform: async () => ({ failed: null, calls: 0, input: 0, output: 0, amount: 0, outcome: null }),
        onPart: (_, { part }) => ended.push(part),
      });
      await pause(1000);
      if (how === "down") server.stop("fast");
      else isSilent = true;
      await Promise.race([working, pause(3000)]);
      if (how === "down") server.start();
      else isSilent = false;
      const other = await postgresWorkQueue({ url: server.url, schema: how });
      await other.begin({ id: "w", total: 2, about: null });
      await Promise.race([working, expect.poll(() => ended.length, { timeout: 60_000 }).toBe(2)]);
      expect(ended).toHaveLength(2);
      stop.abort();
      await working;
      await Promise.all([queue.close(), other.close()]);
      between.close();
    },
  );

  const CUT_CLAIMS = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted";

  it("take again at once what a lost connection had claimed", async () => {
    const [first, second] = [
      await postgresLabelStore({ url: server.url }),
      await postgresLabelStore({ url: server.url }),
    ];
    const giveBack = await first.claim("kept");
    await asAdmin(server, CUT_CLAIMS);
    await pause(500);
    expect(await second.claim("kept")).toBeUndefined();
    await giveBack?.();
    expect(await second.claim("kept")).toBeTypeOf("function");
    await Promise.all([first.close(), second.close()]);
  });

  it("refuse to write for a claim that a lost connection has lost to another", async () => {
    const first = await postgresLabelStore({ url: server.url });
    expect(await first.claim("contested")).toBeTypeOf("function");
    await first.keepBuild({ tenant: "t", dataset: "d", labeler: "l" }, 1);
    // Who waits for it gets it first.
    const other = new pg.Client({ connectionString: server.url });
    await other.connect();
    const waits = other.query(`SELECT pg_advisory_lock(${claimLock("rankproof", "contested")})`);
    await expect
      .poll(() => asAdmin(server, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
      .not.toEqual([]);
    await asAdmin(server, CUT_CLAIMS);
    await waits;
    // Until the end of its connection has reached it.
    await pause(500);
    await expect(first.keepBuild({ tenant: "t", dataset: "d", labeler: "l" }, 2)).rejects.toMatchObject({
      code: "STORE_LOCKED",
    });
    expect(await first.build({ tenant: "t", dataset: "d", labeler: "l" })).toBe(1);
    // What was another's meanwhile is not this one's again when that one has gone.
    await other.end();
    await expect(first.keepBuild({ tenant: "t", dataset: "d", labeler: "l" }, 3)).rejects.toMatchObject({
      code: "STORE_LOCKED",
    });
    await expect(first.claim("another")).rejects.toMatchObject({ code: "STORE_LOCKED" });
    await first.close();
  });

  it("make the tables where the connection is lost while they are made", async () => {
    let dropped = 0;
    const between = await standBetween(server.url, (data, { client, upstream }) => {
      if (data.includes("CREATE TABLE") && dropped++ === 0) client.destroy();
      else upstream.write(data);
    });
    const store = await postgresLabelStore({ url: between.url, schema: "cut" });
    const said = { tenant: "t", query: "q", item: "i", outcome: "graded", grade: 1, vote: 1 } as const;
    const by = { rater: { kind: "model", name: "judge" }, at: "2026-05-01T09:00:00.000Z" } as const;
    await store.add([{ ...said, ...by }]);
    expect([dropped, (await store.find()).length]).toEqual([2, 1]);
    await store.close();
    between.close();
  });

  it("do once what was committed when nobody heard of it any more", async () => {
    const random = seededRandom(5);
    let swallowed = 0;
    // Passes a commit on and then ends the connection before the answer, or before the server has it.
    const dropping = new WeakSet<Passage>();
    const between = await standBetween(server.url, (data, passage) => {
      if (data.includes("COMMIT") && random() < 0.5) dropping.add(passage);
      const isDropping = dropping.has(passage);
      if (isDropping) {
        swallowed++;
        passage.upstream.removeAllListeners("data").resume();
        setTimeout(() => passage.client.destroy(), 30);
      }
      if (!isDropping || random() < 0.8) passage.upstream.write(data);
    });
    const store = await postgresLabelStore({ url: between.url, schema: "unheard", lockTimeoutMs: 60_000 });
    const items = Array.from({ length: tries(30) }, (_, at) => `item ${at}`);
    const at = "2026-05-01T09:00:00.000Z";
    const rater = { kind: "model", name: "judge" } as const;
    for (const item of items)
      await store.add([{ tenant: "t", query: "q", item, outcome: "graded", grade: 1, rater, vote: 1, at }]);
    expect((await store.find()).map(({ item }) => item)).toEqual(items);
    expect(swallowed).toBeGreaterThan(items.length / 3);
    await store.close();
    between.close();
    showProof("commits that nobody heard of", { calls: items.length, swallowed });
  });
});
