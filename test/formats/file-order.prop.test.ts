import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate, profileNames } from "../../src/evaluate/index.js";
import { parseAnyRun } from "../../src/formats/index.js";

type Hit = readonly [query: string, id: string, score: number];

/** Few scores, so that most hits tie; queries whose lines do not stand together. */
const anyHits = fc.uniqueArray(
  fc.tuple(fc.constantFrom("q1", "q2"), fc.constantFrom(..."abcdefgh"), fc.constantFrom(0, 1, 1.5)),
  { minLength: 1, selector: ([query, id]) => `${query} ${id}` },
);
const QRELS = new Map(
  ["q1", "q2"].map((query) => [query, new Map([..."aceg"].map((id, at) => [id, at % 3]))]),
);
const METRICS = ["RR", "nDCG@3", "AP", "P@2", "Bpref"];

const byQuery = (hits: readonly Hit[]): Map<string, Hit[]> => {
  const queries = new Map<string, Hit[]>();
  for (const hit of hits) queries.set(hit[0], [...(queries.get(hit[0]) ?? []), hit]);
  return queries;
};
const table = (separator: string, hits: readonly Hit[]): string =>
  [["query_id", "doc_id", "score"], ...hits].map((row) => `${row.join(separator)}\n`).join("");
const formats: Readonly<Record<string, (hits: readonly Hit[]) => string>> = {
  trec: (hits) => hits.map(([query, id, score]) => `${query} Q0 ${id} 1 ${score} t\n`).join(""),
  csv: (hits) => table(",", hits),
  tsv: (hits) => table("\t", hits),
  jsonl: (hits) =>
    hits.map(([query_id, doc_id, score]) => `${JSON.stringify({ query_id, doc_id, score })}\n`).join(""),
  json: (hits) =>
    JSON.stringify(
      Object.fromEntries(
        [...byQuery(hits)].map(([query, own]) => [
          query,
          Object.fromEntries(own.map(([, id, score]) => [id, score])),
        ]),
      ),
    ),
};

describe.each(Object.entries(formats))("a run in %s", (_name, write) => {
  it.each(profileNames)(
    "scores by the profile %s as the same hits in memory do, ties included",
    (profile) => {
      fc.assert(
        fc.property(anyHits, (hits) => {
          const bytes = new TextEncoder().encode(write(hits));
          const { run } = parseAnyRun(bytes, "run", { inFileOrder: true });
          const inMemory = hits.map(([query_id, doc_id, score]) => ({ query_id, doc_id, score }));
          expect(evaluate(run, QRELS, METRICS, { profile }).record({ perQuery: true })).toEqual(
            evaluate(inMemory, QRELS, METRICS, { profile }).record({ perQuery: true }),
          );
        }),
        { numRuns: 60 },
      );
    },
  );
});
