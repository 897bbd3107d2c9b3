import fc from "fast-check";

const word = fc.constantFrom(
  "sparse",
  "retrieval",
  "routes",
  "queries",
  "to",
  "a",
  "graph",
  "of",
  "evidence",
  "3.5",
  "BM25",
  "latency",
);

/** English of plain sentences, up to some thousand characters. */
export const plainText: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.array(word, { minLength: 1, maxLength: 25 }), fc.constantFrom(".", "!", "?")), {
    maxLength: 25,
  })
  .map((sentences) => sentences.map(([words, stop]) => `The ${words.join(" ")} end${stop}`).join(" "));
