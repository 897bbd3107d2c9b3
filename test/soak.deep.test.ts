import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "./support/present.js";
import { messageOf } from "../src/foundation/errors/index.js";
import { seededRandom } from "../src/foundation/numbers/index.js";
import { openLabelStore, openStore } from "../src/node/index.js";
import type { WorkbenchJob, WorkbenchQueue } from "../src/records/index.js";
import { queueProject, type KeptCommand, type QueueProject } from "./cli/queue-project.js";
import type { Ended } from "./cli/spawned.js";
import { markOf } from "./server/projects.js";
import { inject, type Fault } from "./support/faults.js";
import {
  hasPostgresql,
  skippedPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "./support/postgresql.js";
import { showProof, tries } from "./support/proof.js";

/** How long people and programs are at work; below two minutes nothing is said of memory. */
const SECONDS = tries(20, Number(process.env["RANKPROOF_SOAK_SECONDS"] ?? 600));
const [SETTLED_S, MINUTE_S] = [120, 60];
const MOST_GROWTH = 1.1;
/** What is killed has had time to begin, so that some of its work is done before. */
const LEAST_LIFE_MS = 4000;
const [QUERIES, ITEMS] = [6, 8];
const PEOPLE = ["Ada", "Bo", "Cy"];
const library = pathToFileURL(join(import.meta.dirname, "../dist/node/index.js")).href;

/** Saves runs under ten names, reads each back and tells which it was; ends at what it reads wrongly. */
const RUNS = `
const { openStore } = await import(${JSON.stringify(library)});
const [place] = process.argv.slice(2);
const store = await openStore(place, { create: true, lockTimeoutMs: 60_000 });
for (let n = 0; ; n++) {
  const run_id = "kept-" + (n % 10);
  const results = Array.from({ length: 20 }, (_, k) => ({ query_id: "q" + k, hits_top_k: [], n }));
  const run = { run_id, suite: "s", created_at: "2026", config_snapshot: {}, results };
  await store.saveRun(run, { replace: true });
  const found = await store.loadRun(run_id);
  if (found?.results.length !== 20 || found.results.some((each) => each.n !== n))
    throw new Error("not run " + n);
  const listed = (await store.listRuns()).filter((each) => each.run_id === run_id);
  if (listed.length !== 1) throw new Error("twice " + n);
  process.stdout.write(n + "\\n");
  await new Promise((resolve) => setTimeout(resolve, 20));
}
`;

const COUNTS = {
  rounds: 0,
  marks: 0,
  "labels of the model": 0,
  batches: 0,
  runs: 0,
  screens: 0,
  "answers resent": 0,
};

/** A page of a workbench that is served, which sends again what it does not know to have arrived. */
class Page {
  readonly #origin: string;
  readonly #token: string;
  readonly #mayFail: boolean;

  constructor(link: string, mayFail: boolean) {
    const url = new URL(link);
    this.#origin = url.origin;
    this.#token = url.hash.slice("#token=".length);
    this.#mayFail = mayFail;
  }

  async ask<T>(path: string, body?: unknown): Promise<T> {
    for (;;) {
      const response = await fetch(`${this.#origin}${path}`, {
        headers: {
          "x-rankproof-token": this.#token,
          "sec-fetch-site": "same-origin",
          "content-type": "application/json",
        },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as T;
      if (!this.#mayFail || response.status < 500) throw new Error(`${path}: ${response.status} ${text}`);
      COUNTS["answers resent"]++;
      await pause(200);
    }
  }
}

/** A project with what works on it as long as the soak goes on. */
interface Side {
  readonly name: string;
  readonly project: QueueProject;
  readonly labels: string;
  readonly page: Page;
  /** By what they are called in the table. */
  readonly living: Readonly<Record<string, number>>;
  /** What is killed now and then; it is begun again. */
  readonly mortal: Set<KeptCommand>;
}

let marks = 0;

/** One person labels all that there is, one after the other. */
async function labelAll({ page }: Side, rater: string, random: () => number): Promise<string[]> {
  const path = `/api/c/shop/label?rater=${rater}`;
  const sent: string[] = [];
  const { pairs } = await page.ask<WorkbenchQueue>(path);
  for (const pair of pairs.filter(({ is_repeat }) => !is_repeat)) {
    const mark = markOf(pair.query_id, pair.item.id, ++marks, {
      grade: marks % 4,
      item_hash: pair.item_hash,
      at: new Date().toISOString(),
    });
    for (let time = 0; time < (random() < 0.1 ? 2 : 1); time++)
      await page.ask("/api/c/shop/marks", { rater, marks: [mark] });
    sent.push(mark.mark);
  }
  expect((await page.ask<WorkbenchQueue>(path)).done).toBe(sent.length);
  COUNTS.marks += sent.length;
  return sent;
}

/** A batch that the page starts; its id. */
async function batchOfPage({ page }: Side): Promise<string> {
  const { id } = await page.ask<WorkbenchJob>("/api/c/shop/batch", {});
  for (;;) {
    await pause(200);
    const { jobs } = await page.ask<{ jobs: WorkbenchJob[] }>("/api/c/shop/batches");
    const job = jobs.find((each) => each.id === id);
    if (job?.state !== "running") {
      expect(job).toMatchObject({ state: "done", failed: 0 });
      return job?.result ?? "";
    }
  }
}

async function ended(command: KeptCommand, side: Side): Promise<string> {
  // What waits for a queue would begin its work anew each time.
  if (side.name === "files") side.mortal.add(command);
  const { status, stdout, stderr }: Ended = await command.ended;
  side.mortal.delete(command);
  if (status !== 0) throw new Error(`${side.name}: a command ended with ${status}: ${stderr}`);
  return stdout;
}

/** A batch, a build, people and a batch of the page; then looks at what is stored, and forgets it. */
async function round(side: Side, random: () => number): Promise<void> {
  const { project, page, name } = side;
  const queued = name === "PostgreSQL" ? ["--workers", "queue"] : [];
  const first = await project.keep("batch", "run", "shop", "--json", ...queued).ended;
  expect([first.status, first.stderr]).toEqual([0, expect.anything()]);
  const building = ended(project.keep("label", "build", "shop", "--json", ...queued), side);
  let isLabelling = true;
  const looking = (async () => {
    while (isLabelling)
      for (const screen of ["overview", "batches", "queries"]) {
        await page.ask(`/api/c/shop/${screen}`);
        COUNTS.screens++;
      }
  })();
  looking.catch(() => undefined);
  const [sent, second] = await Promise.all([
    Promise.all(PEOPLE.map((rater) => labelAll(side, rater, random))),
    batchOfPage(side),
    building,
  ]).finally(() => (isLabelling = false));
  await looking;
  await checkLabels(side, sent.flat());
  await checkRuns(side, [(JSON.parse(first.stdout) as { batch_id: string }).batch_id, second]);
  COUNTS.rounds++;
}

/** Opens a store, which is refused while the server is away. */
async function patiently<T>(open: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await open();
    } catch (error) {
      if (!messageOf(error).includes("is the server up?")) throw error;
      await pause(200);
    }
}

/** Every mark and every answer that was paid is there, and none twice; they are forgotten then. */
async function checkLabels({ labels, project }: Side, sent: readonly string[]): Promise<void> {
  const store = await patiently(() => openLabelStore(labels));
  const said = await store.find();
  const ofModel = said.filter(({ rater }) => rater.kind === "model");
  const stored = said.flatMap((each) => (each.rater.kind === "model" ? [] : [String(each["mark"])]));
  expect(stored.sort()).toEqual([...sent].sort());
  expect(ofModel).toHaveLength(QUERIES * ITEMS);
  expect(new Set(ofModel.map(({ query, item }) => `${query}\n${item}`)).size).toBe(QUERIES * ITEMS);
  const { last } = await project.model.stats();
  const repeated = ofModel.filter(({ query, item, at }) => (last[`${query}\n${item}`] ?? 0) > Date.parse(at));
  expect(repeated).toEqual([]);
  COUNTS["labels of the model"] += ofModel.length;
  await store.forget({ tenant: present(said[0]).tenant }, new Date().toISOString());
  expect(await store.find()).toEqual([]);
  await store.close();
}

/** Batches have an answer to every query; they are deleted then, that there are as many as before. */
async function checkRuns({ project }: Side, ids: readonly string[]): Promise<void> {
  const store = await patiently(() => openStore(project.store));
  for (const id of ids) {
    const run = await store.loadRun(id);
    const answered = run?.results.map(({ query_id, error }) => [query_id, error ?? null]);
    expect(answered).toEqual(Array.from({ length: QUERIES }, (_, at) => [`q${at}`, null]));
    expect(await store.deleteRun(id)).toBe(true);
    COUNTS.batches++;
  }
  await store.close();
  rmSync(project.place.path("out"), { recursive: true, force: true });
}

/** Memory in MiB that a process has at the moment. */
function memoryOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

describe.skipIf(!hasPostgresql)(`mixed use with faults${skippedPostgresql}`, () => {
  let server: PostgresqlServer;
  const running: ChildProcess[] = [];
  const kept: KeptCommand[] = [];
  const printed: string[] = [];
  beforeAll(async () => {
    server = await startPostgresql({ fsync: true });
  });
  afterAll(() => {
    for (const command of kept) command.end();
    for (const child of running) child.kill("SIGKILL");
    server?.end();
  });

  const begin = async (name: "PostgreSQL" | "files"): Promise<Side> => {
    const database = name === "PostgreSQL" ? server.url : undefined;
    const project = await queueProject(database, { queries: QUERIES, items: ITEMS, delayMs: 20 }, printed);
    const { place, store, env } = project;
    const ui = place.begin(["ui", "--port", "0"], env);
    ui.stderr.on("data", (text: Buffer) => printed.push(text.toString()));
    const [told] = (await once(ui.stdout, "data")) as [Buffer];
    const link = /http:\S+/.exec(told.toString())?.[0] ?? "";
    const script = place.path("runs.mjs");
    writeFileSync(script, RUNS);
    const runs = spawn(process.execPath, [script, store], { stdio: ["ignore", "pipe", "pipe"] });
    runs.stderr.on("data", (text: Buffer) => printed.push(text.toString()));
    runs.stdout.on("data", (lines: Buffer) => (COUNTS.runs += lines.toString().split("\n").length - 1));
    running.push(ui, runs);
    const living: Record<string, number> = {
      [`workbench, ${name}`]: ui.pid ?? 0,
      [`saves and reads of runs, ${name}`]: runs.pid ?? 0,
    };
    const mortal = new Set<KeptCommand>();
    if (database !== undefined) {
      const [spared, ...others] = [1, 2, 3].map(() => project.keep("work", "--concurrency", "2"));
      kept.push(...(spared ? [spared] : []), ...others);
      for (const worker of others) mortal.add(worker);
      living["worker"] = spared?.pid() ?? 0;
    }
    const labels = database === undefined ? place.path("labels.sqlite") : store;
    return { name, project, labels, page: new Page(link, database !== undefined), living, mortal };
  };

  it("loses nothing, stores nothing twice, and takes no more memory in the end", async () => {
    const random = seededRandom(17);
    const sides = [await begin("PostgreSQL"), await begin("files")];
    const start = Date.now();
    const elapsed = (): number => (Date.now() - start) / 1000;
    const faults: Record<Fault, number> = { kill: 0, drop: 0, restart: 0 };
    const memory = new Map<string, [second: number, mib: number][]>();
    const everything = Promise.all(
      sides.map(async (side) => {
        do await round(side, random);
        while (elapsed() < SECONDS);
      }),
    );
    let isOver = false;
    const over = (): void => void (isOver = true);
    everything.then(over, over);
    const observing = (async () => {
      for (; !isOver; await pause(500))
        for (const { living } of sides)
          for (const [name, pid] of Object.entries(living)) {
            if (!existsSync(`/proc/${pid}`))
              throw new Error(`${name} has ended after ${elapsed()} s: ${printed.slice(-20).join("")}`);
            memory.set(name, [...(memory.get(name) ?? []), [elapsed(), memoryOf(pid)]]);
          }
    })();
    observing.catch(over);
    while (!isOver) {
      await pause(500 + random() * 1500);
      const chance = random();
      const fault = chance < 0.8 ? "kill" : chance < 0.95 ? "drop" : "restart";
      const mortal = sides
        .flatMap((side) => [...side.mortal])
        .filter(({ since }) => Date.now() - since() > LEAST_LIFE_MS);
      if (fault === "kill" && mortal.length === 0) continue;
      await inject(fault, server, random, () => mortal[Math.floor(random() * mortal.length)]?.kill());
      faults[fault]++;
    }
    await everything;
    await observing;
    const table = [...memory].map(([name, samples]) => {
      const during = (from: number, to: number): number =>
        median(samples.flatMap(([at, mib]) => (at >= from && at < to ? [mib] : [])));
      const before = during(SETTLED_S - MINUTE_S, SETTLED_S);
      const after = during(SECONDS - MINUTE_S, SECONDS);
      return { name, before, after, most: Math.max(...samples.map(([, mib]) => mib)) };
    });
    const shown = table.map(({ name, before, after, most }) => [
      name,
      `${before.toFixed(0)} -> ${after.toFixed(0)} MiB, at most ${most.toFixed(0)}`,
    ]);
    showProof("a soak", { seconds: elapsed(), ...COUNTS, ...faults, ...Object.fromEntries(shown) });
    expect(running.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual(
      running.map(() => null),
    );
    if (SECONDS < 2 * SETTLED_S) return;
    expect(table.filter(({ before, after }) => !(after <= before * MOST_GROWTH))).toEqual([]);
  });
});
