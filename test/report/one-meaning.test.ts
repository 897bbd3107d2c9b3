import { describe, expect, it } from "vitest";
import { parseMetric } from "../../src/metrics/index.js";
import { runBench, collectionBenchFixture, standardSystems } from "../../src/bench/index.js";
import { compareRuns, compareSystems, renderReportMd, type ComparedSystem } from "../../src/index.js";
import { hashEmbedder } from "../../src/retrieve/index.js";
import {
  renderBenchHtml,
  renderBenchMd,
  renderCompareText,
  renderComparisonText,
} from "../../src/report/index.js";
import type { EvalRun } from "../../src/records/index.js";
import { aRun, answer, hit, query, result } from "../support/records.js";

const ids = Array.from({ length: 30 }, (_, at) => `q${at}`);
const golden = ids.map((id) =>
  query(id, { expected_chunk_ids: [`${id}#1`], expected_doc_ids: [id], must_contain: ["yes"] }),
);
/** Finds the expected chunk at rank 2 for the first queries, and at rank 1 for the others. */
const runWith = (run_id: string, second: number): EvalRun =>
  aRun({
    run_id,
    results: ids.map((id, at) =>
      result(id, at < second ? [hit("x#1", 1), hit(`${id}#1`, 2)] : [hit(`${id}#1`, 1)], {
        answer: answer("yes"),
      }),
    ),
  });
const paint = (text: string, as: string): string => `<${as}>${text}</${as}>`;

describe("a page says one thing in one way", () => {
  it("a colour in the terminal says that a difference is real, as in HTML", () => {
    const coloured = (second: number): string =>
      renderCompareText(compareRuns(runWith("a", 0), runWith("b", second), golden), { paint });
    // 2 of 30 differ: p = 0.5.
    expect(coloured(2)).toMatch(/\nMRR@10 +1\.0000 +0\.9667 +-0\.0333/);
    expect(coloured(20)).toMatch(/\n<bad>MRR@10 +1\.0000 +0\.6667 +-0\.3333/);
    const untested = compareRuns(runWith("a", 0), runWith("b", 2), golden, { statistics: false });
    expect(renderCompareText(untested, { paint })).toMatch(/\n<bad>MRR@10/);
  });
  it("so do the words better and worse in Markdown", () => {
    const row = (second: number): string =>
      /\| MRR@10 .*/.exec(renderReportMd(compareRuns(runWith("a", 0), runWith("b", second), golden)))?.[0] ??
      "";
    expect(row(2)).toContain("| -0.0333 |  |");
    expect(row(20)).toContain("| -0.3333 | worse |");
  });
  it("and neither where nothing follows from the numbers, as of runs asked for other numbers of hits", () => {
    const deep = { ...runWith("a", 0), config_snapshot: { eval_k: 20 } };
    const flat = { ...runWith("b", 20), config_snapshot: { eval_k: 10 } };
    const report = compareRuns(deep, flat, golden, { metrics: [parseMetric("RR@20")] });
    expect(renderCompareText(report, { paint })).toMatch(/\nRR@20 /);
    expect(renderReportMd(report)).toMatch(/\| RR@20 .*\|  \|/);
  });
  it("and letters of three runs and more are the same where nothing follows", () => {
    const recorded = (name: string, eval_k: number, second: number): ComparedSystem => ({
      name,
      run: { ...runWith(name, second), config_snapshot: { eval_k } },
    });
    const systems = [recorded("a", 20, 0), recorded("b", 10, 20), recorded("c", 10, 0)];
    const lettersOf = (metric: string): unknown => {
      const qrels = new Map(ids.map((id) => [id, new Map([[id, 1]])]));
      const comparison = compareSystems(systems, qrels, [metric], { unit: "doc" });
      const told = renderComparisonText(comparison).includes(
        "Nothing follows from the difference of a → b, a → c.",
      );
      expect(told).toBe(metric === "RR@20");
      expect(comparison.all_pairs?.filter(({ undecided }) => undecided !== undefined)).toHaveLength(
        told ? 2 : 0,
      );
      return comparison.leaderboard?.map(({ scores: [score] }) => score?.groups?.join(""));
    };
    expect(lettersOf("RR@5")).toEqual(["a", "b", "a"]);
    // The first had more hits to find it among.
    expect(lettersOf("RR@20")).toEqual(["ab", "b", "a"]);
    // Who finds less among more hits is worse.
    const worse = [recorded("a", 10, 0), recorded("w", 20, 20), recorded("c", 10, 0)];
    const qrels = new Map(ids.map((id) => [id, new Map([[id, 1]])]));
    expect(renderComparisonText(compareSystems(worse, qrels, ["RR@20"], { unit: "doc" }))).not.toContain(
      "Nothing follows",
    );
  });
  it("what is called groundedness in the record is printed as what it is, and found by both names", () => {
    const report = compareRuns(runWith("a", 0), runWith("b", 2), golden, {
      statistics: { primary: "groundedness", guards: ["mrr"] },
    });
    expect(report.statistics?.settings).toMatchObject({
      primary: "text checks",
      guards: [{ metric: "MRR@10" }],
    });
    const text = renderCompareText(report);
    expect(text).toContain("text checks");
    expect(text).not.toContain("groundedness");
  });
  it("a metric of a benchmark has one name on its page; settings say which it is elsewhere", async () => {
    const fixture = collectionBenchFixture({
      name: "made up",
      documents: ids.map((id) => ({ id, title: id, text: `words about ${id}` })),
      queries: new Map(ids.map((id) => [id, { query: id }])),
      qrels: new Map(ids.map((id) => [id, new Map([[id, 1]])])),
    });
    const systems = await standardSystems(fixture, { embedder: hashEmbedder() });
    const { report } = await runBench(fixture, systems, { repeats: 1, warmUp: 0 });
    for (const page of [renderBenchMd(report), renderBenchHtml(report)]) {
      expect(page).toMatch(/nDCG(?:@|&#64;)10/);
      expect(page.match(/exp-log2/g)).toHaveLength(1);
    }
  });
});
