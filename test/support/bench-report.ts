import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseResult } from "../../src/formats/index.js";
import type { BenchMode, BenchReport, SamplePass } from "../../src/records/index.js";
import { hostileComparison } from "./comparison.js";
import { present } from "./present.js";

/** A report of `scripts/bench-results.js`, as it is stored. */
export function storedBench(name: "keep-hybrid" | "two-tiers" | "too-few" | "one-mode"): BenchReport {
  const stored = parseResult(
    readFileSync(
      fileURLToPath(new URL(`../../fixtures/results/unreleased/bench-${name}.json`, import.meta.url)),
      "utf8",
    ),
  );
  if (stored.kind !== "bench") throw new Error("a benchmark was expected");
  return stored.result;
}

/** What somebody might have said of the hits. */
export function aSamplePass(more: Partial<SamplePass> = {}): SamplePass {
  return {
    queries: 20,
    queries_due: 20,
    hits: 84,
    unlabelled: 0,
    modes: [
      { mode: "fts_only", grounded: 30, broad: 12, miss: 18, empty: 0 },
      { mode: "hybrid", grounded: 41, broad: 10, miss: 9, empty: 0 },
    ],
    against: "hybrid",
    answer: "more_relevant",
    headline:
      "Hits became more relevant: of the hits of hybrid 68 % are grounded and 17 % broad, of those " +
      "of fts_only 50 % and 20 %",
    ...more,
  };
}

/** A report that lets embeddings be promoted. */
export function promotedBench(): BenchReport {
  const report = storedBench("keep-hybrid");
  const sampling = aSamplePass();
  return {
    ...report,
    sampling,
    may_promote: true,
    checklist: report.checklist.map((item) =>
      item.item === "manual_sampling" ? { ...item, is_done: true, note: sampling.headline } : item,
    ),
  };
}

/** A benchmark with a text in every place that data can reach. */
export function hostileBench(texts: readonly string[]): BenchReport {
  const made = storedBench("two-tiers");
  const text = (index: number): string => texts[index % texts.length] ?? "";
  const decision = present(made.decision);
  const modes = made.modes.map((mode, at): BenchMode => ({
    ...mode,
    mode: at === 3 ? `${text(1)}@live` : text(at),
    description: text(at + 1),
    embedding_model: text(at + 2),
    by_query_type: Object.fromEntries(texts.map((type) => [type, mode.overall])),
    per_case: mode.per_case.map((one, index) => ({
      ...one,
      case_id: text(index),
      ranked: texts.slice(0, 3),
      error: index % 2 === 0 ? text(index + at) : null,
    })),
  }));
  return {
    ...made,
    fixture: {
      ...made.fixture,
      name: text(0),
      version: text(1),
      description: text(2),
      digest: text(3),
      chunker_version: text(4),
      query_types: texts.map((query_type) => ({ query_type, cases: 2 })),
    },
    modes,
    comparison: hostileComparison(texts),
    decision: {
      ...decision,
      run: text(1),
      headline: text(0),
      reasons: [...texts],
      rollback: text(3),
      evidence: decision.evidence.map((evidence, index) => ({ ...evidence, mode: text(index) })),
    },
    sampling: aSamplePass({
      headline: text(4),
      against: text(1),
      modes: texts.map((mode) => ({ mode, grounded: 1, broad: 1, miss: 1, empty: 0 })),
    }),
    checklist: made.checklist.map((item, index) => ({ ...item, note: text(index) })),
    warnings: texts.map((message) => ({ code: message, message, query_ids: [message] })),
  };
}
