import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresLabelStore, postgresStore } from "../../src/storage/postgres/index.js";
import {
  hasPostgresql,
  PASSWORD,
  skippedPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "../support/postgresql.js";
import { Workplace, type Ended, type Given } from "./spawned.js";

const GOLDEN = `queries:
  - { id: q1, query: red shoe, expected_chunk_ids: [a] }
  - { id: q2, query: blue hat, expected_chunk_ids: [b] }
`;
const run = (...firsts: readonly string[]): string =>
  firsts
    .map(
      (id, at) =>
        `${JSON.stringify({
          query_id: `q${at + 1}`,
          hits_top_k: [{ rank: 1, chunk_id: id, doc_id: id }],
        })}\n`,
    )
    .join("");
const ITEMS = ["red shoe", "blue hat", "red hat", "green scarf"].map((title, at) => ({
  id: `i${at}`,
  title,
}));

describe.skipIf(!hasPostgresql)(`commands on a store in PostgreSQL${skippedPostgresql}`, () => {
  let server: PostgresqlServer;
  let store: string;
  let place: Workplace;
  const printed: string[] = [];
  beforeAll(async () => {
    server = await startPostgresql();
    place = new Workplace();
    store = `${server.url}?schema=of_commands`;
    place.write({
      "golden.yaml": GOLDEN,
      "a.jsonl": run("a", "x"),
      "b.jsonl": run("a", "b"),
      "queries.tsv": "q1\tred shoe\nq2\tblue hat\n",
      "items.jsonl": ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(""),
      "rankproof.config.json": JSON.stringify({
        store: "${STORE}",
        datasets: { shop: { queries: "queries.tsv", corpus: "items.jsonl" } },
      }),
    });
  });
  afterAll(() => server?.end());

  const call = async (args: readonly string[], given: Given = {}): Promise<Ended> => {
    const ended = await place.run(args, { ...given, env: { STORE: store, ...given.env } });
    printed.push(ended.stdout, ended.stderr);
    return ended;
  };
  const ok = async (...args: readonly string[]): Promise<Ended> => {
    const ended = await call(args);
    expect(ended.status, `${args.join(" ")}: ${ended.stderr}`).toBe(0);
    return ended;
  };

  it("begins a store, imports runs, lists, scores, compares and deletes them", async () => {
    const empty = `${server.url}?schema=begun`;
    expect((await ok("init", "other.yaml", "--store", empty)).stderr).toContain("has the tables of a store");
    expect((await ok("runs", "list", "-s", empty, "--json")).stdout.trim()).toBe("[]");
    for (const name of ["a", "b"])
      await ok("import", `${name}.jsonl`, "-g", "golden.yaml", "--id", name, "-s", store);
    expect((await ok("runs", "list")).stdout).toMatch(/\ba\b[\s\S]*\bb\b/);
    expect((await ok("aggregate", "a", "-g", "golden.yaml")).stderr).toContain("wrote the scores into");
    expect((await ok("compare", "a", "b", "-g", "golden.yaml")).stdout).toContain("MRR");
    const missing = await call(["compare", "a", "c", "-g", "golden.yaml"]);
    expect(missing.stderr).toMatch(/no run `?c`?/);
    await ok("runs", "delete", "b");
    expect((await ok("runs", "list", "--json")).stdout).not.toContain('"b"');
  });

  it("keeps labels and batches in the same database, named once in the configuration", async () => {
    await ok("label", "build", "shop");
    const labels = await postgresLabelStore({ url: store });
    expect((await labels.queries()).map(({ query }) => query).sort()).toEqual(["blue hat", "red shoe"]);
    await labels.close();
    await ok("batch", "run", "shop");
    const runs = await postgresStore({ url: store });
    const batch = (await runs.listRuns()).find(({ suite }) => suite === "shop");
    expect((await runs.loadRun(batch?.run_id ?? ""))?.results).toHaveLength(2);
    await runs.close();
    expect((await ok("datasets")).stdout).toContain("shop");
    expect((await ok("label", "migrate")).stderr).toContain("is up to date");
    expect((await ok("label", "forget", "--query", "red shoe")).stderr).toMatch(/forgot [1-9]/);
  });

  it("writes the page of a workbench without a server", async () => {
    expect((await ok("ui", "--static", "page")).stdout).toContain("shop: 2 queries, 1 batch");
  });

  it("takes the store of a flag before that of the environment, and its labels with it", async () => {
    const flag = `${server.url}?schema=of_a_flag`;
    await ok("batch", "run", "shop", "--annotate", "-s", flag);
    const labels = await postgresLabelStore({ url: flag });
    expect(await labels.queries()).toHaveLength(2);
    await labels.close();
    const environment = { RANKPROOF_STORE: `${server.url}?schema=of_the_environment` };
    expect(
      (await call(["import", "a.jsonl", "-g", "golden.yaml", "--id", "e"], { env: environment })).status,
    ).toBe(0);
    expect((await call(["runs", "list", "--json"], { env: environment })).stdout).toContain('"e"');
  });

  it("takes no misspelt schema for an empty store, and writes nothing there to look at it", async () => {
    const typo = `${server.url}?schema=typo`;
    for (const args of [
      ["runs", "list", "-s", typo],
      ["label", "status", "shop", "--labels", typo],
      ["work", "--status", "--store", typo],
    ])
      for (let time = 0; time < 2; time++)
        expect(await call(args)).toMatchObject({
          status: 2,
          stderr: expect.stringMatching(/^error: .*the database has no store in the schema `typo`/),
        });
    expect((await call(["runs", "list", "-s", `${server.url}?shema=begun`])).stderr).toMatch(
      /`shema` is no setting; did you mean `schema`\?/,
    );
    expect((await ok("work", "--status", "--store", `${server.url}?schema=begun`)).stdout).toContain("empty");
  });

  it("fails with the exit code of the outside world where the server is away", async () => {
    const away = await call(["runs", "list", "-s", store.replace(/:\d+\//, ":1/")]);
    expect(away.status).toBe(5);
    expect(away.stderr).toMatch(/ECONNREFUSED.*is the server up/);
  });

  it("records a run by one process at a time", async () => {
    place.write({ "search.mjs": "export const retrieve = () => [{ chunk_id: 'a', doc_id: 'a' }];\n" });
    const runs = await postgresStore({ url: store });
    const giveBack = await runs.claim?.("recording one");
    const args = ["run", "search.mjs", "-g", "golden.yaml", "--id", "one", "--no-compare", "-s", store];
    const refused = await call(args);
    expect([refused.status, refused.stderr]).toEqual([
      5,
      expect.stringContaining("`one` is being recorded by another process; wait for it"),
    ]);
    await giveBack?.();
    await ok(...args);
    await runs.close();
  });

  it("ends by itself in a process of its own, with nothing left open", async () => {
    const ended = await place.spawn(["runs", "list", "--json"], { env: { STORE: store } });
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toContain('"suite": "shop"');
  });

  it("tells the password nowhere: not on the screen, and in no file", () => {
    expect(printed.join("\n")).not.toContain(PASSWORD);
    const files = readdirSync(place.folder, { recursive: true, encoding: "utf8" }).map((name) =>
      join(place.folder, name),
    );
    expect(files.length).toBeGreaterThan(10);
    for (const file of files)
      if (statSync(file).isFile()) expect(readFileSync(file, "utf8"), file).not.toContain(PASSWORD);
  });
});
