import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatResults, parseCompareReport, parseGolden, parseRun } from "../../src/formats/index.js";
import { compareRuns, renderReportMd } from "../../src/index.js";
import type { CompareReport, EvalRun } from "../../src/records/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

type Json = Record<string, unknown>;

/** Values of that program are single-precision floats printed wide, so they are compared at 4 decimals. */
function to4(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === "number" ? Number(part.toFixed(4)) + 0 : part,
  );
}

/** Our report cut down to the fields that the expected one has, in its shape. */
function likeExpected(ours: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(ours))
    return ours.map((item, index) =>
      likeExpected(item, (expected as unknown[])[Math.min(index, expected.length - 1)]),
    );
  if (typeof expected !== "object" || expected === null || typeof ours !== "object" || ours === null)
    return ours;
  return Object.fromEntries(
    Object.keys(expected).map((key) => [key, likeExpected((ours as Json)[key], (expected as Json)[key])]),
  );
}

const folder = oracle("interop-kebab");

describe("kebab evaluation format", () => {
  if (folder === null) {
    it.skip(WITHOUT_ORACLES, () => undefined);
    return;
  }
  const text = (...path: string[]): string => readFileSync(join(folder, ...path), "utf8");
  const compare = (name: string): { report: CompareReport; expected: Json } => {
    const snapshots = JSON.parse(text(name, "snapshots.json")) as Record<string, EvalRun["config_snapshot"]>;
    const run = (id: "run_a" | "run_b"): EvalRun => ({
      ...parseRun(text(name, `${id}.per_query.jsonl`), { run_id: id }),
      config_snapshot: snapshots[id] ?? {},
    });
    return {
      report: compareRuns(run("run_a"), run("run_b"), parseGolden(text(name, "golden.yaml"))),
      expected: JSON.parse(text(name, "expected-compare.json")) as Json,
    };
  };

  it.each(["compare-1", "empty-runs"])("%s: every value is equal", (name) => {
    const { report, expected } = compare(name);
    expect(to4(likeExpected(report, expected))).toEqual(to4(expected));
  });

  it(
    "answers-refusals-errors: equal but for unresolved citations and the result outside the golden " + "set",
    () => {
      const { report, expected } = compare("answers-refusals-errors");
      const { aggregate_a, aggregate_b, deltas, per_query } = expected as { [key: string]: Json } & {
        per_query: Json[];
      };
      // Citations count only when they resolve, and this case has no knowledge base to resolve them in.
      const unresolved = { citation_coverage: null };
      expect(to4(likeExpected(report, expected))).toEqual({
        ...(to4(expected) as Json),
        aggregate_a: { ...(to4(aggregate_a) as Json), ...unresolved },
        aggregate_b: { ...(to4(aggregate_b) as Json), ...unresolved },
        deltas: { ...(to4(deltas) as Json), ...unresolved },
        per_query: per_query.filter(({ query_id }) => query_id !== "zz"),
      });
      expect(report.aggregate_b.unmatched_results).toEqual(["zz"]);
      expect(report.aggregate_a.warnings.map(({ code }) => code)).toContain("CITATIONS_NOT_CHECKED");
    },
  );

  it("chunker-changed: equal but for matching by document and span, in the aggregates too", () => {
    const { report, expected } = compare("chunker-changed");
    const { aggregate_b, deltas } = expected as { [key: string]: Json };
    // Run b's chunk for q-001 lies where the expected one does, so it counts; that program finds nothing.
    const spanScores = {
      hit_at_k: { 1: 0.5, 3: 0.5, 5: 0.5, 10: 0.5 },
      mrr: 0.5,
      precision_at_k_chunk: { 1: 0.5, 3: 0.1667, 5: 0.1, 10: 0.05 },
    };
    const spanDeltas = {
      hit_at_k: { 1: 0, 3: -0.5, 5: -0.5, 10: -0.5 },
      mrr: -0.25,
      precision_at_k_chunk: { 1: 0, 3: -0.1666, 5: -0.1, 10: -0.05 },
    };
    expect(to4(likeExpected(report, expected))).toEqual({
      ...(to4(expected) as Json),
      aggregate_b: { ...(to4(aggregate_b) as Json), ...spanScores },
      deltas: { ...(to4(deltas) as Json), ...spanDeltas, chunker_version_match: "fallback_doc_span" },
    });
  });

  it.each(["answers-refusals-errors", "chunker-changed", "compare-1", "empty-runs"])(
    "%s: run files are read and written with the same values, unknown fields included",
    (name) => {
      for (const file of ["run_a.per_query.jsonl", "run_b.per_query.jsonl"]) {
        const original = text(name, file);
        const written = formatResults(parseRun(original, { run_id: "r" }).results);
        expect(written).toBe(
          original
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => `${JSON.stringify(JSON.parse(line))}\n`)
            .join(""),
        );
      }
    },
  );

  it.each(["answers-refusals-errors", "chunker-changed", "compare-1", "empty-runs"])(
    "%s: its report is read and rendered",
    (name) => {
      const report = parseCompareReport(text(name, "expected-compare.json"));
      expect(report).toMatchObject(JSON.parse(text(name, "expected-compare.json")) as Json);
      expect(Object.values(report.counts).reduce((a, b) => a + b)).toBe(report.per_query.length);
      expect(renderReportMd(report)).toMatch(/^# Eval compare: run_a → run_b\n/);
    },
  );

  it.each(["golden_queries.yaml", "multi_hop_golden.yaml"])("published golden set %s is read", (name) => {
    const { queries } = parseGolden(text("upstream", name), name);
    expect(queries.length).toBe(text("upstream", name).match(/^- id: /gm)?.length);
  });
});
