import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextChunk } from "../../src/chunk/index.js";
import {
  lexicalIndex,
  loadLexicalIndex,
  plainAnalyzer,
  type LexicalOptions,
} from "../../src/retrieve/index.js";
import { LAW_RUNS } from "../support/arbitraries.js";

const WORDS = ["a", "b", "c", "d", "e", "f", "constructor", "__proto", "é", "文"];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(" "));
const corpus: fc.Arbitrary<readonly TextChunk[]> = fc
  .array(fc.record({ title: fc.option(text, { nil: undefined }), text }), { minLength: 1, maxLength: 30 })
  .map((list) => list.map((each, index) => ({ chunk_id: `c${index}`, doc_id: "d", ...each })));

interface Settings {
  readonly idf: "lucene" | "fts5";
  readonly k1: number;
  readonly b: number;
  readonly weights: { readonly title: number; readonly text: number };
}
/** Weights that single precision holds, as occurrences are kept in it. */
const weight = fc.constantFrom(0, 0.5, 1, 2, 3.25);
const settings: fc.Arbitrary<Settings> = fc.record({
  idf: fc.constantFrom("lucene", "fts5"),
  k1: fc.double({ min: 0, max: 3, noNaN: true }),
  b: fc.double({ min: 0, max: 1, noNaN: true }),
  weights: fc.record({ title: weight, text: weight }),
});
const options = (given: Settings): LexicalOptions => ({ ...given, analyzer: plainAnalyzer });

/** The formula as it stands in the paper, chunk by chunk. */
function naive(
  chunks: readonly TextChunk[],
  query: string,
  { idf, k1, b, weights }: Settings,
): { id: string; score: number }[] {
  const terms = (of: string): string[] =>
    [...plainAnalyzer.words(of)].map((word) => plainAnalyzer.term(word));
  const fields = chunks.map(({ title = "", text: body }) => [
    { words: weights.title === 0 ? [] : terms(title), weight: weights.title },
    { words: weights.text === 0 ? [] : terms(body), weight: weights.text },
  ]);
  const lengths = fields.map((two) =>
    two.reduce((sum, { words, weight: each }) => sum + words.length * (idf === "fts5" ? 1 : each), 0),
  );
  const mean = lengths.reduce((sum, length) => sum + length, 0) / chunks.length;
  const scores = chunks.map((_, at) =>
    [...new Set(plainAnalyzer.words(query))].reduce((score, word) => {
      const term = plainAnalyzer.term(word);
      const count = fields.filter((two) => two.some(({ words }) => words.includes(term))).length;
      const frequency = (fields[at] as { words: string[]; weight: number }[]).reduce(
        (sum, { words, weight: each }) => sum + each * words.filter((other) => other === term).length,
        0,
      );
      if (frequency === 0) return score;
      const odds = (chunks.length - count + 0.5) / (count + 0.5);
      const rarity = idf === "lucene" ? Math.log(1 + odds) : odds > 1 ? Math.log(odds) : 1e-6;
      return (
        score +
        (rarity * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * (lengths[at] as number)) / mean))
      );
    }, 0),
  );
  return scores.map((score, at) => ({ id: `c${at}`, score })).filter(({ score }) => score > 0);
}

describe("lexicalIndex", () => {
  it("scores every chunk as the formula does, to 12 digits, and finds no other", () => {
    fc.assert(
      fc.property(corpus, text, settings, (chunks, query, given) => {
        const hits = lexicalIndex(chunks, options(given)).search(query, { limit: 100 });
        const expected = new Map(naive(chunks, query, given).map(({ id, score }) => [id, score]));
        expect(hits.map(({ chunk_id }) => chunk_id).sort()).toEqual([...expected.keys()].sort());
        for (const { chunk_id, score } of hits)
          expect(Math.abs((score as number) / (expected.get(chunk_id) as number) - 1)).toBeLessThan(1e-12);
      }),
      LAW_RUNS,
    );
  });
  it("keeps of any corpus the first hits of a full sort, equal scores in the order of the chunks", () => {
    fc.assert(
      fc.property(corpus, text, settings, fc.integer({ min: 1, max: 40 }), (chunks, query, given, limit) => {
        const index = lexicalIndex(chunks, options(given));
        const all = index.search(query, { limit: 100 });
        const sorted = [...all].sort(
          (a, b) =>
            (b.score as number) - (a.score as number) ||
            Number(a.chunk_id.slice(1)) - Number(b.chunk_id.slice(1)),
        );
        expect(all).toEqual(sorted);
        expect(index.search(query, { limit })).toEqual(sorted.slice(0, limit));
      }),
      LAW_RUNS,
    );
  });
  it("is the same after it was stored", () => {
    fc.assert(
      fc.property(corpus, text, settings, (chunks, query, given) => {
        const index = lexicalIndex(chunks, options(given));
        const loaded = loadLexicalIndex(index.toBytes(), { analyzer: plainAnalyzer });
        expect(loaded.search(query, { limit: 100 })).toEqual(index.search(query, { limit: 100 }));
        expect(loaded.toBytes()).toEqual(index.toBytes());
      }),
      LAW_RUNS,
    );
  });
  it("never scores a chunk lower for a further word of the question that it has", () => {
    fc.assert(
      fc.property(corpus, text, fc.constantFrom(...WORDS), settings, (chunks, query, word, given) => {
        const index = lexicalIndex(chunks, options(given));
        const longer = new Map(
          index
            .search(`${query} ${word}`, { limit: 100 })
            .map(({ chunk_id, score }) => [chunk_id, score as number]),
        );
        for (const { chunk_id, score } of index.search(query, { limit: 100 }))
          expect(longer.get(chunk_id)).toBeGreaterThanOrEqual(score as number);
      }),
      LAW_RUNS,
    );
  });
});
