import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { fts5Analyzer, fts5Retriever, lexicalIndex, type SqlDatabase } from "../../src/retrieve/index.js";
import type { ScoredRun } from "../../src/records/scored-run.js";
import { askedOf, chunksOf } from "../support/collections.js";
import { oracle, qrelsOf, runOf, WITHOUT_ORACLES } from "../support/oracles.js";
import { nodeSqlite, wasmSqlite, WITHOUT_NODE_SQLITE } from "../support/sqlite.js";

const asFts5 = (folder: string): ReturnType<typeof lexicalIndex> =>
  lexicalIndex(chunksOf(folder), { analyzer: fts5Analyzer, idf: "fts5", weights: { title: 1, text: 1 } });

const DEPTH = 10;
/** SQLite's scores were stored with 10 digits. */
const RELATIVE = 1e-6;

/** Queries whose first ten documents have an order: those that tie with nothing up to the eleventh. */
function untied(run: ScoredRun): string[] {
  return [...run]
    .filter(([, { scores }]) =>
      Array.from({ length: Math.min(scores.length - 1, DEPTH) }, (_, index) => index).every(
        (index) => scores[index] !== scores[index + 1],
      ),
    )
    .map(([query]) => query);
}

function expectSameTop(got: ScoredRun, expected: ScoredRun, queries: number): void {
  const asked = untied(expected);
  expect(asked).toHaveLength(queries);
  expect(
    asked.filter(
      (query) =>
        String(got.get(query)?.ids.slice(0, DEPTH)) !== String(expected.get(query)?.ids.slice(0, DEPTH)),
    ),
  ).toEqual([]);
}

/** Scores of every document that both have found for a query, in relation to each other. */
function worstScore(got: ScoredRun, expected: ScoredRun): number {
  let worst = 0;
  for (const [query, { ids, scores }] of expected) {
    const ranking = got.get(query);
    const found = new Map(ranking?.ids.map((id, index) => [id, ranking.scores[index] as number]));
    for (const [index, id] of ids.entries())
      worst = Math.max(worst, Math.abs((found.get(id) ?? Infinity) / (scores[index] as number) - 1));
  }
  return worst;
}

describe.each([
  ["cranfield", 225],
  ["chorus-electronics", 8],
  ["faq-ko", 28],
  ["qa-retrieval-en", 294],
] as const)("the ranking of SQLite's FTS5 on %s", (collection, queries) => {
  const folder = oracle(collection);
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const stored = runOf(join(folder, "runs/bm25.run"));

  it(`the same first ten in the same order for all ${queries} queries without ties`, async () => {
    expectSameTop(await askedOf(asFts5(folder), folder, DEPTH), stored, queries);
  });
  it("every stored document is found, with its score", async () => {
    expect(worstScore(await askedOf(asFts5(folder), folder, 5000), stored)).toBeLessThan(RELATIVE);
  });
});

/**
 * Lower bounds of nDCG@10, beside that of the stored run, and of the share of queries with a relevant
 * document in the first ten.
 */
describe.each([
  ["cranfield", 0.53, 0.9],
  ["chorus-electronics", 0.46, 0.6],
  ["faq-ko", 0.43, 0.6],
  ["qa-retrieval-en", 0.96, 0.98],
  ["qa-retrieval-zh", 0.95, 0.98],
] as const)("the index as it comes, on %s", (collection, leastNdcg, leastSuccess) => {
  const folder = oracle(collection);
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const evaluated = async (): Promise<ReturnType<typeof evaluate>> =>
    evaluate(await askedOf(lexicalIndex(chunksOf(folder)), folder, 100), qrelsOf(folder), [
      "nDCG@10",
      "Success@10",
    ]);

  it(`has an nDCG@10 above ${leastNdcg}, and not below that of FTS5`, async () => {
    const ndcg = (await evaluated()).mean("nDCG@10");
    expect(ndcg).toBeGreaterThan(leastNdcg);
    expect(ndcg).toBeGreaterThanOrEqual(
      evaluate(runOf(join(folder, "runs/bm25.run")), qrelsOf(folder), ["nDCG@10"]).mean("nDCG@10"),
    );
  });
  it(`finds a relevant document among ten for at least ${leastSuccess * 100} % of the queries`, async () => {
    expect((await evaluated()).mean("Success@10")).toBeGreaterThanOrEqual(leastSuccess);
  });
});

describe.each<readonly [string, (() => SqlDatabase) | null, string]>([
  ["in WebAssembly", wasmSqlite, ""],
  ["in Node", nodeSqlite(), WITHOUT_NODE_SQLITE],
])("fts5Retriever %s on cranfield", (_, open, whyNot) => {
  const folder = oracle("cranfield");
  if (folder === null || open === null)
    return it.skip(folder === null ? WITHOUT_ORACLES : whyNot, () => undefined);
  const found = askedOf(fts5Retriever(open(), chunksOf(folder)), folder, DEPTH + 1);

  it("the same first ten as the run that SQLite made", async () => {
    expectSameTop(await found, runOf(join(folder, "runs/bm25.run")), 225);
  });
  it("the same first ten, with the same scores, as the index in memory", async () => {
    const expected = await found;
    const got = await askedOf(asFts5(folder), folder, DEPTH + 1);
    expectSameTop(got, expected, untied(expected).length);
    for (const [query, { scores }] of expected)
      expect(Array.from(got.get(query)?.scores ?? [])).toEqual(
        Array.from(scores, (score) => expect.closeTo(score, 8) as number),
      );
  });
});
