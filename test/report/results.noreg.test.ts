import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAggregate, parseCompareReport } from "../../src/formats/index.js";
import { renderReportMd } from "../../src/index.js";
import { renderAggregateText, renderCompareText, renderWarningsText } from "../../src/report/index.js";

const folder = fileURLToPath(new URL("../../fixtures/results/", import.meta.url));

describe.each(readdirSync(folder))("results that version %s wrote", (version) => {
  const text = (name: string): string => readFileSync(join(folder, version, name), "utf8");

  it("are read without loss and rendered", () => {
    const report = parseCompareReport(text("compare.json"));
    expect(report).toMatchObject(JSON.parse(text("compare.json")) as object);
    expect(renderReportMd(report)).toMatch(/^# Eval compare: bm25-words → bm25-windows\n\n\*\*/);
    expect(renderCompareText(report)).toContain("nDCG@10");
    expect(renderWarningsText(report).join()).toContain("the chunkers differ");
  });
  it("have scores that are printed", () => {
    const aggregate = parseAggregate(text("aggregate.json"));
    expect(aggregate).toMatchObject(JSON.parse(text("aggregate.json")) as object);
    expect(renderAggregateText(aggregate)).toMatch(/MRR@10 +0\.\d{4} +\d+\n/);
  });
});
