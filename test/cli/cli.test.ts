import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { answer, hit, result } from "../support/records.js";
import { Workplace, type Ended } from "./spawned.js";

const rankproof = (...args: string[]): Promise<Ended> => place.run(args);

let place: Workplace;
let folder: string;
beforeEach(() => {
  place = new Workplace();
  ({ folder } = place);
});

function write(name: string, content: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const GOLDEN =
  "- {id: q1, query: first, expected_chunk_ids: ['d#1'], expected_doc_ids: [d], group: g}\n- {id: " +
  "q2, query: second, expected_chunk_ids: ['d#2'], expected_doc_ids: [d], group: g, " +
  "must_contain: [yes]}\n";
const jsonl = (...lines: object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

function twoRuns(): void {
  write("golden.yaml", GOLDEN.replace("[yes]", "['yes']"));
  write(
    "before.jsonl",
    jsonl(result("q1", [hit("d#9"), hit("d#1")]), result("q2", [hit("d#2")], { answer: answer("yes") })),
  );
  write("after.jsonl", jsonl(result("q1", [hit("d#1")]), result("q2", [])));
}

describe("in a process of its own", () => {
  it.each([
    ["the version", 0, ["--version"]],
    ["a comparison", 0, ["compare", "before.jsonl", "after.jsonl", "-g", "golden.yaml"]],
    ["an unknown command", 2, ["comprae"]],
    ["a file that is not there", 2, ["evaluate", "qrels.txt", "run.txt"]],
    [
      "a gate over runs that cannot be compared",
      4,
      ["compare", "before.jsonl", "after.jsonl", "-g", "golden.yaml", "--gate", "hit@1 >= 2"],
    ],
  ])("%s is what it is here", async (_, status, args) => {
    twoRuns();
    const here = await place.run(args);
    expect(here.status).toBe(status);
    expect(await place.spawn(args)).toEqual(here);
  });
});

describe("rankproof", () => {
  it("--version prints the version, and only that", async () => {
    const { version } = JSON.parse(
      readFileSync(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"),
    ) as { version: string };
    expect(await rankproof("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });
  it("without arguments, and with --help, teaches with examples", async () => {
    for (const args of [[], ["--help"], ["help"]]) {
      const { status, stdout } = await rankproof(...args);
      expect(status).toBe(0);
      expect(stdout).toContain("Examples:\n  $ rankproof demo");
    }
  });
  it.each([
    "init",
    "check",
    "run",
    "import",
    "export",
    "runs",
    "aggregate",
    "compare",
    "report",
    "power",
    "agree",
    "paraphrases",
    "evaluate",
    "fuse",
    "convert",
    "bench",
    "search",
    "metrics",
    "conformance",
    "demo",
  ])("%s --help has examples", async (command) => {
    const { status, stdout } = await rankproof(command, "--help");
    expect(status).toBe(0);
    expect(stdout).toMatch(/Examples:\n {2}\$ rankproof /);
  });
  it("the demo takes no folder in which anything else is", async () => {
    write("store.sqlite", "mine");
    expect(await rankproof("demo", "--out", ".")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: \. has files that no demo wrote/),
    });
    expect(readFileSync(join(folder, "store.sqlite"), "utf8")).toBe("mine");
  });
  it("a demo keeps the labels that were given in the shop of the one before", async () => {
    write("old/made-by-rankproof-demo.txt", "");
    write("old/demo-labels.sqlite", "made");
    write("old/shop/.rankproof/labels.sqlite", "made, and one more");
    expect(await rankproof("demo", "--out", "old")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: old\/shop has labels that were given since/),
    });
  });
  it("bad usage is exit code 2, with a hint", async () => {
    expect(await rankproof("comapre")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("(Did you mean compare?)"),
    });
    expect(await rankproof("compare", "a")).toMatchObject({
      status: 2,
      stderr:
        "error: missing required argument 'b'\n" +
        "usage: rankproof compare [options] <a> <b> [more...]\n(add --help for the options)\n",
    });
    expect(await rankproof("help", "comapre")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("(Did you mean compare?)"),
    });
    expect(await rankproof("runs", "shwo")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("   or: rankproof runs show [options] <run>\n"),
    });
    expect(await rankproof("aggregate", "x", "--missing", "maybe")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Allowed choices are zero, skip"),
    });
  });
});

describe("compare", () => {
  beforeEach(twoRuns);

  it("needs no store for two files; the table goes to stdout, warnings to stderr", async () => {
    const { status, stdout, stderr } = await rankproof("compare", "before.jsonl", "after.jsonl");
    expect(status).toBe(0);
    expect(stdout).toContain(
      "a: before\nb: after\n\nNOT COMPARABLE  Only 2 queries have MRR@10 in both runs; at least 5 are " +
        "needed.\n  By rank: of 2 queries 1 improved, 1 got worse (1 lost altogether), 0 did " +
        "not move.",
    );
    expect(stdout).toContain("regression q2  hit→miss  second");
    expect(stderr).toContain("warning: before: citation_coverage is null");
    expect(existsSync(join(folder, ".rankproof"))).toBe(false);
  });
  it("--json prints exactly the report, for any program to read", async () => {
    const { stdout } = await rankproof(
      "compare",
      "before.jsonl",
      "after.jsonl",
      "--json",
      "-m",
      "nDCG(dcg='exp-log2')@3,AP",
    );
    expect(JSON.parse(stdout)).toMatchObject({
      run_a: "before",
      run_b: "after",
      counts: { win: 1, regression: 1 },
      deltas: { mrr: -0.25, metrics: { AP: -0.25 } },
    });
    expect(Object.keys((JSON.parse(stdout) as { deltas: { metrics: object } }).deltas.metrics)).toEqual([
      "nDCG(dcg='exp-log2')@3",
      "AP",
    ]);
  });
  it("--md and --runs-dir write the report", async () => {
    const { stderr } = await rankproof(
      "compare",
      "before.jsonl",
      "after.jsonl",
      "--md",
      "out/report.md",
      "--runs-dir",
      "runs",
    );
    expect(stderr).toContain("wrote out/report.md\nwrote runs/after/report.md\n");
    const report = readFileSync(join(folder, "out/report.md"), "utf8");
    expect(report).toMatch(/^# Eval compare: before → after\n/);
    expect(readFileSync(join(folder, "runs/after/report.md"), "utf8")).toBe(report);
  });
  it("a run id cannot lead the report out of its folder", async () => {
    await rankproof("import", "after.jsonl", "--id", "../../x");
    const { status, stderr } = await rankproof(
      "compare",
      "before.jsonl",
      "../../x",
      "--runs-dir",
      "a/b/runs",
    );
    expect(status).toBe(2);
    expect(stderr).toContain(
      "error: run id `../../x` cannot be the name of a folder in a/b/runs; rename the run, or name " +
        "a file for the report instead",
    );
    expect(existsSync(join(folder, "a"))).toBe(false);
    expect(await rankproof("import", "before.jsonl", "--id", "../y", "--runs-dir", "runs")).toMatchObject({
      status: 2,
      stdout: "",
    });
    expect((await rankproof("runs", "list")).stdout).not.toContain("../y");
  });
  it(
    "two files of one name are told apart by their folders; a broken store does not keep them from " +
      "being compared",
    async () => {
      mkdirSync(join(folder, ".rankproof"));
      write(".rankproof/store.sqlite", "no database ".repeat(20));
      mkdirSync(join(folder, "x"));
      copyFileSync(join(folder, "after.jsonl"), join(folder, "x/before.jsonl"));
      const { status, stdout, stderr } = await rankproof("compare", "before.jsonl", "x/before.jsonl");
      expect(status).toBe(0);
      expect(stdout).toMatch(/^a: rankproof-spawned-\w+-before\nb: x-before\n/);
      expect(
        (await rankproof("compare", "before.jsonl", "x/before.jsonl", "--runs-dir", "runs")).stderr,
      ).toContain("wrote runs/x-before/report.md\n");
      expect(stderr).toContain(
        "going on without a store: .rankproof/store.sqlite: is not an SQLite database",
      );
    },
  );
  it("files that are links, or no files, are written to and stay what they are", async () => {
    write("real.md", "old");
    symlinkSync(join(folder, "real.md"), join(folder, "link.md"));
    await rankproof("compare", "before.jsonl", "after.jsonl", "--md", "link.md");
    expect(lstatSync(join(folder, "link.md")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real.md"), "utf8")).toMatch(/^# Eval compare/);
    expect((await rankproof("compare", "before.jsonl", "after.jsonl", "--md", "/dev/null")).status).toBe(0);
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(await rankproof("compare", "before.jsonl", "after.jsonl", "--md", ".")).toMatchObject({
      status: 5,
      stderr: expect.stringContaining("error: .: cannot be written: it is a folder; the file is as it was\n"),
    });
  });
  it("different chunkers are compared, or refused with exit code 4", async () => {
    write("other.jsonl", jsonl(result("q1", [hit("x", 1, { doc_id: "d", chunker_version: "v2" })])));
    expect(await rankproof("compare", "before.jsonl", "other.jsonl")).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("the chunkers differ (unknown and v2)"),
    });
    expect(
      await rankproof("compare", "before.jsonl", "other.jsonl", "--strict-chunker-version"),
    ).toMatchObject({
      status: 4,
      stdout: "",
    });
  });
  it("a file that is not there, or a golden set that is not one, is exit code 2", async () => {
    expect(await rankproof("compare", "before.jsonl", "nothing.jsonl")).toMatchObject({
      status: 2,
      stderr:
        "error: nothing.jsonl: no such file, and there is no store at .rankproof/store.sqlite to " +
        "look in; give a run file, or name a store with --store\n",
    });
    expect(await rankproof("compare", "before.jsonl", "after.jsonl", "-g", "none.yaml")).toMatchObject({
      status: 2,
      stderr: "error: none.yaml: no such file; check the path\n",
    });
    expect(await rankproof("compare", "before.jsonl", "after.jsonl", "-s", "none.sqlite")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("error: none.sqlite: no such store"),
    });
    rmSync(join(folder, "golden.yaml"));
    expect((await rankproof("compare", "before.jsonl", "after.jsonl")).stderr).toBe(
      "error: there is no golden.yaml here; name the golden set with --golden, or write one with " +
        "`rankproof init`\n",
    );
    write("golden.yaml", "- id: q1\n- quer: x\n");
    expect((await rankproof("compare", "before.jsonl", "after.jsonl")).stderr).toBe(
      "error: golden.yaml:1:3: query is missing\nerror: golden.yaml:2:3: id is missing\nerror: " +
        "golden.yaml:2:3: query is missing\nerror: golden.yaml:2:3: unknown key `quer`; did you mean " +
        "`query`?\n",
    );
  });
});

describe("a store from the command line", () => {
  beforeEach(twoRuns);

  it("import, list, show, aggregate, export, delete", async () => {
    expect(await rankproof("import", "before.jsonl", "after.jsonl")).toMatchObject({
      status: 0,
      stdout: "before\nafter\n",
    });
    expect(await rankproof("import", "before.jsonl")).toMatchObject({
      status: 2,
      stderr:
        "error: run `before` is in the store already; choose another id with --id, or overwrite it " +
        "with --replace\n",
    });
    expect((await rankproof("import", "before.jsonl", "--replace")).status).toBe(0);
    expect((await rankproof("runs", "list")).stdout).toMatch(
      /^run +results +failed +suite +created +scored\n(?:\w+ +2 +0 +default +\d{4}-.*Z +no\n){2}$/,
    );
    expect((await rankproof("aggregate", "before", "--no-write")).stdout).toMatch(/MRR@10 +0\.7500 +2\n/);
    expect((await rankproof("runs", "show", "before")).stderr).toBe(
      "no scores yet; `rankproof aggregate before` makes them\n",
    );
    const { stdout } = await rankproof("aggregate", "before", "--json");
    const aggregate = JSON.parse(stdout) as unknown;
    expect(aggregate).toMatchObject({ mrr: 0.75, total_queries: 2, groundedness: 1 });
    expect(JSON.parse((await rankproof("runs", "show", "before", "--json")).stdout)).toMatchObject({
      run_id: "before",
      aggregate,
    });
    expect((await rankproof("export", "before", "--format", "jsonl")).stdout).toBe(
      readFileSync(join(folder, "before.jsonl"), "utf8"),
    );
    await rankproof("export", "before", "-o", "copy.json");
    await rankproof("import", "copy.json", "--store", "other.sqlite");
    expect((await rankproof("export", "before", "--store", "other.sqlite")).stdout).toBe(
      readFileSync(join(folder, "copy.json"), "utf8"),
    );
    expect(await rankproof("runs", "delete", "before")).toMatchObject({
      status: 0,
      stderr: "deleted run before with 2 results\n",
    });
    expect(await rankproof("runs", "delete", "befor")).toMatchObject({
      status: 2,
      stderr: "error: there is no run `befor` in the store; the store has `after`\n",
    });
  });
  it("a stored id wins over a file of the same name", async () => {
    await rankproof("import", "before.jsonl", "--id", "after.jsonl");
    expect(JSON.parse((await rankproof("aggregate", "after.jsonl", "--json")).stdout)).toMatchObject({
      mrr: 0.75,
    });
  });
  it("a mistake in the last file leaves the store as it was", async () => {
    write("broken.jsonl", '{"query_id":"q"}\n');
    expect(await rankproof("import", "before.jsonl", "broken.jsonl")).toMatchObject({
      status: 2,
      stderr: "error: broken.jsonl:1:1: hits_top_k is missing; write `[]` when nothing came back\n",
    });
    expect(existsSync(join(folder, ".rankproof"))).toBe(false);
  });
  it("nothing is imported when two files would be one run, or when a run is there already", async () => {
    await rankproof("import", "before.jsonl");
    write("chunks.jsonl", jsonl({ chunk_id: "d#1", doc_id: "d" }));
    expect(
      (await rankproof("import", "after.jsonl", "before.jsonl", "--corpus", "chunks.jsonl")).status,
    ).toBe(2);
    expect(await rankproof("import", "after.jsonl", "./after.jsonl")).toMatchObject({
      status: 2,
      stderr: "error: two of the files are run `after`; import one of them by itself, with --id\n",
    });
    expect((await rankproof("runs", "list")).stdout.match(/\n/g)).toHaveLength(2);
    expect((await rankproof("check", "golden.yaml")).stderr).toContain("were not checked");
  });
  it("check counts all that a query can expect", async () => {
    write(
      "all.yaml",
      "- {id: a, query: a, judgments: [{doc_id: d, grade: 2}]}\n" +
        "- {id: b, query: b, expected_refusal: true}\n",
    );
    expect((await rankproof("check", "all.yaml")).stdout).toBe(
      "all.yaml: 2 queries, 0 with expected chunks, 0 with expected documents, 1 with judgments, " +
        "1 to refuse, 0 with text checks, 0 groups\n",
    );
  });
  it("check tells of text checks that no answer can pass", async () => {
    write(
      "clash.yaml",
      "- {id: a, query: a, must_contain: [about 30 days, 30 days], forbidden: [about]}\n" +
        "- {id: b, query: b, must_contain: [About], forbidden: [about]}\n",
    );
    const { status, stderr } = await rankproof("check", "clash.yaml");
    expect(status).toBe(0);
    expect(stderr.match(/warning: .*/g)).toEqual([
      "warning: no answer to `a` can pass: it must contain `about 30 days`, which is forbidden",
    ]);
  });
  it("a knowledge base is imported, and ids and citations are checked against it", async () => {
    write("chunks.jsonl", jsonl({ chunk_id: "d#1", doc_id: "d" }));
    expect((await rankproof("import", "--corpus", "chunks.jsonl", "before.jsonl")).status).toBe(0);
    expect(await rankproof("check", "golden.yaml")).toMatchObject({
      status: 2,
      stderr:
        "error: query `q2`: expected_chunk_ids has `d#2`, which the knowledge base does not " +
        "have\nerror: 1 stale id; fix the golden set, or index the documents again\n",
    });
    expect(JSON.parse((await rankproof("aggregate", "before", "--json")).stdout)).toMatchObject({
      citation_coverage: 0,
    });
  });
  it("check looks up judged items and the documents of spans, too", async () => {
    write("chunks.jsonl", jsonl({ chunk_id: "d#1", doc_id: "d" }));
    await rankproof("import", "--corpus", "chunks.jsonl");
    write(
      "judged.yaml",
      "- id: q\n  query: x\n  expected_spans: [{doc_id: gone, span: {kind: line, start: 1, end: 2}}]\n" +
        "  judgments: [{chunk_id: 'd#1', grade: 2}, {chunk_id: 'd#9', grade: 1},\n" +
        "    {doc_id: left, grade: 1}, {doc_id: irrelevant, grade: 0}]\n",
    );
    expect(await rankproof("check", "judged.yaml")).toMatchObject({
      status: 2,
      stderr:
        "error: query `q`: expected_spans has `gone`, which the knowledge base does not have\n" +
        "error: query `q`: judgments has `left`, which the knowledge base does not have\n" +
        "error: query `q`: judgments has `d#9`, which the knowledge base does not have\n" +
        "error: 3 stale ids; fix the golden set, or index the documents again\n",
    });
  });
  it("paraphrases", async () => {
    expect((await rankproof("paraphrases", "after.jsonl", "--md", "p.md")).stdout).toContain(
      "1 group, 0 with the same recall for every wording; mean spread 1.0000; 0 suffer from " +
        "ranking, 1 from retrieval.",
    );
    expect(readFileSync(join(folder, "p.md"), "utf8")).toContain(
      "| q2 | second | 0.0000 | 0.0000 | missing |",
    );
    const printed = await rankproof("paraphrases", "after.jsonl", "--md", "-");
    expect(printed.stdout).toBe(readFileSync(join(folder, "p.md"), "utf8"));
    expect(JSON.parse((await rankproof("paraphrases", "after.jsonl", "--json")).stdout)).toMatchObject({
      groups: [{ group: "g", spread: 1, worst: 0 }],
      pool_possibly_truncated: true,
    });
  });
});

describe("init and check", () => {
  it("init writes a golden set that explains itself and is valid, and never over another", async () => {
    expect(await rankproof("init", "--store")).toMatchObject({
      status: 0,
      stdout: "",
      stderr:
        "wrote golden.yaml; fill it in, then `rankproof check golden.yaml`\nwrote rankproof.config.yaml, " +
        "which says where things are\nmade an empty store in .rankproof/store.sqlite\n",
    });
    expect(await rankproof("check", "golden.yaml")).toMatchObject({
      status: 0,
      stdout:
        "golden.yaml: 1 query, 0 with expected chunks, 0 with expected documents, 0 with text " +
        "checks, 0 groups\n",
    });
    expect(await rankproof("runs", "list")).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "the store has no runs yet; add one with `rankproof import FILE`\n",
    });
    expect(await rankproof("init", "--store", "other.sqlite")).toMatchObject({
      status: 0,
      stderr: "golden.yaml is there already and was left as it is\nmade an empty store in other.sqlite\n",
    });
    expect(await rankproof("aggregate", "./nope.jsonl")).toMatchObject({
      status: 2,
      stderr:
        "error: there is no file `./nope.jsonl`, and there is no run `./nope.jsonl` in the store; " +
        "the store has no runs\n",
    });
    expect(await rankproof("init", "golden.csv")).toMatchObject({
      status: 2,
      stderr: "error: golden.csv: init writes YAML; name a file that ends in .yaml\n",
    });
    expect(await rankproof("init")).toMatchObject({
      status: 2,
      stderr: "error: golden.yaml: is there already; choose another name, or write over it with --force\n",
    });
    const header = readFileSync(join(folder, "golden.yaml"), "utf8");
    for (const word of [
      "precision@k divides by k",
      "skips the queries that do not have its field",
      "should refuse",
      "Ids must exist in the knowledge base",
      "hit@k, MRR",
    ])
      expect(header).toContain(word);
  });
});

describe("on real data", () => {
  const source = oracle("xquad-zh");
  if (source === null) {
    it.skip(WITHOUT_ORACLES, () => undefined);
    return;
  }
  it("scores, compares and checks a knowledge base of another program", async () => {
    copyFileSync(join(source, "kb.sqlite"), join(folder, "kb.sqlite"));
    chmodSync(join(folder, "kb.sqlite"), 0o644);
    const flags = ["--golden", join(source, "golden.yaml"), "--store", "kb.sqlite"];
    const expected = JSON.parse(
      readFileSync(join(source, "expected/aggregate.run_fts_porter.json"), "utf8"),
    ) as { mrr: number };
    expect(
      JSON.parse((await rankproof("aggregate", "run_fts_porter", ...flags, "--json")).stdout),
    ).toMatchObject({
      mrr: expected.mrr,
    });
    expect((await rankproof("compare", "run_fts_para", "run_fts_win", ...flags)).status).toBe(0);
    expect(await rankproof("check", join(source, "golden.yaml"), "--store", "kb.sqlite")).toMatchObject({
      status: 0,
      stderr: "every expected id is in the knowledge base, or in the archive of its earlier chunks\n",
    });
  });
});
