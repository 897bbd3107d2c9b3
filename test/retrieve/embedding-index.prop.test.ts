import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { embeddingIndex, loadEmbeddingIndex } from "../../src/retrieve/index.js";
import { LAW_RUNS } from "../support/arbitraries.js";
import { tableEmbedder } from "../support/word-embedder.js";

const DIMENSIONS = 7;
const vector = fc.array(
  fc.oneof(fc.constantFrom(0, 1, -1), fc.float({ min: -1000, max: 1000, noNaN: true })),
  { minLength: DIMENSIONS, maxLength: DIMENSIONS },
);
/** More than a block of rows that questions share. */
const matrix = fc.array(vector, { minLength: 1, maxLength: 150 });

/** The cosine in double precision, or NaN where one has no direction. */
function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, number, index) => sum + number * (y[index] as number), 0);
  return dot(a, b) / Math.sqrt(dot(a, a)) / Math.sqrt(dot(b, b));
}
/** Directions are kept in single precision, the questions' too. */
const TOLERANCE = 1e-6;

function table(
  documents: readonly (readonly number[])[],
  questions: readonly (readonly number[])[],
): Record<string, readonly number[]> {
  return Object.fromEntries([
    ...documents.map((row, index) => [`d${index}`, row] as const),
    ...questions.map((row, index) => [`q${index}`, row] as const),
  ]);
}
const chunksOf = (documents: readonly unknown[]): { chunk_id: string; doc_id: string; text: string }[] =>
  documents.map((_, index) => ({ chunk_id: `${index}`, doc_id: "d", text: `d${index}` }));

describe("embeddingIndex", () => {
  it("gives every chunk with a direction its cosine, best first, and no other", async () => {
    await fc.assert(
      fc.asyncProperty(matrix, vector, async (documents, question) => {
        const hits = await (
          await embeddingIndex(chunksOf(documents), tableEmbedder(table(documents, [question])))
        ).search("q0", { limit: 1000 });
        const expected = documents.map((row) => cosine(row, question));
        expect(hits.map(({ chunk_id }) => Number(chunk_id)).sort((a, b) => a - b)).toEqual(
          [...expected.keys()].filter((row) => !Number.isNaN(expected[row])),
        );
        for (const { chunk_id, score } of hits)
          expect(Math.abs((score as number) - (expected[Number(chunk_id)] as number))).toBeLessThan(
            TOLERANCE,
          );
        hits
          .slice(1)
          .forEach((hit, index) => expect(hit.score).toBeLessThanOrEqual(hits[index]?.score as number));
      }),
      LAW_RUNS,
    );
  });
  it("answers many questions as it answers each, and the same after it was stored", async () => {
    await fc.assert(
      fc.asyncProperty(
        matrix,
        fc.array(vector, { maxLength: 5 }),
        fc.integer({ min: 1, max: 20 }),
        async (documents, questions, limit) => {
          const provider = tableEmbedder(table(documents, questions));
          const index = await embeddingIndex(chunksOf(documents), provider);
          const asked = questions.map((_, number) => `q${number}`);
          const together = await index.searchAll(asked, { limit });
          expect(together).toEqual(await Promise.all(asked.map((query) => index.search(query, { limit }))));
          expect(await loadEmbeddingIndex(index.toBytes(), provider).searchAll(asked, { limit })).toEqual(
            together,
          );
        },
      ),
      LAW_RUNS,
    );
  });
});
