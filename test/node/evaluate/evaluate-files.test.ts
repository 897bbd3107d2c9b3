import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { mergePartials } from "../../../src/evaluate/index.js";
import { evaluateFile, evaluateFilePartial, loadQrels } from "../../../src/node/evaluate/index.js";
import { parseMetric } from "../../../src/metrics/index.js";

it("a run file is scored by subtopic, whether the metric is given or named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "evaluate-files-"));
  const [run, judged] = [join(folder, "a.run"), join(folder, "qrels")];
  writeFileSync(run, "q Q0 a 1 2 mine\nq Q0 b 2 1 mine\n");
  writeFileSync(judged, "q 1 a 1\nq 2 b 1\n");
  const qrels = await loadQrels(judged, { subtopics: true });
  for (const metric of ["alpha_nDCG@5", parseMetric("alpha_nDCG@5")]) {
    const evaluation = await evaluateFile(run, qrels, [metric]);
    expect(evaluation.record()).toMatchObject({ run: "mine", metrics: { "alpha_nDCG@5": 1 } });
  }
});

describe("scores that rise with the ranks are told of a run", () => {
  const folder = mkdtempSync(join(tmpdir(), "evaluate-files-"));
  const write = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const ids = Array.from({ length: 700 }, (_, at) => `q${at}`);
  const lines = (rank: number, score: (rank: number) => number): string =>
    ids.map((id) => `${id} Q0 d${rank} ${rank} ${score(rank)} t\n`).join("");
  const grouped = (score: (rank: number) => number): string =>
    ids
      .map((id) => [1, 2, 3].map((rank) => `${id} Q0 d${rank} ${rank} ${score(rank)} t\n`).join(""))
      .join("");
  const distances = (rank: number): number => rank / 8;
  const judged = write("qrels", ids.map((id) => `${id} 0 d1 1\n`).join(""));
  const csv = grouped(distances).replace(/ Q0/g, "").replace(/ t$/gm, "").replace(/ /g, ",");
  it.each([
    ["grouped", write("a.run", grouped(distances))],
    ["interleaved", write("b.run", [1, 2, 3].map((rank) => lines(rank, distances)).join(""))],
    [
      "behind queries of one hit",
      write(
        "c.run",
        ids
          .slice(0, 300)
          .map((id) => `x${id} Q0 d 1 1 t\n`)
          .join("") + grouped(distances),
      ),
    ],
    ["packed", write("d.run.gz", gzipSync(grouped(distances)))],
    ["as CSV", write("e.csv", `query_id,doc_id,rank,score\n${csv}`)],
  ])("%s, once, beside those that were given", async (_, path) => {
    const qrels = await loadQrels(judged);
    const given = { code: "NEAR_IDS", message: "mine" } as const;
    const codes = ({ warnings }: { warnings: readonly { code: string }[] }) =>
      warnings.map(({ code }) => code);
    const told = ["NEAR_IDS", "SCORES_RISE"];
    expect(codes(await evaluateFile(path, qrels, ["RR"], { warnings: [given] }))).toEqual(told);
    const shards = await Promise.all(
      [1, 2].map((index) =>
        evaluateFilePartial(path, qrels, ["RR"], { warnings: [given], shard: { index, of: 2 } }),
      ),
    );
    expect(codes(mergePartials(shards))).toEqual(told);
  });
  it("and of no other one", async () => {
    const qrels = await loadQrels(judged);
    for (const path of [
      write(
        "f.run",
        grouped((rank) => -rank),
      ),
      write("g.run", [1, 2, 3].map((rank) => lines(rank, () => 1)).join("")),
    ])
      expect((await evaluateFile(path, qrels, ["RR"])).warnings).toEqual([]);
  });
  it("judgments that are mostly fractions look like scores", async () => {
    for (const [text, is] of [
      ["q 0 a 3\nq 0 b 2.5\nq 0 c 1.5\n", true],
      ["q 0 a 2.5\nq 0 b 2\nq 0 c 1\n", false],
      ["q 0 a 2.5\nq 0 b 2\n", false],
    ] as const)
      expect((await loadQrels(write("fractions", text))).hasFractions()).toBe(is);
  });
});

it("what must be said of judgments is in every record of the scores", async () => {
  const folder = mkdtempSync(join(tmpdir(), "evaluate-files-"));
  const [run, judged] = [join(folder, "a.run"), join(folder, "rank-eval.json")];
  writeFileSync(run, "q Q0 a 1 2 mine\nq Q0 b 2 1 mine\n");
  const hits = [{ hit: { _index: "i", _id: "a", _score: 2 }, rating: 1 }];
  writeFileSync(judged, JSON.stringify({ metric_score: 1, details: { q: { metric_score: 1, hits } } }));
  const qrels = await loadQrels(judged);
  const codes = (given: { readonly warnings: readonly { readonly code: string }[] }): string[] =>
    given.warnings.map(({ code }) => code);
  expect(codes((await evaluateFile(run, qrels, ["RR"])).record())).toContain("RETURNED_ONLY");
  const shards = await Promise.all(
    [1, 2].map((index) => evaluateFilePartial(run, qrels, ["RR"], { shard: { index, of: 2 } })),
  );
  expect(shards.map(codes)).toEqual([["RETURNED_ONLY"], ["RETURNED_ONLY"]]);
  expect(codes(mergePartials(shards)).filter((code) => code === "RETURNED_ONLY")).toHaveLength(1);
});
