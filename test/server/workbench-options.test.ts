import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/node/index.js";
import type { Config, WorkbenchQueue, WorkbenchSession } from "../../src/records/index.js";
import {
  serveWorkbench,
  workbench,
  type ServeOptions,
  type WorkbenchOptions,
} from "../../src/server/index.js";
import { loopback } from "../support/loopback.js";
import { aProject, type MadeProject, type OpenWorkbench } from "./projects.js";

describe("a configuration that is edited while the workbench runs", () => {
  let project: MadeProject;
  let opened: OpenWorkbench;
  const file = (): string => project.path("rankproof.config.json");
  const configWith = (more: object): string =>
    JSON.stringify({
      ...project.config,
      datasets: { shop: { ...project.config.datasets?.["shop"], ...more } },
    });
  beforeEach(() => {
    project = aProject();
    project.write({ "rankproof.config.json": configWith({}) });
    opened = project.open({
      reread: () => readIn(file()),
      configFile: () => file(),
      isThreaded: true,
    });
  });
  afterEach(async () => {
    await opened.made.close();
    project.remove();
  });
  const readIn = async (path: string): Promise<Config> =>
    (await readConfig(path, { cwd: project.folder, env: {} })) as Config;
  const session = (): Promise<WorkbenchSession> => opened.get("/api/session");

  it("is read again, so that a batch measures what stands in it now", async () => {
    expect((await session()).collections[0]).toMatchObject({ queries: 3, licence: null });
    project.write({
      "one.tsv": "q1\tred shoe\n",
      "rankproof.config.json": configWith({ queries: project.path("one.tsv"), licence: "MIT" }),
    });
    expect((await session()).collections[0]).toMatchObject({ queries: 1, licence: "MIT" });
    const { pairs } = await opened.get<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
    expect(new Set(pairs.map(({ query_id }) => query_id))).toEqual(new Set(["q1"]));
    await opened.batch();
    expect((await opened.history()).batches[0]).toMatchObject({ queries: 1 });
  });

  it("is read again where it is a module", async () => {
    const module = (licence: string): string => `export default ${configWith({ licence })};\n`;
    project.write({ "own.mjs": module("old") });
    const path = project.path("own.mjs");
    const other = project.open({
      reread: () => readIn(path),
      configFile: () => path,
      config: await readIn(path),
    });
    onTestFinished(() => other.made.close());
    const licence = async () => (await other.get<WorkbenchSession>("/api/session")).collections[0]?.licence;
    expect(await licence()).toBe("old");
    project.write({ "own.mjs": module("a newer one") });
    expect(await licence()).toBe("a newer one");
  });

  it("goes on with nothing that was stopped before, and ends what still waits for a search", async () => {
    let asked = 0;
    const url = await loopback(() => asked++);
    const hanging = {
      backends: { down: { kind: "http", url, params: { q: "{query}" }, hits: "/hits", hit: { id: "/id" } } },
    };
    const edit = (licence: string): void =>
      project.write({
        "rankproof.config.json": JSON.stringify({
          ...(JSON.parse(configWith({ licence, backend: "down" })) as object),
          ...hanging,
        }),
      });
    edit("one");
    const begun = await opened.post<{ id: string }>("/api/c/shop/batch", {});
    expect(begun.status).toBe(200);
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(0);
    await opened.post(`/api/jobs/${begun.body.id}/stop`, {});
    await opened.watch();
    const before = asked;
    const live = opened.post("/api/c/shop/live", { id: "q1" });
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(before);
    edit("another");
    await session();
    const resumed = await opened.post(`/api/jobs/${begun.body.id}/resume`, {});
    expect(resumed.status).toBe(404);
    await opened.made.close();
    expect((await live).status).toBe(503);
  });

  it("and has lost its datasets is taken for one that is half written", async () => {
    project.write({ "rankproof.config.json": "{}" });
    const { problems, collections } = await session();
    expect([collections.length, problems.join()]).toEqual([
      1,
      expect.stringContaining("the configuration has no datasets any more"),
    ]);
  });

  it("and cannot be read is told, and nothing begins by the one before", async () => {
    await session();
    project.write({ "rankproof.config.json": '{ "datasets": [' });
    const { problems, collections } = await session();
    expect(problems.join()).toMatch(/rankproof\.config\.json.*configuration from before/);
    expect(collections).toHaveLength(1);
    const begun = await opened.post("/api/c/shop/batch", {});
    expect([begun.status, begun.text]).toEqual([400, expect.stringContaining("rankproof.config.json")]);
    project.write({ "rankproof.config.json": configWith({}) });
    expect((await session()).problems).toEqual([]);
    await opened.batch();
  });
});

describe("options of a workbench", () => {
  const project = aProject();
  afterAll(() => project.remove());
  it.each([
    [{ readOnly: true }, "there is no option `readOnly`; did you mean `isReadOnly`?"],
    [{ isReadOnly: "yes" }, "isReadOnly must be true or false"],
    [{ allowedHosts: "box" }, "allowedHosts must be a list"],
    [{ allowedHosts: ["box:8080"] }, "must be a name without a port"],
    [{ allowedHosts: ["https://box"] }, "must be a name without a port"],
    [{ rater: "x".repeat(100) }, "a rater has a name of 1 to 80 letters"],
    [{ config: undefined }, "config must be an object"],
    [{ port: 6010 }, "port must be a function"],
  ])("%j is refused", (given, message) => {
    const options = { ...project.options(), port: () => 6010, ...given } as WorkbenchOptions;
    expect(() => workbench(options)).toThrow(message);
  });
  it.each([
    [{ port: "abc" }, "port must be a whole number from 0 to 65535"],
    [{ port: 70_000 }, "port must be a whole number from 0 to 65535"],
    [{ host: 5 }, "host must be a string"],
    [{ host: "0.0.0.0" }, "say by which name (`allowedHosts`, --allow-host)"],
  ])("%j is refused where it is served", async (given, message) => {
    await expect(serveWorkbench({ ...project.options(), ...given } as ServeOptions)).rejects.toThrow(message);
  });
  it("let nobody write where others may ask, unless they say so", async () => {
    for (const [isReadOnly, status] of [
      [undefined, 403],
      [false, 200],
    ] as const) {
      const made = workbench({
        ...project.options({ allowedHosts: ["box.example"], isReadOnly }),
        port: () => 443,
      });
      const headers = {
        host: "box.example",
        origin: "https://box.example",
        "x-rankproof-token": made.token,
        "content-type": "application/json",
      };
      const batch = (): Promise<Response> =>
        made.fetch(
          new Request("https://box.example/api/c/shop/batch", { method: "POST", headers, body: "{}" }),
        );
      expect((await batch()).status).toBe(status);
      await made.close();
      expect((await batch()).status).toBe(503);
    }
  });
  it("let nobody write at the address of another machine unless they say so", async () => {
    for (const [isReadOnly, is_read_only, host] of [
      [undefined, true, "0.0.0.0"],
      [undefined, true, "127.0.0.1"],
      [false, false, "0.0.0.0"],
    ] as const) {
      const others = { host, allowedHosts: ["localhost"], port: 0, isReadOnly };
      const served = await serveWorkbench({ ...project.options(), ...others });
      const { hash } = new URL(served.url);
      const asked = await fetch(`http://localhost:${served.port}/api/session`, {
        headers: { "x-rankproof-token": hash.replace("#token=", ""), "sec-fetch-site": "same-origin" },
      });
      expect(await asked.json()).toMatchObject({ is_read_only });
      await served.close();
    }
  });
});
