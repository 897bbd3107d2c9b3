import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { computeAggregate, evaluate } from "../../src/index.js";
import { inProcess } from "./in-process.js";
import { aRun, hit, query, result } from "../support/records.js";

const folder = mkdtempSync(join(tmpdir(), "rankproof-empty-"));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const golden = file("golden.yaml", "queries:\n  - {id: q1, query: x, expected_doc_ids: [d]}\n");
const line = (id: string): string =>
  `${JSON.stringify({ query_id: id, hits_top_k: [{ chunk_id: "d#1", doc_id: "d" }] })}\n`;

describe("a run that was never asked these queries", () => {
  it.each([
    ["aggregate", [file("none.jsonl", "")], "none.jsonl: has no results at all"],
    [
      "import",
      [join(folder, "none.jsonl"), "--store", join(folder, "s.sqlite")],
      "none.jsonl: has no results at all",
    ],
    [
      "aggregate",
      [file("other.jsonl", line("Q1"))],
      "it has queries such as `Q1`, there they are called as `q1`",
    ],
    [
      "compare",
      [file("some.jsonl", line("q1")), file("others.jsonl", line("Q1"))],
      "others.jsonl: answers none",
    ],
    ["paraphrases", [join(folder, "none.jsonl")], "has no results at all"],
  ])("ends %s with 2, and goes on where that is allowed", async (command, runs, message) => {
    const refused = await inProcess(command, ...runs, "-g", golden);
    expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: "" });
    expect(refused.stderr).toContain(message);
    expect((await inProcess(command, ...runs, "-g", golden, "--allow-empty")).status).toBe(0);
  });
});

describe("what the library warns of", () => {
  const codes = ({ warnings }: { warnings: readonly { code: string }[] }): string[] =>
    warnings.map(({ code }) => code);
  const expecting = [query("q1", { expected_doc_ids: ["d"] })];

  it("runs without results, and runs of other queries", () => {
    expect(codes(computeAggregate(aRun(), expecting))).toContain("RUN_EMPTY");
    const strange = computeAggregate(aRun({ results: [result("Q1", [hit("d#1")])] }), expecting);
    expect(codes(strange)).toContain("RUN_OUTSIDE_GOLDEN_SET");
    expect(codes(evaluate(new Map(), { q1: { d: 1 } }, ["AP"]))).toEqual(["RUN_EMPTY"]);
    expect(codes(evaluate({ Q1: { d: 1 } }, { q1: { d: 1 } }, ["AP"]))).toEqual(["RUN_OUTSIDE_GOLDEN_SET"]);
  });
  it("a golden set that measures nothing", () => {
    const nothing = computeAggregate(aRun({ results: [result("q1", [hit("d#1")])] }), [query("q1")]);
    expect(codes(nothing)).toEqual(["GOLDEN_MEASURES_NOTHING"]);
    // Of documents alone something is measured, but nothing of chunks.
    const byDocument = aRun({ results: [result("q1", [hit("d#1")])] });
    expect(codes(computeAggregate(byDocument, expecting))).toEqual(["DOCUMENTS_ONLY"]);
    expect(codes(computeAggregate(byDocument, expecting, { unit: "doc" }))).toEqual([]);
    expect(codes(evaluate({ q1: { d: 1 } }, { q1: { d: 0 } }, ["AP"]))).toEqual(["NOTHING_RELEVANT"]);
  });
  it("queries that score 1 whatever is returned", () => {
    const qrels = { q1: { d: 1 }, q2: { d: 0 } };
    const scored = evaluate({ q1: { d: 1 }, q2: { d: 1 } }, qrels, ["AP"], { noRelevant: "one" });
    expect(scored.mean("AP")).toBe(1);
    expect(scored.warnings).toMatchObject([{ code: "SCORED_AS_ONE", count: 1 }]);
    expect(codes(evaluate({ q1: { d: 1 }, q2: { d: 1 } }, qrels, ["AP"]))).toEqual([]);
  });
  it("diversity that is measured over one subtopic", async () => {
    const diverse = file("diverse.txt", "1 1 a 1\n1 2 b 1\n2 1 c 1\n");
    const single = file("single.txt", "1 0 a 1\n1 0 b 1\n2 0 c 1\n");
    const run = file("run.txt", "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 c 1 1 t\n");
    const warned = async (qrels: string, metric: string): Promise<string> =>
      (await inProcess("evaluate", qrels, run, "-m", metric)).stderr;
    expect(await warned(single, "alpha_nDCG@10")).toContain("say nothing about diversity");
    expect(await warned(diverse, "alpha_nDCG@10")).toBe("");
    expect(await warned(single, "nDCG@10")).toBe("");
  });
});

describe("a run in TREC's format where a recorded one is meant", () => {
  it.each(["aggregate", "compare", "paraphrases", "import"])("%s says what reads it", async (command) => {
    const trec = file("bm25.run", "q1 Q0 d 1 2.5 bm25\n");
    const runs = command === "compare" ? [trec, trec] : [trec];
    const { status, stderr } = await inProcess(command, ...runs, "-g", golden);
    expect(status).toBe(2);
    expect(stderr).toContain(`is a run of ids and scores; \`rankproof evaluate QRELS ${trec}\` scores it`);
  });
  it.each([
    ["lines.jsonl", '{"query_id":"q1","doc_id":"d","score":2.5}\n'],
    ["table.csv", "query_id,doc_id,score\nq1,d,2.5\n"],
    ["object.json", '{\n  "q1": {"d": 2.5}\n}\n'],
  ])("is told of what `convert` writes, too: %s", async (name, text) => {
    const { status, stderr } = await inProcess("aggregate", file(name, text), "-g", golden);
    expect(status).toBe(2);
    expect(stderr).toContain("is a run of ids and scores");
  });
});

describe("a result with a key of another name", () => {
  it("is asked whether it is what is missing", async () => {
    const wrong = file("wrong.jsonl", '{"query_id": "q1", "hits": []}\n');
    expect((await inProcess("aggregate", wrong, "-g", golden)).stderr).toContain(
      "wrong.jsonl:1:1: hits_top_k is missing (is it what `hits` has?)",
    );
  });
});
