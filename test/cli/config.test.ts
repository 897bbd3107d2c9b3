import { describe, expect, it } from "vitest";
import { defineConfig } from "../../src/index.js";
import { parseConfig } from "../../src/formats/index.js";
import { files, Workplace } from "./spawned.js";

function place(config: string, name = "rankproof.config.yaml"): Workplace {
  const made = new Workplace();
  made.write({ ...files(), [name]: config });
  return made;
}

describe("a configuration", () => {
  it("is read with the place of every mistake, the nearest key, and the environment's values", () => {
    expect(() => parseConfig("golden: g.yaml\nmetrics: nDCG@10\ngoldn: x\n", "c.yaml")).toThrow(
      'c.yaml:2:10: metrics must be a list of names, got `"nDCG@10"`\nc.yaml:3:1: unknown key ' +
        "`goldn`; did you mean `golden`?",
    );
    expect(() => parseConfig('{"somethingElse": 1}', "c.json")).toThrow("known are $schema, golden, store");
    expect(parseConfig("store: ${DIR}/s.sqlite", "c.yaml", { DIR: "/data" })).toEqual({
      store: "/data/s.sqlite",
    });
    expect(() => parseConfig("store: ${toString}", "c.yaml")).toThrow("has no `toString`");
    expect(() => parseConfig("store: ${DIR}/s.sqlite", "c.yaml")).toThrow(
      "c.yaml:1:8: the environment has no `DIR`",
    );
    const price = "labelers: { gpt: { kind: openai, price: { input: -1, output: 0, currency: EUR } } }";
    expect(() => parseConfig(price, "c.yaml")).toThrow(
      "c.yaml:1:50: labelers.gpt.price.input must be a number from 0",
    );
    expect(parseConfig("", "c.yaml")).toEqual({});
    expect(defineConfig({ golden: "g.yaml" })).toEqual({ golden: "g.yaml" });
    // @ts-expect-error -- keys are checked by the compiler, too
    expect(defineConfig({ goldn: "g.yaml" })).toBeDefined();
  });

  it.each([
    ["guards: [doc recall@3=0.5, R@100=x]", "guards[1]: must be a number from 0, got `x`"],
    ["primary: nDGC@5", "primary: unknown metric `nDGC@5`; did you mean"],
    ["metrics: [nDCG@10, nDGC@5]", "metrics: unknown metric `nDGC@5`; did you mean"],
  ])("is named where what it says of scores is wrong: %s", async (line, message) => {
    const folder = place(`golden: golden.yaml\n${line}\n`);
    const { status, stdout, stderr } = await folder.run(["compare", "good.jsonl", "base.jsonl"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`rankproof.config.yaml: ${message}`);
    const flags = ["--guard", "doc recall@3", "--primary", "MRR@10", "-m", "R@1"];
    expect((await folder.run(["compare", "good.jsonl", "base.jsonl", ...flags])).status).toBe(0);
  });

  it("is what commands take where no flag says otherwise", async () => {
    const folder = place(
      "golden: golden.yaml\nmetrics: [R@1]\nprimary: doc recall@1\nguards: [doc recall@3=0.5]\n" +
        "gates: [doc recall@1 not worse by 0.02]\nslices: [lang]\nmaxFailedShare: 0.5\n",
    );
    const compared = await folder.run(["compare", "good.jsonl", "base.jsonl", "--json"]);
    expect(compared.status).toBe(3);
    expect(compared.stderr).toContain("FAIL  doc recall@1 not worse by 0.02 (base)");
    const { statistics } = JSON.parse(compared.stdout) as {
      statistics: { settings: object; metrics: string[] };
    };
    expect(statistics.settings).toMatchObject({
      primary: "doc recall@1",
      guards: [{ metric: "doc recall@3", allowed_loss: 0.5 }],
      max_failed_share: 0.5,
    });
    const flagged = await folder.run([
      "compare",
      "good.jsonl",
      "base.jsonl",
      "--gate",
      "doc recall@3 >= 0.5",
    ]);
    expect(flagged.status).toBe(0);
    // Judgments of files have nothing to do with the project's golden set, and a run by itself with no
    // baseline.
    const aside = await folder.run(["compare", "good.run", "base.run", "--qrels", "qrels.txt"]);
    expect([aside.status, aside.stderr]).toEqual([
      0,
      expect.stringContaining(
        "rankproof.config.yaml: its gates are for its golden set, and not held with --qrels",
      ),
    ]);
    expect((await folder.run(["aggregate", "base.jsonl"])).status).toBe(0);
    expect((await folder.run(["report", "base.jsonl"])).status).toBe(0);
  });

  it("a rule in it that is none is told with its place", async () => {
    const folder = place("golden: golden.yaml\ngates: [hit@1 >= 0, MRR@10 not wors by 0.02]\n");
    const { status, stderr } = await folder.run(["compare", "good.jsonl", "base.jsonl"]);
    expect(status).toBe(2);
    expect(stderr).toContain("rankproof.config.yaml: gates[1]: cannot be read as a rule, got");
  });

  it("has its files of rules beside it, wherever a command is called", async () => {
    const folder = place("");
    folder.write({
      "project/rankproof.config.yaml": "golden: ../golden.yaml\ngates: [gates.txt]\n",
      "project/gates.txt": "hit@1 >= 2\n",
      // Of another project: no word of it counts.
      "gates.txt": "hit@1 >= 0\n",
    });
    const below = { env: { RANKPROOF_CONFIG: folder.path("project/rankproof.config.yaml") } };
    expect(await folder.run(["compare", "base.jsonl", "good.jsonl"], below)).toMatchObject({ status: 3 });
    folder.write({ "project/rankproof.config.yaml": "golden: ../golden.yaml\ngates: [gate.txt]\n" });
    const { status, stderr } = await folder.run(["compare", "base.jsonl", "good.jsonl"], below);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/gate\.txt: no such file; .*: gates\[0\] takes/),
    ]);
    folder.write({ "project/rankproof.config.yaml": "golden: ../golden.yaml\ngates: []\n" });
    expect((await folder.run(["compare", "base.jsonl", "good.jsonl"], below)).stderr).toContain(
      "gates must have a rule",
    );
  });

  it("may name a store that is not there yet, a golden set or a system that are not", async () => {
    const folder = place("golden: golden.yaml\nstore: kept/runs.sqlite\n");
    for (const args of [
      ["compare", "base.jsonl", "good.jsonl"],
      ["aggregate", "base.jsonl"],
      ["check", "golden.yaml"],
    ])
      expect(await folder.run(args)).toMatchObject({ status: 0 });
    const named = await folder.run(["compare", "base.jsonl", "good.jsonl", "--store", "kept/runs.sqlite"]);
    expect(named).toMatchObject({ status: 2 });
    expect((await folder.run(["runs", "list"])).stderr).toContain("kept/runs.sqlite: no such store");
    // Also the usual one where somebody names it, on the command line or in the environment.
    const usual = ".rankproof/store.sqlite";
    expect(await folder.run(["check", "golden.yaml", "--store", usual])).toMatchObject({ status: 2 });
    const env = { RANKPROOF_STORE: "typo.sqlite" };
    expect(await folder.run(["check", "golden.yaml"], { env })).toMatchObject({ status: 2 });
    expect((await folder.run(["check", "golden.yaml"])).stderr).toMatch(
      /there is no store at .*kept\/runs\.sqlite/,
    );
    folder.write({ "rankproof.config.yaml": "golden: nope.yaml\nsystem: nope.mjs\n" });
    expect((await folder.run(["compare", "base.jsonl", "good.jsonl"])).stderr).toMatch(
      /rankproof\.config\.yaml: golden: nope\.yaml: no such file/,
    );
    expect((await folder.run(["run", "-g", "golden.yaml"])).stderr).toMatch(
      /rankproof\.config\.yaml: system: nope\.mjs: no such file/,
    );
  });

  it("and flags are held against the golden set before a system is asked", async () => {
    const folder = place("golden: golden.yaml\nslices: [nosuch]\n");
    folder.write({ "search.mjs": "export const retrieve = (query) => { process.exit(9); };" });
    for (const [flags, message] of [
      [[], "no query has a label `nosuch`"],
      [["--slice", "lang", "--guard", "hit@1=2"], "allowedLoss of hit@1 must be a number from 0 and below"],
      [["--slice", "lang", "--margin", "5"], "--margin must be a number from 0 and below 1, got `5`"],
      [["--slice", "lang", "--max-p95", "0"], "--max-p95 must be a number above 0, got `0`"],
    ] as const)
      expect(await folder.run(["run", "search.mjs", ...flags])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(message) as string,
      });
  });

  it("is found upwards, may be a module or JSON, and leads from where it is", async () => {
    const folder = place(
      'export default { golden: "golden.yaml", system: "search.mjs", store: "kept/runs.sqlite" };',
      "rankproof.config.mjs",
    );
    folder.write({ "search.mjs": "export const retrieve = (query) => [query];", "below/x.txt": "" });
    const { status, stderr } = await folder.run(["run", "--id", "r"]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).toContain("kept/runs.sqlite");
    const elsewhere = { env: { RANKPROOF_STORE: folder.path("other.sqlite") } };
    expect((await folder.run(["runs", "list"], elsewhere)).stderr).toContain("no such store");
    expect((await folder.run(["runs", "list"])).stdout).toContain("r    12");
    const given = { env: { RANKPROOF_CONFIG: folder.path("nope.yaml") } };
    expect(await folder.run(["runs", "list"], given)).toMatchObject({ status: 2 });
  });

  it("has the store beside it, wherever a command is called", async () => {
    const folder = place("golden: golden.yaml\n");
    folder.write({
      "search.mjs": "export const retrieve = (query) => [query];",
      "project/rankproof.config.yaml": "golden: ../golden.yaml\n",
    });
    const below = { env: { RANKPROOF_CONFIG: folder.path("project/rankproof.config.yaml") } };
    expect((await folder.run(["compare", "good.jsonl", "base.jsonl"], below)).status).toBe(0);
    const { stderr } = await folder.run(["run", "search.mjs", "--id", "r"], below);
    expect(stderr).toContain("recorded r into project/.rankproof/store.sqlite");
    expect((await folder.run(["runs", "list"], below)).stdout).toContain("r    12");
    expect((await folder.run(["runs", "list"])).status).toBe(2);
  });

  it("decides in run what it decides in compare, and so do the flags", async () => {
    const folder = place(
      "golden: golden.yaml\nsystem: search.mjs\nprimary: doc recall@1\nmaxFailedShare: 0.5\n",
    );
    folder.write({ "search.mjs": "export const retrieve = (query) => ['x', `r-${query.slice(9)}`];" });
    const first = await folder.run(["run", "--json"]);
    expect(JSON.parse(first.stdout)).toMatchObject({ recall_at_k_doc: { "1": 0, "3": 1 } });
    const settings = async (...flags: string[]): Promise<unknown> =>
      (
        JSON.parse((await folder.run(["run", "--json", ...flags])).stdout) as {
          statistics: { settings: unknown };
        }
      ).statistics.settings;
    expect(await settings()).toMatchObject({
      primary: "doc recall@1",
      max_failed_share: 0.5,
      test: "randomization",
    });
    expect(await settings("--primary", "doc recall@3", "--test", "t")).toMatchObject({
      primary: "doc recall@3",
      test: "t",
    });
  });

  it("rules about a baseline are held from the second run on", async () => {
    const folder = place(
      "golden: golden.yaml\nsystem: search.mjs\ngates: [doc recall@1 not worse by 0.02]\n",
    );
    folder.write({ "search.mjs": "export const retrieve = (query) => [`r-${query.slice(9)}`];" });
    expect((await folder.run(["run"])).status).toBe(0);
    folder.write({ "worse.mjs": "export const retrieve = () => ['x'];" });
    expect(await folder.run(["run", "worse.mjs"])).toMatchObject({ status: 3 });
  });
});
