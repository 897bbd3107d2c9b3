import { describe, expect, it } from "vitest";
import { formatQrels, writtenFormats } from "../../src/formats/index.js";

describe("what is written", () => {
  it.each(writtenFormats.map(({ name }) => [name]))("a query with very many judgments as %s", (format) => {
    const qrels = Array.from({ length: 200_000 }, (_, index) => ({
      query_id: "q",
      doc_id: `d${index}`,
      grade: 1,
    }));
    expect(formatQrels(qrels, format)).toContain("d199999");
  });
});
