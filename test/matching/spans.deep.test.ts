import { describe, expect, it } from "vitest";
import { citationResolver, docSpanMatching } from "../../src/matching/index.js";
import type { Citation, GoldenQuery, Span } from "../../src/records/index.js";
import { rankingOf } from "../../src/records/ranking.js";
import { aRun, hit, query } from "../support/records.js";

const byte = (start: number, end: number): Span => ({ kind: "byte", start, end });

describe("very many places", () => {
  const MANY = 40_000;
  const numbers = Array.from({ length: MANY }, (_, index) => index);

  it("of one document resolve as many citations", () => {
    const resolves = citationResolver({
      chunks: numbers.map((number) => ({
        chunk_id: `c${number}`,
        doc_id: "d",
        source_spans: [byte(10 * number, 10 * number + 5)],
      })),
    });
    const resolved = (offset: number): number =>
      numbers.filter((number) =>
        resolves({
          ...(byte(10 * number + offset, 10 * number + offset + 1) as Citation & { kind: "byte" }),
          path: "d",
        }),
      ).length;
    expect(resolved(4)).toBe(MANY);
    expect(resolved(5)).toBe(0);
  });

  it.each<[string, Partial<GoldenQuery>, (number: number) => string]>([
    ["of as many chunks", {}, (number) => `d${number}#1`],
    [
      "that the golden set names",
      { expected_spans: numbers.map((number) => ({ doc_id: `d${number}`, span: byte(0, 10) })) },
      (number) => `d${number}#1`,
    ],
    [
      "of chunks that nobody knows",
      { expected_spans: numbers.map((number) => ({ doc_id: `d${number}`, span: byte(0, 10) })) },
      () => "unknown",
    ],
    [
      "of documents of a chunk that nobody knows",
      { expected_doc_ids: numbers.map((number) => `d${number}`) },
      () => "unknown",
    ],
  ])("in one query %s are matched", (_, more, chunkOf) => {
    const spans = { source_spans: [byte(0, 10)] };
    const expected = query("q", { expected_chunk_ids: [...new Set(numbers.map(chunkOf))], ...more });
    const known = numbers.map((number) => ({ chunk_id: `d${number}#1`, doc_id: `d${number}`, ...spans }));
    const matcher = docSpanMatching([expected], known, []).matcherFor(aRun());
    const { items } = matcher.match(
      expected,
      rankingOf(
        numbers.map((number) => hit(`d${number}#2`, number + 1, spans)),
        "q",
      ),
      expected.expected_chunk_ids ?? [],
    );
    expect(items.length).toBe(MANY);
    expect(matcher.isUnplaced?.(expected)).toBe(more.expected_doc_ids !== undefined);
  });
});
