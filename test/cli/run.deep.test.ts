import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openStore, programSystem } from "../../src/node/index.js";
import { holdRecording } from "../../src/node/internal.js";
import { query } from "../support/records.js";
import { pattern } from "../support/pattern.js";
import { Workplace } from "./spawned.js";

const GOLDEN = ["keys", "money", "logs", "users", "teams", "roles"]
  .map((id) => `- {id: q-${id}, query: about ${id}, expected_doc_ids: [${id}]}\n`)
  .join("");
const moduleThat = (body: string, more = ""): string =>
  `export const config = { ranker: "v1" };
export async function retrieve(query, { limit, goldenQuery }) { ${body} }
${more}`;
const FINDS = moduleThat('return [query.slice("about ".length)].slice(0, limit);');

/** Answers every line, the second before the first, and so on. */
const PROGRAM = `
import { createInterface } from "node:readline";
const waiting = [];
const answer = ({ query_id, query }) => console.log(JSON.stringify(
  query_id === "q-logs"
    ? { query_id, error: "no logs today" }
    : query_id === "q-money"
    ? { query_id, hits: ["money"], error: "no answer today" }
    : { query_id, hits: [{ doc_id: query.slice(6) }], answer: { answer: "yes", grounded: true } }));
for await (const line of createInterface({ input: process.stdin })) {
  waiting.push(JSON.parse(line));
  if (waiting.length === 2) { answer(waiting.pop()); answer(waiting.pop()); }
}
waiting.forEach(answer);
`;

function place(files: Readonly<Record<string, string>>): Workplace {
  const made = new Workplace();
  made.write({ "golden.yaml": GOLDEN, ...files });
  return made;
}

/** Comes true when a file is there: the system has been asked, and listens to Ctrl-C. */
async function written(folder: Workplace, name: string): Promise<void> {
  await expect.poll(() => existsSync(folder.path(name)), { timeout: 50_000, interval: 50 }).toBe(true);
}

describe("run, with a module", () => {
  it.each([
    ["when it is loaded", "process.exit(0);"],
    ["when it is asked", moduleThat("process.exit(0);")],
    ["some time later", `setTimeout(() => process.exit(3), 5);${moduleThat("await new Promise(() => 0);")}`],
  ])("that ends the process %s fails, and passes no gate", async (_when, system) => {
    const folder = place({ "search.mjs": system });
    const args = ["run", "search.mjs", "--fail-under", "doc_recall_at_k.1=0.9", "--json"];
    expect(await folder.spawn(args)).toEqual({
      status: 5,
      stdout: "",
      stderr:
        "error: the process ended before the command was done: a module called `process.exit`, " +
        "or waits for what never comes\n",
    });
  });
  it.each([
    ["a promise that nobody awaits", 'Promise.reject(new Error("out of nowhere"));'],
    ["a timer", 'setTimeout(() => { throw new Error("out of nowhere"); }, 1);'],
    ["a timer again and again", 'setInterval(() => { throw new Error("out of nowhere"); }, 1);'],
  ])("that throws in %s keeps what was answered, and goes on from there", async (_, mistake) => {
    const wait = "await new Promise((done) => setTimeout(done, 100));";
    const once = `import { existsSync, writeFileSync } from "node:fs";
      ${moduleThat(`if (query === "about users" && !existsSync("once")) {
        writeFileSync("once", ""); ${mistake} }
      ${wait} return [query.slice("about ".length)];`)}`;
    const folder = place({ "search.mjs": once });
    const { status, stderr } = await folder.spawn(["run", "search.mjs", "--concurrency", "1"]);
    expect([status, stderr]).toEqual([
      5,
      "error: search.mjs: threw where nothing catches it, as in a timer or a promise that nobody awaits: " +
        "out of nowhere; what was answered is kept in .rankproof/store.sqlite, and --resume goes on\n",
    ]);
    const store = await openStore(folder.path(".rankproof/store.sqlite"));
    const [kept] = await store.listRuns();
    expect(kept).toMatchObject({ total_queries: 3, is_incomplete: true });
    expect((await folder.spawn(["run", "search.mjs", "--resume"])).status).toBe(0);
  });
  it("that catches such errors itself is left alone", async () => {
    const own = `process.on("uncaughtException", () => 0); setTimeout(() => { throw new Error("known"); }, 1);
      ${moduleThat(`await new Promise((done) => setTimeout(done, 50));
        return [query.slice("about ".length)];`)}`;
    expect((await place({ "search.mjs": own }).spawn(["run", "search.mjs"])).status).toBe(0);
  });
  it("that is a configuration, and ends the process, passes no gate of evaluate", async () => {
    const folder = place({
      "rankproof.config.mjs": "process.exit(0);",
      "q.txt": "1 0 a 1\n",
    });
    const { status, stderr } = await folder.spawn([
      "evaluate",
      "q.txt",
      "a",
      "-m",
      "RR",
      "--fail-under",
      "RR=0.9",
    ]);
    expect([status, stderr]).toEqual([
      5,
      expect.stringContaining("the process ended before the command was done"),
    ]);
  });
  it("that throws where nobody catches it shows what it threw, and nothing else", async () => {
    const throwing = 'setTimeout(() => { throw new Error("thrown later"); }, 5);';
    const folder = place({ "search.mjs": throwing + moduleThat("await new Promise(() => 0);") });
    const { status, stderr } = await folder.spawn(["run", "search.mjs"]);
    expect(status).not.toBe(0);
    expect(stderr).toContain("thrown later");
    expect(stderr).not.toContain("process.exit");
  });
  it("that logs does so on stderr", async () => {
    const folder = place({
      "search.mjs": `console.log("loaded");${FINDS.replace("return", 'console.table(["asked"]); return')}`,
    });
    const { stdout, stderr } = await folder.run(["run", "search.mjs", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ schema_version: 1 });
    expect(stderr).toMatch(/^loaded\n[^]*'asked'/);
  });
  it("is not compared with a run of other queries, such as those of the template", async () => {
    const folder = place({ "search.mjs": FINDS });
    await folder.run(["run", "search.mjs", "--id", "first"]);
    folder.write({ "golden.yaml": "- id: new\n  query: about keys\n  expected_doc_ids: [keys]\n" });
    const { status, stderr } = await folder.run(["run", "search.mjs"]);
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining("there is no earlier run of the suite golden"),
    ]);
  });
  it("that takes the place of another one is compared with the newest run all the same", async () => {
    const folder = place({ "search.mjs": FINDS, "worse.mjs": moduleThat("return [];") });
    await folder.run(["run", "search.mjs", "--id", "first"]);
    await folder.run(["run", "worse.mjs", "--id", "second"]);
    const { stdout } = await folder.run(["run", "search.mjs", "--id", "first", "--replace"]);
    expect(stdout).toMatch(/^a: second\b/);
  });
  it("is compared with no run that did not pass its gate, or that mostly failed", async () => {
    const folder = place({
      "search.mjs": FINDS,
      "worse.mjs": moduleThat("return [];"),
      "down.mjs": moduleThat('if (!query.includes("keys")) throw new Error("down"); return [];'),
    });
    const run = async (module: string, id: string, ...more: string[]) =>
      folder.run(["run", module, "--id", id, "--gate", "no loss of doc recall@10", ...more]);
    expect((await run("search.mjs", "good")).status).toBe(0);
    const shown = JSON.parse((await folder.run(["runs", "show", "good", "--json"])).stdout) as object;
    expect(shown).not.toHaveProperty("gate_failed");
    expect((await run("worse.mjs", "bad")).status).toBe(3);
    const again = await run("worse.mjs", "retried");
    expect(again.status).toBe(3);
    expect(again.stderr).toContain("not compared with bad: it failed its gate (--against bad does)\n");
    expect(again.stdout).toMatch(/^a: good\b/);
    // What a gate has said is not taken back without one.
    await folder.run(["run", "worse.mjs", "--id", "retried", "--resume"]);
    const after = await run("worse.mjs", "after");
    expect([after.status, after.stderr]).toEqual([
      3,
      expect.stringContaining("not compared with retried: it failed its gate"),
    ]);
    expect((await run("search.mjs", "named", "--against", "bad")).status).toBe(0);

    // What has hardly a query in common with those of today would fail every gate from now on.
    folder.write({ "golden.yaml": GOLDEN.replace(/q-(?!keys)/g, "n-") });
    const renamed = await run("worse.mjs", "renamed");
    expect([renamed.status, renamed.stderr]).toEqual([
      0,
      expect.stringContaining("not compared with named: it has results of 1 of the 6 queries of today"),
    ]);
    folder.write({ "golden.yaml": GOLDEN });

    const first = await run("down.mjs", "down", "--suite", "other");
    expect([first.status, first.stderr]).toEqual([
      3,
      expect.stringContaining("FAIL  at most 20 % failed results (down): 5 of 6 results of down failed"),
    ]);
    await folder.run(["run", "down.mjs", "--id", "plain", "--suite", "third"]);
    const next = await run("search.mjs", "up", "--suite", "third");
    expect([next.status, next.stderr]).toEqual([
      0,
      expect.stringContaining("not compared with plain: 5 of 6 results of plain failed (83.33 %)"),
    ]);
  });
  it("with hardly any of the queries is no baseline where a fuller one is there", async () => {
    const folder = place({ "search.mjs": FINDS });
    const many = Array.from(
      { length: 12 },
      (_, at) => `- {id: m${at}, query: about x, expected_doc_ids: [x]}\n`,
    );
    const golden = GOLDEN + many.join("");
    const run = async (id: string, text: string): Promise<string> => {
      folder.write({ "golden.yaml": text });
      return (await folder.run(["run", "search.mjs", "--id", id])).stderr;
    };
    await run("full", golden);
    await run("debug", GOLDEN);
    expect(await run("next", golden)).toContain(
      "not compared with debug: it has results of 6 of the 18 queries of today, full of 18 (--against debug ",
    );
    // One that lacks a few of them is newer.
    await run("nearly", golden.replace(many[0] as string, ""));
    expect(await run("last", golden)).not.toContain("not compared with");
  });
  it("is recorded by one process at a time", async () => {
    const folder = place({ "search.mjs": FINDS });
    const release = holdRecording(folder.path(".rankproof"), "one", { key: "store.sqlite one" });
    const refused = await folder.run(["run", "search.mjs", "--id", "one"]);
    expect([refused.status, refused.stderr]).toEqual([
      5,
      expect.stringContaining("`one` is being recorded by process"),
    ]);
    expect((await folder.run(["run", "search.mjs", "--id", "two"])).status).toBe(0);
    // However the store is named.
    symlinkSync(".rankproof", folder.path("linked"));
    expect((await folder.run(["run", "search.mjs", "--id", "one", "-s", "linked/store.sqlite"])).status).toBe(
      5,
    );
    // One that was killed in another container goes on.
    const [name = ""] = readdirSync(folder.path(".rankproof")).filter((each) => each.startsWith("recording"));
    const lock = readFileSync(folder.path(`.rankproof/${name}`), "utf8");
    folder.write({ [`.rankproof/${name}`]: lock.replace(/"host":"[^"]*"/, '"host":"container-a1"') });
    const before = new Date(Date.now() - 200_000);
    utimesSync(folder.path(`.rankproof/${name}`), before, before);
    expect((await folder.run(["run", "search.mjs", "--id", "one"])).status).toBe(0);
    release();
    expect(readdirSync(folder.path(".rankproof"))).toEqual(["store.sqlite"]);
  });
  it("that was killed before its gate has failed none", async () => {
    const folder = place({ "search.mjs": FINDS });
    const store = await openStore(folder.path("rankproof.sqlite"), { create: true });
    await folder.run(["run", "search.mjs", "--id", "one", "-s", "rankproof.sqlite"]);
    // As it is stored until its gate is done with.
    const one = await store.loadRun("one");
    await store.saveRun({ ...(one as NonNullable<typeof one>), gate_pending: true }, { replace: true });
    expect(
      (await folder.run(["run", "search.mjs", "--id", "two", "-s", "rankproof.sqlite"])).stderr,
    ).toContain("not compared with one: its gate was not held");
    // Nothing but its gate takes that back.
    await folder.run(["run", "search.mjs", "--id", "one", "--resume", "-s", "rankproof.sqlite"]);
    const rule = ["--gate", "no loss of doc recall@10", "-s", "rankproof.sqlite"];
    await folder.run(["run", "search.mjs", "--id", "one", "--resume", "--no-compare", ...rule]);
    expect(await store.loadRun("one")).toHaveProperty("gate_pending", true);
    const again = await folder.run(["run", "search.mjs", "--id", "one", "--resume", ...rule]);
    expect(again.stderr).toContain("nothing was asked: one has a result of every query");
    expect(await store.loadRun("one")).not.toHaveProperty("gate_pending");
    // What a gate has said stays, also beside one that holds nothing.
    await store.saveRun({ ...(one as NonNullable<typeof one>), gate_failed: true }, { replace: true });
    await folder.run(["run", "search.mjs", "--id", "one", "--resume", ...rule]);
    expect(await store.loadRun("one")).toHaveProperty("gate_failed", true);
  });
  it("goes on with its own suite, and says where nothing was asked, or at another commit", async () => {
    const folder = place({ "search.mjs": FINDS });
    const run = async (...more: string[]) => folder.run(["run", "search.mjs", "--id", "one", ...more]);
    await run("--commit", "aaaa");
    const again = await run("--resume", "--commit", "bbbb");
    expect(again.stderr).toContain(
      "warning: `one` goes on with 6 results of commit aaaa; nothing is asked again. What this one finds is ",
    );
    expect(again.stderr).toContain(
      "nothing was asked: one has a result of every query (--replace asks anew)\n",
    );
    expect(await run("--resume", "--suite", "other")).toMatchObject({
      status: 2,
      stderr: "error: one is of the suite golden, not of other; --suite golden goes on with it\n",
    });
  });
  it("says at which line of the project's own module it went wrong", async () => {
    const folder = place({
      "search.mjs": 'import { find } from "./lib.mjs";\nexport const retrieve = (query) => find(query);\n',
      "lib.mjs": "export function find(query) {\n  return query.nothing.map(String);\n}\n",
    });
    const { status, stderr } = await folder.spawn(["run", "search.mjs"]);
    expect(status).toBe(5);
    expect(stderr).toMatch(/; it was thrown at lib\.mjs:2:\d+\n$/);
  });
  it("compares with a run of a file, and says which rules of a gate have no baseline", async () => {
    const folder = place({ "search.mjs": FINDS });
    const first = await folder.run(["run", "search.mjs", "--id", "first", "--gate", "at most 2 losses"]);
    expect(first.status).toBe(0);
    expect(first.stderr).toContain(
      "warning: there is no run to compare with, so that the gate does not hold `at most 2 losses` yet",
    );
    await folder.run(["export", "first", "-o", "base.jsonl"]);
    const other = ["--id", "other", "-s", "other.sqlite", "--junit", "gate.xml"];
    const audited = ["--gate", "labels audited", "--gate", "at most 2 losses"];
    const untold = await folder.run(["run", "search.mjs", ...other]);
    expect(untold.stderr).toContain("--junit writes a comparison, and there is nothing to compare with yet");
    const held = await folder.run(["run", "search.mjs", ...other, "--replace", "--suite", "new", ...audited]);
    expect(held.status).toBe(3);
    expect(held.stderr).toContain("does not hold `at most 2 losses` yet");
    expect(folder.read("gate.xml")).toContain('tests="1" failures="1"');
    const args = ["--against", "base.jsonl", "--gate", "at most 2 losses", "-s", "new.sqlite"];
    const second = await folder.run(["run", "search.mjs", ...args]);
    expect(second.stdout).toMatch(/^a: base\b/);
    expect(second.stderr).toContain("pass  at most 2 losses");
    expect(second.status).toBe(0);
  });
  it("records, prints the scores, and compares with the run before from the second time on", async () => {
    const folder = place({ "search.mjs": FINDS, "worse.mjs": moduleThat("return [];") });
    const first = await folder.run(["run", "search.mjs", "--commit", "abc"]);
    expect(first).toMatchObject({ status: 0 });
    expect(first.stdout).toMatch(/doc recall@1 +1\.0000 +6\n/);
    expect(first.stderr).toMatch(
      pattern(
        /^recorded search-\S+ into \.rankproof\/store\.sqlite\nthere is no earlier run of the suite golden /,
        /to compare with; the next one is .*\nwarning: the golden queries name documents .*\n$/,
      ),
    );
    const second = await folder.run(["run", "worse.mjs", "--id", "worse", "--html", "report.html"]);
    expect(second.stdout).toMatch(
      /^a: search-\S+ {2}\S+ \S+ UTC.*\nb: worse {2}.*\n\nWORSE {2}doc recall@10 fell by 1\.0000/,
    );
    expect(folder.read("report.html")).toContain("<!doctype html>");
    const store = await openStore(folder.path(".rankproof/store.sqlite"));
    expect((await store.listRuns()).map(({ suite, commit_hash }) => [suite, commit_hash])).toContainEqual([
      "golden",
      "abc",
    ]);
    expect((await store.loadAggregate("worse"))?.recall_at_k_doc["1"]).toBe(0);
    const gated = await folder.run([
      "run",
      "search.mjs",
      "--against",
      "worse",
      "--gate",
      "doc recall@10 >= 1.5",
    ]);
    expect(gated.status).toBe(3);
  });

  it("takes a default export, and hits that are ids or have one of two", async () => {
    const folder = place({
      "search.mjs":
        'export default { retrieve: (query) => [{ id: query.slice(6), score: 2, title: "kept" }, "other"], ' +
        "config: { v: 2 } };",
    });
    expect((await folder.run(["run", "search.mjs", "--id", "r"])).status).toBe(0);
    const run = await (await openStore(folder.path(".rankproof/store.sqlite"))).loadRun("r");
    expect(run?.config_snapshot).toEqual({ v: 2, eval_k: 10 });
    expect(run?.results[0]?.hits_top_k).toEqual([
      { id: "keys", score: 2, title: "kept", chunk_id: "keys", doc_id: "keys", rank: 1 },
      { chunk_id: "other", doc_id: "other", rank: 2 },
    ]);
  });

  it.each([
    ["none.mjs", "", "must export a function `retrieve`, as in `export async function retrieve(query)"],
    ["named.mjs", "export const search = 1;", "it exports `search`"],
    ["broken.mjs", "export const retrieve = (;", "; `node broken.mjs` shows where"],
    [
      "config.mjs",
      'export const retrieve = () => []; export const config = "v1";',
      "config must be an object",
    ],
    [
      "search.txt",
      "",
      "run takes one module (.js, .mjs, .ts) that exports `retrieve`; a program stands behind --",
    ],
  ])("says what is wrong with %s", async (name, content, message) => {
    // By Node itself, whose words for a module that cannot be imported are shown.
    const { status, stderr } = await place({ [name]: content }).spawn(["run", name]);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it(
    "ends with 5 when the first queries all fail alike, keeps nothing, and does not compare " + "with a part",
    async () => {
      const folder = place({ "down.mjs": moduleThat('throw new Error("down");'), "search.mjs": FINDS });
      const { status, stderr } = await folder.run(["run", "down.mjs"]);
      expect(status).toBe(5);
      expect(stderr).toMatch(/the first [56] queries all failed with `down`/);
      expect((await folder.run(["runs", "list"])).stdout).toBe("");
      folder.write({
        "slow.mjs": moduleThat(
          'if (goldenQuery.id === "q-logs") await asked(); return [query.slice(6)];',
          'import { writeFileSync } from "node:fs";\n' +
            'const asked = () => { writeFileSync("asked", ""); return new Promise(() => {}); };\n',
        ),
      });
      const slow = folder.spawn(["run", "slow.mjs", "--id", "part", "--concurrency", "1"], {
        interrupted: written(folder, "asked"),
      });
      const ended = await slow;
      expect(ended.status).toBe(130);
      expect(ended.stderr).toContain(
        "interrupted; what was answered is kept in .rankproof/store.sqlite, and --resume",
      );
      expect((await folder.run(["run", "search.mjs", "--id", "whole"])).stderr).toContain(
        "there is no earlier run",
      );
      const resumed = await folder.run(["run", "search.mjs", "--id", "part", "--resume"]);
      // It began before the other one.
      expect(resumed.stderr).toContain("there is no earlier run");
      expect((await folder.run(["run", "search.mjs", "--id", "third"])).stdout).toMatch(
        /^a: whole {2}.*\nb: third {2}.*\n/,
      );
    },
  );
});

describe("run, what goes wrong around it", () => {
  it.each(["SIGTERM", "SIGHUP"] as const)("keeps what was answered when it gets a %s", async (signal) => {
    const folder = place({
      "slow.mjs": moduleThat(
        'if (goldenQuery.id === "q-logs") await asked(); return [query.slice(6)];',
        'import { writeFileSync } from "node:fs";\n' +
          'const asked = () => { writeFileSync("asked", ""); return new Promise(() => {}); };\n',
      ),
    });
    const { status, stderr } = await folder.spawn(["run", "slow.mjs", "--concurrency", "1"], {
      interrupted: written(folder, "asked"),
      signal,
    });
    expect([status, stderr]).toEqual([130, expect.stringContaining("and --resume goes on")]);
  });
  it("takes a Ctrl-C that others pass on once more, as npm does, for one", async () => {
    const folder = place({
      "slow.mjs": moduleThat(
        'if (goldenQuery.id === "q-logs") await asked(); return [query.slice(6)];',
        'import { writeFileSync } from "node:fs";\n' +
          'const asked = () => { writeFileSync("asked", ""); return new Promise(() => {}); };\n',
      ),
    });
    const child = folder.begin(["run", "slow.mjs", "--concurrency", "1", "--id", "kept"]);
    const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
    await written(folder, "asked");
    for (let times = 0; times < 20; times++) child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect((await folder.run(["runs", "list"])).stdout).toContain("kept");
  });
  it("compares with the run before, not with one after", async () => {
    const folder = place({ "search.mjs": FINDS });
    await folder.run(["run", "search.mjs", "--id", "first"]);
    await folder.run(["run", "search.mjs", "--id", "second"]);
    const again = await folder.run(["run", "search.mjs", "--id", "first", "--resume"]);
    expect(again.stderr).toContain("there is no earlier run");
  });
  it("says what is wrong with the question before anything is asked", async () => {
    const folder = place({ "search.mjs": moduleThat('console.error("asked"); return [];') });
    for (const flags of [
      ["-m", "nonsense"],
      ["--against", "nosuch"],
      ["--primary", "nosuch"],
      ["--guard", "nosuch=0.1"],
      ["--slice", "nosuch"],
      ["--gate", "nonsense"],
    ])
      expect((await folder.run(["run", "search.mjs", ...flags])).status).toBe(2);
    expect((await folder.run(["runs", "list"])).stdout).toBe("");
  });
  it("asks nothing of a configuration that may be of another golden set", async () => {
    const folder = place({ "search.mjs": FINDS });
    folder.write({ "rankproof.config.yaml": "golden: golden.yaml\nslices: [nosuch]\nguards: [latency]\n" });
    expect((await folder.run(["run", "search.mjs", "--no-compare"])).status).toBe(0);
  });
  it("a default export keeps its `this`; an error of close is a warning", async () => {
    const folder = place({
      "search.mjs":
        "class Search { index = ['keys']; retrieve() { return this.index; } close() { throw new " +
        "Error('busy'); } }\n" +
        "export default new Search();",
    });
    const { status, stderr } = await folder.run(["run", "search.mjs", "--html", "r.html", "--csv", "r.csv"]);
    expect(status).toBe(0);
    expect(stderr).toContain("warning: search: close failed: Error: busy");
    expect(folder.read("r.html")).toContain('<section id="summary"');
    expect(stderr).toContain("--csv writes a comparison, and there is nothing to compare with yet");
  });
  it("a function that never answers is waited for, and can be interrupted", async () => {
    const folder = place({
      "never.mjs": moduleThat(
        'writeFileSync("asked", ""); return new Promise(() => {});',
        'import { writeFileSync } from "node:fs";\n',
      ),
    });
    const ended = await folder.spawn(["run", "never.mjs"], { interrupted: written(folder, "asked") });
    expect(ended).toMatchObject({ status: 130 });
    expect(ended.stderr).toContain("nothing was answered");
  });
});

describe("run, with a program", () => {
  it("takes answers in any order, errors and answers among them", async () => {
    const folder = place({ "program.mjs": PROGRAM });
    const args = ["run", "-g", "golden.yaml", "--id", "p", "--", process.execPath, "program.mjs", "--flag"];
    const { status, stdout } = await folder.run(args);
    expect(status).toBe(0);
    expect(stdout).toContain("2 of 6 results failed (33.33 %)\n  1 × no answer today (q-money)\n");
    const run = await (await openStore(folder.path(".rankproof/store.sqlite"))).loadRun("p");
    expect(run?.config_snapshot).toEqual({
      program: [process.execPath, "program.mjs", "--flag"],
      eval_k: 10,
    });
    expect(run?.results.map(({ hits_top_k }) => hits_top_k[0]?.doc_id)).toEqual([
      "keys",
      "money",
      undefined,
      "users",
      "teams",
      "roles",
    ]);
    expect(run?.results[0]?.answer).toEqual({ answer: "yes", grounded: true });
    expect(run?.results[1]).toMatchObject({ query_id: "q-money", answer: null, error: "no answer today" });
  });

  it.each([
    [
      "console.log('starting'); setInterval(() => 0, 1000)",
      "line 1 of its output is not JSON with a `query_id`",
    ],
    [
      'console.log(JSON.stringify({ query_id: "other" })); setInterval(() => 0, 1000)',
      "answers `other`, which was not",
    ],
    ["process.exit(7)", "ended with code 7 before it had answered"],
  ])("says what is wrong with %s", async (program, message) => {
    const folder = place({
      "program.mjs": `${program};process.stdin.on("end", () => process.exit());process.stdin.resume()`,
    });
    const { status, stderr } = await folder.run(["run", "--", process.execPath, "program.mjs"]);
    expect(status).toBe(5);
    expect(stderr).toContain(message);
    expect((await folder.run(["runs", "list"])).stdout).toBe("");
  });

  it("keeps what was answered in the line before a wrong one", async () => {
    const folder = place({
      "program.mjs":
        'let text = ""; process.stdin.on("data", (part) => { text += part; const [line, more] = ' +
        'text.split("\\n"); if (more === undefined) return; const { query_id } = JSON.parse(line); ' +
        'process.stdout.write(JSON.stringify({ query_id, hits: ["d"] }) + ' +
        '\'\\n{"query_id": "other"}\\n\'); });',
    });
    const args = ["run", "--id", "cut", "--concurrency", "1", "--", process.execPath, "program.mjs"];
    const { status, stderr } = await folder.run(args);
    expect(status).toBe(5);
    expect(stderr).toContain("line 2 of its output answers `other`, which was not asked");
    const run = await (await openStore(folder.path(".rankproof/store.sqlite"))).loadRun("cut");
    expect(run?.results.map(({ hits_top_k }) => hits_top_k[0]?.doc_id)).toEqual(["d"]);
  });

  it("that cannot be started is told, and one that does not end is asked to", async () => {
    const missing = programSystem("no-such-program", [], { limit: 10 });
    const context = { goldenQuery: query("q1"), signal: new AbortController().signal };
    await expect(missing.retrieve("x", context)).rejects.toThrow("no-such-program: cannot be started: ");
    await missing.close();
    const stubborn = programSystem(process.execPath, ["-e", "setInterval(() => 0, 1000)"], {
      limit: 10,
      graceMs: 50,
    });
    await stubborn.close();
    expect(stubborn.broken?.aborted).toBe(false);
  });
  it("that prints something else without end is ended at once", async () => {
    const system = programSystem("yes", [], { limit: 10, graceMs: 1e9 });
    const context = { goldenQuery: query("q1"), signal: new AbortController().signal };
    await expect(system.retrieve("x", context)).rejects.toThrow("line 1 of its output is not JSON");
    await system.close();
  });
});
