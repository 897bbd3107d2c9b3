import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Evaluation } from "../../src/evaluate/index.js";
import { parseTrecQrels, parseTrecRun } from "../../src/formats/index.js";
import type { Qrels } from "../../src/records/qrels.js";
import type { ScoredRun } from "../../src/records/scored-run.js";

const root = process.env["RANKPROOF_ORACLES"];
const inRepository = fileURLToPath(new URL("../../fixtures/oracles/", import.meta.url));

/**
 * The folder of an oracle collection: in the repository where it was made for this project, else where the
 * collections are; or null.
 */
export function oracle(name: string): string | null {
  for (const folder of [join(inRepository, name), ...(root === undefined ? [] : [join(root, name)])])
    if (existsSync(folder)) return folder;
  return null;
}

export const WITHOUT_ORACLES =
  "skipped: set RANKPROOF_ORACLES to the folder of the oracle collections to run it";

export function qrelsOf(folder: string, hasSubtopics = false): Qrels {
  return parseTrecQrels([readFileSync(join(folder, "qrels.txt"))], "qrels.txt", hasSubtopics);
}

export function runOf(path: string): ScoredRun {
  return parseTrecRun([readFileSync(path)], path).run;
}

const collections = {
  synthetic: ["a", "b"],
  cranfield: ["bm25", "lsa", "rrf", "tfidf"],
  "chorus-electronics": ["bm25", "lsa", "rrf", "tfidf"],
  "faq-ko": ["bm25", "lsa", "rrf", "tfidf"],
  "qa-retrieval-zh": ["bm25", "lsa", "rrf", "tfidf"],
  "qa-retrieval-en": ["bm25", "lsa", "rrf", "tfidf"],
  "trec-eval-sample": ["standard", "truncated"],
} as const;

/** Whether only a sample is held against other programs, as in the fast suite. */
export const IS_SAMPLE = process.env["RANKPROOF_ALL_COLLECTIONS"] === undefined;

/** The collections that have every program's values, and their runs: in the fast suite the first of each. */
export const COLLECTIONS: Readonly<Record<string, readonly string[]>> = IS_SAMPLE
  ? Object.fromEntries(Object.entries(collections).map(([name, [first]]) => [name, [first]]))
  : collections;

/** A table of expected values: one row a query, then `all`; one column a measure. */
export interface OracleTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly query: string; readonly cells: readonly (number | null)[] }[];
}

export function oracleTable(path: string): OracleTable | null {
  if (!existsSync(path)) return null;
  const [head = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  const rows = lines
    .map((line) => line.split("\t"))
    .map(([query = "", ...cells]) => ({
      query,
      cells: cells.map((cell) => (cell === "" ? null : Number(cell))),
    }));
  return { columns: head.split("\t").slice(1), rows };
}

const TOLERANCE = 1e-9;

/**
 * Compares every filled cell of a table with an evaluation.
 *
 * @param nameOf the metric of a column, or null for a column that another test looks at.
 * @param value what the evaluation says where that is not simply its score or mean.
 * @param tolerance how far off a value may be; 0 for the same double.
 * @returns how many cells were compared.
 */
export function expectTable(
  evaluation: Evaluation,
  table: OracleTable,
  nameOf: (column: string) => string | null,
  value: (query: string, column: string, name: string) => number | undefined = (query, _, name) =>
    query === "all" ? evaluation.mean(name) : evaluation.score(query, name),
  tolerance = TOLERANCE,
): number {
  let compared = 0;
  const wrong: string[] = [];
  const names = table.columns.map(nameOf);
  for (const { query, cells } of table.rows) {
    cells.forEach((expected, index) => {
      const [column = "", name] = [table.columns[index], names[index] ?? null];
      if (expected === null || name === null) return;
      compared++;
      const got = value(query, column, name);
      if (got === undefined || !(Math.abs(got - expected) <= tolerance))
        wrong.push(`${column} of query ${query}: ${expected} expected, got ${got}`);
    });
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(0);
  return compared;
}
