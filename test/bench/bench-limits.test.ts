import { describe, expect, it } from "vitest";
import { checkBenchLimits, parseBenchLimit } from "../../src/bench/index.js";
import type { BenchReport } from "../../src/records/index.js";
import { aMode } from "../support/bench-modes.js";

const hybrid = aMode("hybrid", [1, 0], { p95: 20 });
const report = {
  modes: [
    {
      ...hybrid,
      overall: { ...hybrid.overall, recall_at_5: 0.5, ndcg_at_5: 0.4, mrr_at_5: 0.3, evidence_hit_rate: 0.7 },
    },
    { ...aMode("hybrid@live", [1]), mode: "hybrid@live" },
  ],
  settings: { repeats: 1, warm_up: 0, depth: 10, top_k: 5 },
} as unknown as BenchReport;

describe("limits of a benchmark", () => {
  it.each([
    ["hybrid.recall=0.5", 0.5, true],
    ["hybrid.recall=0.5001", 0.5, false],
    ["hybrid.ndcg=0.4", 0.4, true],
    ["hybrid.mrr = 0.31", 0.3, false],
    ["hybrid.hit_rate=0.7", 0.7, true],
    ["hybrid.p95_latency_ms=20", 20, true],
    ["hybrid.p95_latency_ms=19.9", 20, false],
    ["hybrid@live.avg_latency_ms=1e3", 10, true],
  ])("%s", (text, actual, is_held) => {
    expect(checkBenchLimits(report, [parseBenchLimit(text)])).toMatchObject([{ actual, is_held }]);
  });
  it.each([
    [
      "hybrid.recal=0.5",
      "`hybrid.recal=0.5`: the score must be one of recall, mrr, ndcg, hit_rate, avg_latency_ms, " +
        "p95_latency_ms; did you mean `recall`?",
    ],
    ["recall=0.5", "a limit must look like `hybrid.recall=0.5`, got `recall=0.5`"],
    ["hybrid.recall=half", "a limit must look like `hybrid.recall=0.5`, got `hybrid.recall=half`"],
    ["hybrid.recall=", "a limit must look like"],
    ["", "a limit must look like"],
  ])("%j is refused", (text, message) => {
    expect(() => parseBenchLimit(text)).toThrow(message);
  });
  it("a mode that was not measured is a mistake, not a pass", () => {
    expect(() => checkBenchLimits(report, [parseBenchLimit("hybird.recall=0.1")])).toThrow(
      "`hybird` was not measured; a limit can be set for hybrid, hybrid@live",
    );
  });
});
