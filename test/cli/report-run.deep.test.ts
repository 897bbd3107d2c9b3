import { beforeAll, describe, expect, it } from "vitest";
import type { RunReport } from "../../src/records/index.js";
import { files, Workplace } from "./spawned.js";

let place: Workplace;
beforeAll(async () => {
  place = new Workplace();
  place.write({
    ...files(),
    "told.jsonl": `${JSON.stringify({
      query_id: "q1",
      hits_top_k: [{ chunk_id: "r-q1", doc_id: "r-q1", title: "Heading", text: "what the hit says" }],
    })}\n`,
    "corpus.jsonl": '{"_id": "r-q1", "title": "From the corpus", "text": "a document"}\n',
  });
  await place.run(["import", "base.jsonl", "mixed.jsonl"]);
});

describe("report on one run", () => {
  it("takes a stored run, a file, and the JSON that it printed", async () => {
    const stored = await place.run(["report", "base"]);
    expect(stored).toMatchObject({ status: 0 });
    expect(stored.stdout).toMatch(
      /^base {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC\n\n\S.* is \d\.\d{4} over \d+ queries/,
    );
    const json = await place.run([
      "report",
      "base.jsonl",
      "--store",
      place.path(".rankproof/store.sqlite"),
      "--json",
    ]);
    expect((JSON.parse(json.stdout) as RunReport).kind).toBe("run_report");
    place.write({ "kept.json": json.stdout });
    expect((await place.run(["report", "kept.json", "--json"])).stdout).toBe(json.stdout);
    const again = await place.run(["report", "kept.json", "--md", "again.md"]);
    expect(again.stdout).toBe((await place.run(["report", "base.jsonl"])).stdout);
    expect(place.read("again.md")).toMatch(/^# Eval run: base\n/);
  });
  it("of a file tells no time that the file does not tell, so that a copy gives the same", async () => {
    place.write({ "copy/base.jsonl": place.read("base.jsonl") });
    const [one, other] = [
      await place.run(["report", "copy/base.jsonl", "--store", "none.sqlite"]),
      await place.run(["report", "./base.jsonl"]),
    ];
    expect(one.status).toBe(2);
    expect(other.stdout).toMatch(/^base\n/);
  });
  it("writes page and text, with what hits say unless told otherwise", async () => {
    const args = ["report", "told.jsonl", "--html", "told.html"];
    expect((await place.run([...args, "--md", "told.md"])).stderr).toContain("wrote told.html");
    expect(place.read("told.html")).toContain("what the hit says");
    expect(place.read("told.md")).not.toContain("what the hit says");
    await place.run([...args, "--no-text"]);
    expect(place.read("told.html")).not.toContain("what the hit says");
  });
  it("holds gates, and refuses what is for comparisons or for runs only", async () => {
    expect((await place.run(["report", "base", "--fail-under", "doc recall@10=2"])).status).toBe(3);
    expect((await place.run(["report", "base", "--fail-under", "doc recall@10=0"])).status).toBe(0);
    const junit = await place.run(["report", "base", "--junit", "-", "--fail-under", "doc recall@10=2"]);
    expect(junit.status).toBe(3);
    expect(junit.stdout).toMatch(/<testcase classname="rankproof.gates" name="doc recall@10 &gt;= 2 /);
    for (const command of [
      ["aggregate", "base"],
      ["report", "base"],
      ["evaluate", "qrels.txt", "base.run", "-m", "RR"],
    ]) {
      const metric = command[0] === "evaluate" ? "RR" : "doc recall@10";
      const unwritten = ["--fail-under", `${metric}=2`, "--junit", "golden.yaml/x.xml"];
      const { status, stderr } = await place.run([...command, ...unwritten]);
      expect([command[0], status]).toEqual([command[0], 5]);
      expect(stderr).toContain(`FAIL  ${metric} >= 2`);
      expect(stderr).toMatch(/error: golden\.yaml\/x\.xml: /);
    }
    expect((await place.run(["report", "base", "--junit", "x.xml"])).stderr).toContain(
      "--junit has what a gate says; give one with --gate or --fail-under",
    );
    const csv = await place.run(["report", "base", "--csv", "x.csv"]);
    expect(csv).toMatchObject({ status: 2 });
    expect(csv.stderr).toContain("--csv is for comparisons");
    const idle = await place.run(["report", "kept.json", "-m", "nDCG@10"]);
    expect(idle.stderr).toContain(
      "--metrics does nothing for kept.json, which holds a result that was scored before; leave it out",
    );
  });
});

describe("aggregate", () => {
  it("prints the scores of queries, and writes the page of the run", async () => {
    const { stdout, status } = await place.run(["aggregate", "base", "-q", "--html", "base.html"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\nq1\tMRR@10\t1\n|\nq1\tdoc recall@10\t1\n/);
    expect(place.read("base.html")).toContain('<section id="summary"');
  });
});

describe("evaluate", () => {
  it("writes page and text of one run, with texts of the corpus and words of the golden set", async () => {
    const args = ["evaluate", "golden.yaml", "base.jsonl", "-m", "RR,nDCG@10"];
    const { status } = await place.run([
      ...args,
      "--html",
      "e.html",
      "--md",
      "e.md",
      "--corpus",
      "corpus.jsonl",
    ]);
    expect(status).toBe(0);
    expect(place.read("e.html")).toContain("From the corpus");
    expect(place.read("e.md")).toMatch(/^# Eval run: base\.jsonl\n/);
    const scores = (await place.run(args)).stdout;
    const [, rr] = /\nRR +(\d\.\d{4})/.exec(scores) ?? [];
    expect(place.read("e.md")).toContain(`| RR | ${rr as string} |`);
  });
  it("refuses them for several runs, and what only they show without them", async () => {
    const several = await place.run(["evaluate", "qrels.txt", "base.run", "mixed.run", "--html", "x.html"]);
    expect(several).toMatchObject({ status: 2 });
    expect(several.stderr).toContain("`rankproof compare --qrels` writes those of several");
    const idle = await place.run(["evaluate", "qrels.txt", "base.run", "--queries", "golden.yaml"]);
    expect(idle.stderr).toContain("--queries does nothing without --md or --html");
  });
});

describe("a run in TREC's format", () => {
  it("is told what reads it, as a file and on stdin", async () => {
    const wanted = "is a run of ids and scores; `rankproof evaluate QRELS";
    expect((await place.run(["report", "base.run"])).stderr).toContain(wanted);
    expect((await place.run(["report", "-"], { input: place.read("base.run") })).stderr).toContain(wanted);
  });
});

describe("what would do nothing is refused", () => {
  it.each([
    [
      ["evaluate", "qrels.txt", "base.run", "--format", "trec_eval", "--html", "x.html"],
      "--html does nothing with --format trec_eval, which prints what trec_eval prints",
    ],
    [
      ["evaluate", "qrels.txt", "base.run", "--md", "x.md", "--corpus", "corpus.jsonl"],
      "which Markdown does not show",
    ],
    [["evaluate", "qrels.txt", "base.run", "--json", "--format", "tsv"], "--format does nothing with --json"],
    [
      ["evaluate", "qrels.txt", "base.run", "-q", "--format", "latex"],
      "--per-query does nothing with --format latex",
    ],
    [["merge", "p.json", "-o", "all.json", "-q"], "--per-query does nothing with --output, which writes"],
    [
      ["evaluate", "qrels.txt", "base.run", "--format", "csv", "--bounds"],
      "--bounds does nothing with --format csv, which has scores alone",
    ],
    [["agree", "base.run", "base.run", "--json", "--top", "3"], "--top does nothing with --json"],
    [["label", "build", "shop", "--rerank-depth", "3"], "--rerank-depth does nothing without --deep"],
    [["audit", "shop", "--pairs", "3"], "--pairs does nothing without --probe"],
    [["audit", "shop", "--probe", "--dry-run", "--json"], "--json does nothing with --dry-run"],
    [
      ["search", "shoe", "docs.jsonl", "--mode", "hybrid", "--embedding-rate", "5"],
      "--embedding-rate does nothing with the embedding provider hash, which is not asked",
    ],
    [["fuse", "base.run", "base.run", "-o", "f.parquet"], "f.parquet: fuse writes no Parquet"],
    [["report", "base", "--unit", "doc"], "--unit does nothing without further metrics (-m)"],
    [
      ["run", "search.mjs", "--id", "x", "--resume", "--replace"],
      "--replace does nothing with --resume, which keeps what is there",
    ],
    [["run", "search.mjs", "--unit", "doc"], "--unit does nothing without further metrics (-m)"],
    [["run", "search.mjs", "--no-compare", "--against", "base"], "--against does nothing with --no-compare"],
    [["run", "search.mjs", "--no-compare", "--alpha", "0.1"], "--alpha does nothing with --no-compare"],
    [["aggregate", "base", "--json", "-q"], "--per-query does nothing with --json"],
    [
      ["compare", "base", "mixed", "--qrels", "qrels.txt", "--corpus", "corpus.jsonl"],
      "--corpus does nothing here without --html",
    ],
  ])("%j", async (args, message) => {
    const { status, stderr } = await place.run(args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("ids of stored runs", () => {
  it.each([
    ["evaluate", ["evaluate", "golden.yaml", "base"], ["evaluate", "golden.yaml", "base.jsonl"]],
    ["agree", ["agree", "base", "mixed"], ["agree", "base.jsonl", "mixed.jsonl"]],
    ["fuse", ["fuse", "base", "mixed"], ["fuse", "base.jsonl", "mixed.jsonl"]],
    ["convert", ["convert", "base", "a.run"], ["convert", "base.jsonl", "b.run"]],
    [
      "compare --qrels",
      ["compare", "base", "mixed", "--qrels", "qrels.txt"],
      ["compare", "base.jsonl", "mixed.jsonl", "--qrels", "qrels.txt"],
    ],
  ])("are taken by %s where no file has the name", async (_, byId, byFile) => {
    const [id, file] = [await place.run(byId), await place.run(byFile)];
    // A store knows when it was filled; a file's run is called after the file.
    const told = (text: string): string =>
      text
        .replace(/^ {2}(?:base|mixed): .* UTC\n/gm, "")
        .replaceAll(".jsonl", "")
        .replace(/ +/g, " ");
    expect([id.status, told(id.stdout)]).toEqual([0, told(file.stdout)]);
  });
  it("are not mistaken for a folder of the same name", async () => {
    place.write({ "base/report.md": "" });
    expect((await place.run(["report", "base"])).status).toBe(0);
    expect((await place.run(["evaluate", "golden.yaml", "base"])).status).toBe(0);
  });
  it("are told apart from nothing: the nearest id is named", async () => {
    const { status, stderr } = await place.run(["evaluate", "golden.yaml", "bas"]);
    expect(status).toBe(2);
    expect(stderr).toContain("did you mean `base`?");
  });
});

describe("tables for a text", () => {
  it("have the best in bold and letters, of evaluate and of compare", async () => {
    const runs = ["base.run", "mixed.run", "bad.run"];
    const evaluated = await place.run(["evaluate", "qrels.txt", ...runs, "-m", "RR", "--format", "md"]);
    expect(evaluated.status).toBe(0);
    expect(evaluated.stdout).toMatch(/^\| run \| RR \|\n\| --- \| ---: \|\n\| base \| /);
    expect(evaluated.stdout).toMatch(/\*\*\d\.\d{4}\*\* a/);
    const compared = await place.run([
      "compare",
      ...runs,
      "--qrels",
      "qrels.txt",
      "-m",
      "RR",
      "--format",
      "latex",
    ]);
    expect(compared.stdout).toMatch(/^% In a column.*\n\\begin\{tabular\}\{lr\}\n/);
    const golden = await place.run(["compare", "base.jsonl", "mixed.jsonl", "--format", "html"]);
    expect(golden.stdout).toMatch(/^<table><thead>/);
  });
});
