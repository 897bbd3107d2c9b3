import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { postgresLabelStore, postgresStore, postgresWorkQueue } from "../../src/storage/postgres/index.js";
import { inject, shuffledFaults } from "../support/faults.js";
import {
  hasPostgresql,
  PASSWORD,
  skippedPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "../support/postgresql.js";
import { showProof, tries } from "../support/proof.js";
import { queueProject, type KeptCommand } from "./queue-project.js";

const WORKERS = 4;

describe.skipIf(!hasPostgresql)(`work that a queue spreads${skippedPostgresql}`, () => {
  let server: PostgresqlServer;
  const printed: string[] = [];
  const kept: KeptCommand[] = [];
  beforeAll(async () => {
    server = await startPostgresql({ fsync: true });
  });
  afterAll(() => {
    for (const worker of kept) worker.end();
    server?.end();
  });

  const project = async (queries: number, items: number, delayMs = 0) => {
    const made = await queueProject(server.url, { queries, items, delayMs }, printed);
    const work = (...args: readonly string[]): KeptCommand => {
      kept.push(made.keep("work", ...args));
      return kept.at(-1) as KeptCommand;
    };
    return { ...made, work };
  };

  /** Comes true when jobs wait in a queue: a worker that is begun before would end. */
  const waiting = async (store: string): Promise<void> => {
    const queue = await postgresWorkQueue({ url: store });
    // Of work that its limit has ended some may be left, which workers only put away.
    while (!(await queue.progress()).some((each) => each.waiting > 0 && !each.ended)) await pause(50);
    await queue.close();
  };

  it("labels everything once while workers, connections and server are killed", async () => {
    const isProof = tries(1) > 1;
    const [kills, drops, restarts] = isProof ? [1000, 60, 30] : [50, 8, 1];
    const [queries, items] = [isProof ? 800 : 40, 12];
    const { model, store, work, call } = await project(queries, items, isProof ? 60 : 150);
    const random = seededRandom(17);
    const below = (count: number): number => Math.floor(random() * count);
    const building = call(["label", "build", "shop", "--workers", "queue", "--json"]);
    await waiting(store);
    const all = Array.from({ length: WORKERS }, () => work("--until-done", "--concurrency", "2"));
    let isOver = false;
    void building.then(() => (isOver = true));
    const queue = await postgresWorkQueue({ url: store });
    let suffered = 0;
    for (const fault of shuffledFaults({ kill: kills, drop: drops, restart: restarts }, random)) {
      await pause(isProof ? 200 + below(400) : 100 + below(300));
      if (isOver) break;
      suffered++;
      await inject(fault, server, random, () => all[below(WORKERS)]?.kill());
    }
    const { status, stdout, stderr } = await building;
    expect([status, stderr]).toEqual([0, expect.anything()]);
    const labels = await postgresLabelStore({ url: store });
    const said = await labels.find();
    const pairs = said.map(({ query, item }) => `${query}\n${item}`);
    expect(pairs).toHaveLength(queries * items);
    expect(new Set(pairs).size).toBe(queries * items);
    // Whatever was asked twice had not been stored the first time: its worker was gone.
    const { pairs: answered, last, requests } = await model.stats();
    const repeated = said.filter(({ query, item, at }) => (last[`${query}\n${item}`] ?? 0) > Date.parse(at));
    expect(repeated).toEqual([]);
    const again = Object.values(answered).reduce((sum, times) => sum + times - 1, 0);
    const summary = JSON.parse(stdout) as { answers: { graded: number }; isDone: boolean; calls: number };
    expect(summary).toMatchObject({ answers: { graded: queries * items }, isDone: true });
    await Promise.all(all.map((worker) => worker.ended));
    await Promise.all([labels.close(), queue.close()]);
    expect(suffered).toBeGreaterThan(isProof ? 900 : 20);
    showProof("kills around a queue", {
      suffered,
      queries,
      assessments: said.length,
      requests,
      unstored: again,
    });
  });

  it("asks a search by workers, and goes on with a batch that was interrupted", async () => {
    const { store, place, env, work, call } = await project(6, 5);
    const ended = call(["batch", "run", "shop", "--workers", "queue", "--json"]);
    await waiting(store);
    const worker = work("--until-done");
    const { status, stdout, stderr } = await ended;
    expect([status, stderr]).toEqual([0, expect.anything()]);
    const { batch_id } = JSON.parse(stdout) as { batch_id: string };
    const runs = await postgresStore({ url: store });
    const run = await runs.loadRun(batch_id);
    expect(run?.results.map(({ query_id }) => query_id)).toEqual(["q0", "q1", "q2", "q3", "q4", "q5"]);
    expect(run?.incomplete).toBe(undefined);
    await worker.ended;
    // The same as without a queue, but for times.
    const alone = await call(["batch", "run", "shop", "--json"]);
    const other = await runs.loadRun((JSON.parse(alone.stdout) as { batch_id: string }).batch_id);
    const timeless = (each: typeof run): unknown =>
      each?.results.map((result) => ({ ...result, elapsed_ms: 0 }));
    expect(timeless(run)).toEqual(timeless(other));
    expect(run?.config_snapshot).toEqual(other?.config_snapshot);
    // Nobody waits any more for a batch that workers have done: it is the one to go on with.
    const killed = place.begin(["batch", "run", "shop", "--workers", "queue"], env);
    await waiting(store);
    killed.kill("SIGKILL");
    await work("--until-done").ended;
    const found = await call(["batch", "run", "shop", "--workers", "queue", "--resume", "--json"]);
    expect(found.status).toBe(0);
    const { batch_id: last } = JSON.parse(found.stdout) as { batch_id: string };
    expect([last > batch_id, (await runs.loadRun(last))?.results.length]).toEqual([true, 6]);
    // Nobody works: what was interrupted has nothing, and says so.
    const waited = await call(["batch", "run", "shop", "--workers", "queue"], pause(1000));
    expect([waited.status, waited.stderr]).toEqual([130, expect.stringContaining("nothing was kept")]);
    expect((await call(["work", "--status"])).stdout).toBe("the queue is empty\n");
    await runs.close();
  });

  it("shows what waits, ends by Ctrl-C when its queries are done, and goes on", async () => {
    const { model, store, work, call, env, place } = await project(8, 6, 100);
    const build = ["label", "build", "shop", "--workers", "queue"];
    const waited = await call(build, pause(1500));
    expect([waited.status, waited.stderr]).toEqual([130, expect.stringContaining("the workers go on")]);
    const before = JSON.parse((await call(["work", "--status", "--json"])).stdout) as { id: string }[];
    expect(before).toMatchObject([{ total: 8, done: 0, waiting: 8, running: 0, calls: 0, ended: false }]);
    expect(JSON.stringify(before)).not.toContain("key-0123456789");
    // A worker that is to end lets its queries end: what it asked is stored.
    const hasAsked = async (): Promise<void> => {
      while ((await model.stats()).requests === 0) await pause(20);
    };
    const interrupted = await place.spawn(["work", "--concurrency", "2"], { env, interrupted: hasAsked() });
    expect([interrupted.status, interrupted.stderr]).toEqual([
      0,
      expect.stringMatching(/Ctrl-C ends it[\s\S]*queries done here/),
    ]);
    const labels = await postgresLabelStore({ url: store });
    const kept = (await labels.find()).length;
    const { pairs } = await model.stats();
    expect(Object.keys(pairs)).toHaveLength(kept);
    expect(kept % 6).toBe(0);
    const worker = work("--until-done");
    const { status, stdout } = await call([...build, "--json"]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ queries: 8, pairs: 48, answers: { graded: 48 }, calls: 24 });
    expect(Object.values((await model.stats()).pairs)).toEqual(Array(48).fill(1));
    await worker.ended;
    // Once more: all of it is known.
    const known = call([...build, "--json"]);
    await waiting(store);
    const next = work("--until-done");
    expect(JSON.parse((await known).stdout)).toMatchObject({ known: 48, calls: 0 });
    await next.ended;
    const [{ id } = { id: "" }] = before;
    expect((await call(["work", "--remove", id])).stderr).toContain("took");
    expect((await call(["work", "--remove", id])).stderr).toContain("no work in the queue is called");
    await labels.close();
  });

  it("ends at a limit for all workers together, and goes on", async () => {
    const { model, work, call, store } = await project(8, 6);
    const build = ["label", "build", "shop", "--workers", "queue", "--json"];
    const limited = call([...build, "--max-calls", "7"]);
    await waiting(store);
    const first = work("--until-done", "--concurrency", "1");
    expect(JSON.parse((await limited).stdout)).toMatchObject({ isDone: false, calls: 7 });
    await first.ended;
    expect((await model.stats()).requests).toBe(7);
    const whole = call(build);
    await waiting(store);
    const second = work("--until-done");
    expect(JSON.parse((await whole).stdout)).toMatchObject({ isDone: true, calls: 17 });
    await second.ended;
  });

  it("says what is wrong: no database, and other queries than those of the build", async () => {
    const { place, call, work, store } = await project(6, 4);
    const file = await call(["label", "build", "shop", "--workers", "queue", "--labels", "l.sqlite"]);
    expect([file.status, file.stderr]).toEqual([2, expect.stringContaining("a queue is in a PostgreSQL")]);
    const none = await call(["work", "-s", "store.sqlite"]);
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("name one: postgresql://")]);
    expect((await call(["work", "--json"])).stderr).toContain("--status");
    await call(["label", "build", "shop", "--workers", "queue"], pause(1000));
    place.write({ "queries.tsv": "q0\tother\n" });
    printed.length = 0;
    await work().ended;
    expect(printed.join("")).toMatch(
      /failed: label build shop, query \d: queries.tsv has other queries here/,
    );
    expect(printed.join("")).toMatch(/error: queries.tsv has other queries here/);
    const status = await call(["work", "--status"]);
    expect(status.stdout).toMatch(
      /label build shop \(\w+\): 0 of 6 queries, 6 waiting; the last failure: quer/,
    );
    const queue = await postgresWorkQueue({ url: store });
    expect((await queue.progress())[0]).toMatchObject({ done: 0, waiting: 6, given_up: 0 });
    await queue.close();
  });

  it("is made by one of several that begin at once", async () => {
    for (let round = 0; round < 5; round++) {
      const url = `${server.url}?schema=at_once_${round}`;
      const queues = await Promise.all(Array.from({ length: 4 }, () => postgresWorkQueue({ url })));
      expect(await Promise.all(queues.map((queue) => queue.progress()))).toEqual([[], [], [], []]);
      await Promise.all(queues.map((queue) => queue.close()));
    }
  });

  it("tells no password and no key", () => {
    expect(printed.join("")).not.toContain(PASSWORD);
    expect(printed.join("")).not.toContain("key-0123456789");
  });
});
