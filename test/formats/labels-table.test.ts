import { describe, expect, it } from "vitest";
import { formatLabels, parseAnyQrels } from "../../src/formats/index.js";

describe("labels for a spreadsheet", () => {
  it("are judgments of the same ids when they are read, whatever spreadsheets make of them", () => {
    const items = ["-abc123", "'-abc", "=1+1", "+x", "@y", "plain", 'a "b", c', "\u0442"];
    const labels = items.map((item) => ({
      query: "shoe",
      item,
      grade: 2,
      by: "judge",
      votes: 1,
      spread: 0,
      isStale: false,
    }));
    const table = formatLabels(labels, [{ id: "=q", text: "shoe" }]);
    expect(table).toContain("'-abc123");
    const { judgments } = parseAnyQrels(new TextEncoder().encode(table), "labels.csv");
    expect(judgments).toEqual(items.map((doc_id) => ({ query_id: "=q", doc_id, grade: 2 })));
  });
  it("but judgments of other programs keep every apostrophe", () => {
    const table = "query_id,item,grade\n'=q,'-abc,1\n";
    const { judgments } = parseAnyQrels(new TextEncoder().encode(table), "qrels.csv");
    expect(judgments).toEqual([{ query_id: "'=q", doc_id: "'-abc", grade: 1 }]);
  });
});
