import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseResult } from "../../src/formats/index.js";
import { gate } from "../../src/gate/index.js";
import { renderReportMd } from "../../src/index.js";
import {
  renderAggregateText,
  renderBenchHtml,
  renderBenchMd,
  renderBenchText,
  renderComparisonCsv,
  renderComparisonText,
  renderCompareText,
  renderGithubAnnotations,
  renderJunit,
  renderReportHtml,
  renderStepSummary,
  renderWarningsText,
} from "../../src/report/index.js";

const folder = fileURLToPath(new URL("../../fixtures/results/", import.meta.url));
const files = readdirSync(folder).flatMap((version) =>
  readdirSync(join(folder, version)).map((name) => `${version}/${name}`),
);
const KINDS = {
  better: "better",
  worse: "worse",
  "guard-broken": "worse",
  equivalent: "equivalent",
  inconclusive: "inconclusive",
  "hidden-loss": "inconclusive",
  unjudged: "better",
  "not-comparable": "not_comparable",
  several: "better",
};
const DECISIONS = {
  "bench-keep-hybrid": ["hybrid_improves", "offline"],
  "bench-two-tiers": ["latency", "live_shadow"],
  "bench-too-few": ["undecided", "offline"],
  "bench-one-mode": null,
};

describe.each(files)("the result %s, as it was written", (file) => {
  const text = readFileSync(join(folder, file), "utf8");
  const stored = parseResult(text, file);

  it("is read without loss", () => {
    expect(stored.result).toMatchObject(JSON.parse(text) as object);
  });
  it("is rendered in every form that it can have", () => {
    if (stored.kind === "aggregate")
      expect(renderAggregateText(stored.result)).toMatch(/MRR@10 +0\.\d{4} +\d+\n/);
    if (stored.kind === "bench") {
      expect(renderBenchMd(stored.result)).toMatch(/^# Evidence benchmark: /);
      expect(renderBenchHtml(stored.result)).toMatch(/^<!doctype html>\n/);
      expect(renderBenchText(stored.result)).toContain("Embeddings may not be promoted");
    }
    if (stored.kind !== "report" && stored.kind !== "comparison") return;
    const comparison = stored.result;
    expect(renderReportMd(comparison)).toMatch(/^# Eval compare: /);
    expect(renderReportHtml(comparison)).toMatch(/^<!doctype html>\n/);
    expect(renderJunit({ comparison })).toContain("<testsuites");
    expect(renderStepSummary({ comparison, gate: gate(comparison, ["verdict is better"]) })).toContain(
      "## Gate",
    );
    expect(renderGithubAnnotations({ comparison })).toBeTypeOf("string");
    expect(renderWarningsText(comparison)).toBeInstanceOf(Array);
    expect(
      stored.kind === "report" ? renderCompareText(stored.result) : renderComparisonText(stored.result),
    ).toContain("nDCG@10");
    if (stored.kind === "comparison")
      expect(renderComparisonCsv(stored.result).split("\r\n")).toHaveLength(
        stored.result.per_query.length + 2,
      );
  });
  const bench = stored.kind === "bench" ? stored.result : null;
  if (bench !== null)
    it("comes to the decision that it is there for", () => {
      const { decision } = bench;
      expect(decision === null ? null : [decision.rule, decision.tier]).toEqual(
        DECISIONS[file.replace(/^.*\/|\.json$/g, "") as keyof typeof DECISIONS],
      );
    });
  const comparison = stored.kind === "comparison" ? stored.result : null;
  if (comparison !== null)
    it("comes to the verdict that it is there for", () => {
      const name = file.replace(/^.*\/|\.json$/g, "") as keyof typeof KINDS;
      const [first] = comparison.comparisons;
      expect(first?.verdict.kind).toBe(KINDS[name]);
      if (name === "hidden-loss")
        expect(first?.verdict.headline).toContain("Hidden by the mean: lang = ko fell by");
      if (name === "unjudged") expect(first?.verdict.unjudged?.could_overturn).toBe("yes");
      if (name === "inconclusive") expect(first?.verdict.queries_needed).toBeGreaterThan(48);
      if (name === "guard-broken") expect(first?.verdict.guards[0]?.is_held).toBe(false);
      if (name === "several") expect(comparison.all_pairs).toHaveLength(3);
    });
});

describe("the report of version 0.1.0", () => {
  it("still says what it said", () => {
    const stored = parseResult(readFileSync(join(folder, "0.1.0/compare.json"), "utf8"));
    if (stored.kind !== "report") throw new Error("a report was expected");
    expect(renderReportMd(stored.result)).toMatch(/^# Eval compare: bm25-words → bm25-windows\n\n\*\*/);
    expect(renderWarningsText(stored.result).join()).toContain("the chunkers differ");
  });
});
