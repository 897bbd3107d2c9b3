import { describe, expect, it } from "vitest";
import { renderReportHtml } from "../../src/report/index.js";
import { madeComparison } from "../support/comparison.js";

describe("the HTML report", () => {
  it("embeds each query once: 5,000 of them in less than half of the JSON result", () => {
    const comparison = madeComparison({ queries: 5_000 });
    expect(renderReportHtml(comparison).length).toBeLessThan(JSON.stringify(comparison).length / 2);
  });
});
