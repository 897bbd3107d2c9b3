import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/node/index.js";
import type {
  WorkbenchJob,
  WorkbenchPlan,
  WorkbenchReport,
  WorkbenchSession,
} from "../../src/records/index.js";
import type { WorkbenchOptions } from "../../src/server/index.js";
import {
  endSearch,
  ORIGINAL,
  runningSearch,
  startSearch,
  tunableProject,
} from "../support/live-search/index.js";
import { OpenWorkbench, PORT } from "./projects.js";

const BIN = fileURLToPath(new URL("../../bin/rankproof.js", import.meta.url));
/** As it is installed: the guard of a tuning is a program of its own. */
const { workbench } = (await import(
  new URL("../../dist/server/index.js", import.meta.url).href
)) as typeof import("../../src/server/index.js");
const LONG_MS = 60_000;

describe("a tuning of the live search that is started from the page", () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  const runs = (): string[] => readdirSync(path(".rankproof/tuning_runs")).sort();

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "rankproof-page-tuning-"));
    await tunableProject(folder);
    const config = JSON.parse(readFileSync(path("rankproof.config.json"), "utf8")) as {
      tuning: { engine: { experiments?: string } };
      labels?: string;
      artifacts?: string;
    };
    config.tuning.engine.experiments = "experiments.json";
    config.labels = ".rankproof/labels.sqlite";
    config.artifacts = ".rankproof";
    writeFileSync(path("rankproof.config.json"), JSON.stringify(config));
    await startSearch(folder);
  });
  afterEach(() => {
    endSearch(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (more: Partial<WorkbenchOptions> = {}): Promise<OpenWorkbench> =>
    new OpenWorkbench(
      workbench({
        config: await readConfig(path("rankproof.config.json")),
        store: path(".rankproof/store.sqlite"),
        golden: path("golden.yaml"),
        version: "0.0.0",
        port: () => PORT,
        commandFolder: folder,
        ...more,
      }),
    );
  const jobOf = async (opened: OpenWorkbench): Promise<WorkbenchJob | undefined> =>
    (await opened.watch("shop")).at(-1)?.find(({ kind }) => kind === "backend");
  const labelled = async (opened: OpenWorkbench): Promise<void> => {
    await opened.batch({ annotate: true });
  };
  async function isRestored(): Promise<void> {
    expect(readFileSync(path("search.json"), "utf8")).toBe(ORIGINAL);
    expect(existsSync(path(".rankproof/restore"))).toBe(false);
    expect(await runningSearch(folder)).toMatchObject({ boost: 0.5 });
  }

  it(
    "says what it would do, does it, and leaves the search as it was",
    async () => {
      const opened = await open();
      expect(await opened.get<WorkbenchSession>("/api/session")).toMatchObject({ may_run_commands: true });
      await labelled(opened);
      const { body: plan } = await opened.post<WorkbenchPlan>("/api/c/shop/plan", { kind: "backend" });
      expect(plan.text).toMatch(
        /^It tries 3 settings besides the original one .* with 12 queries each\. .*search\.json/,
      );
      expect(existsSync(path(".rankproof/tuning_runs"))).toBe(false);
      expect((await opened.post("/api/c/shop/work", { kind: "backend" })).status).toBe(200);
      const job = await jobOf(opened);
      expect(job).toMatchObject({ state: "done", unit: "configuration", done: 4, total: 4 });
      expect(job?.message).toContain("better than the current setting");
      await isRestored();
      const report = await opened.get<WorkbenchReport>("/api/c/shop/tune");
      expect(report.title).toBe(`Tuning ${job?.result ?? ""}.`);
      expect(report.unfinished).toBeUndefined();
      await opened.made.close();
    },
    LONG_MS,
  );

  it(
    "is stopped, with the original configuration back, and goes on where it was",
    async () => {
      const opened = await open();
      await labelled(opened);
      writeFileSync(
        path("experiments.json"),
        JSON.stringify({ space: { boost: [0.25, 1, 1.5, 2, 2.5, 3, 4] } }),
      );
      const { body } = await opened.post<WorkbenchJob>("/api/c/shop/work", { kind: "backend" });
      for (;;) {
        const { body: jobs } = await opened.ask<{ jobs: WorkbenchJob[] }>("/api/c/shop/batches");
        if ((jobs.jobs.find(({ id }) => id === body.id)?.done ?? 0) >= 2) break;
        await pause(20);
      }
      expect((await opened.post(`/api/jobs/${body.id}/stop`, {})).status).toBe(200);
      const stopped = await jobOf(opened);
      expect(stopped).toMatchObject({ state: "stopped" });
      expect(stopped?.message).toContain("the original configuration is back");
      await isRestored();
      const [tuning = ""] = runs();
      expect((await opened.get<WorkbenchReport>("/api/c/shop/tune")).unfinished).toBe(tuning);
      // What an experiment was answered is no batch.
      expect((await opened.history()).unfinished).toBeUndefined();
      expect((await opened.post(`/api/jobs/${body.id}/resume`, {})).status).toBe(200);
      expect(await jobOf(opened)).toMatchObject({ state: "done", done: 8, total: 8, result: tuning });
      expect(runs()).toEqual([tuning]);
      await isRestored();
      await opened.made.close();
    },
    LONG_MS,
  );

  it("runs no command where that is not allowed", async () => {
    for (const [more, message] of [
      [{ commandFolder: undefined }, "--allow-run"],
      [{ isReadOnly: true }, "read-only"],
    ] as const) {
      const opened = await open(more);
      expect(await opened.get<WorkbenchSession>("/api/session")).toMatchObject({ may_run_commands: false });
      for (const route of ["plan", "work"]) {
        const { status, text } = await opened.post(`/api/c/shop/${route}`, { kind: "backend", resume: true });
        expect([status, text]).toEqual([403, expect.stringContaining(message)]);
      }
      await opened.made.close();
    }
    expect(existsSync(path(".rankproof/tuning_runs"))).toBe(false);
  });

  it(
    "restores the search when the server is killed or ended in the middle, and goes on in the next one",
    async () => {
      const before = await open();
      await labelled(before);
      await before.made.close();
      writeFileSync(
        path("experiments.json"),
        JSON.stringify({ space: { boost: [0.25, 1, 1.5, 2, 2.5, 3, 4] } }),
      );
      const first = await served();
      await first.post("/api/c/shop/work", { kind: "backend" });
      await first.until((job) => job.done >= 2);
      first.process.kill("SIGKILL");
      for (let tries = 0; tries < 200; tries++) {
        if (readFileSync(path("search.json"), "utf8") === ORIGINAL && !existsSync(path(".rankproof/restore")))
          break;
        await pause(50);
      }
      await isRestored();
      const second = await served();
      const { unfinished } = await second.get<WorkbenchReport>("/api/c/shop/tune");
      expect(unfinished).toBe(runs()[0]);
      await second.post("/api/c/shop/work", { kind: "backend", resume: true });
      await second.until((job) => job.done >= 4);
      const ended = new Promise((resolve) => second.process.once("exit", resolve));
      second.process.kill("SIGINT");
      await ended;
      await isRestored();
      const third = await served();
      await third.post("/api/c/shop/work", { kind: "backend", resume: true });
      await third.until((job) => job.state === "done");
      expect(runs()).toEqual([unfinished]);
      await isRestored();
      third.process.kill("SIGINT");
    },
    2 * LONG_MS,
  );

  /** The workbench in a process of its own. */
  async function served(): Promise<{
    process: ChildProcess;
    get<T>(route: string): Promise<T>;
    post(route: string, body: object): Promise<void>;
    until(isReached: (job: WorkbenchJob) => boolean): Promise<void>;
  }> {
    const child = spawn(process.execPath, [BIN, "ui", "--allow-run", "--port", "0"], { cwd: folder });
    let told = "";
    child.stdout.on("data", (text) => (told += String(text)));
    child.stderr.on("data", (text) => (told += String(text)));
    while (!/#token=\S+/.test(told)) {
      if (child.exitCode !== null) throw new Error(told);
      await pause(20);
    }
    const [, address = "", token = ""] = /(http:\S+?)\/#token=(\S+)/.exec(told) ?? [];
    const headers = {
      "x-rankproof-token": token,
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
    };
    const ask = async (route: string, init: RequestInit = {}): Promise<unknown> => {
      const response = await fetch(`${address}${route}`, { ...init, headers });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${route} answered ${response.status}: ${text}`);
      return JSON.parse(text);
    };
    return {
      process: child,
      get: async <T>(route: string) => (await ask(route)) as T,
      post: async (route, body) => void (await ask(route, { method: "POST", body: JSON.stringify(body) })),
      async until(isReached) {
        for (;;) {
          const { jobs } = (await ask("/api/c/shop/batches")) as { jobs: WorkbenchJob[] };
          const job = jobs.find(({ kind }) => kind === "backend");
          if (job?.state === "failed") throw new Error(job.message);
          if (job !== undefined && isReached(job)) return;
          await pause(20);
        }
      },
    };
  }
});
