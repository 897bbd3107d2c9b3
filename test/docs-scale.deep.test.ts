import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import initSqlJs from "sql.js";
import { describe, expect, it } from "vitest";
import { evaluate } from "../src/index.js";
import { seededRandom } from "../src/foundation/numbers/index.js";
import { hasPostgresql, skippedPostgresql, startPostgresql } from "./support/postgresql.js";

const page = readFileSync(join(import.meta.dirname, "../docs/scale.md"), "utf8");
const views = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql ?? "").join("\n");
const SCORES = "SELECT query_id, ndcg_10, rr, p_10 FROM scores";

/** Ties, negative grades, ids beyond ASCII, queries without an answer and queries that nobody judged. */
function made(): { readonly qrels: [string, string, number][]; readonly run: [string, string, number][] } {
  const random = seededRandom(17);
  const below = (count: number): number => Math.floor(random() * count);
  const [qrels, run]: [[string, string, number][], [string, string, number][]] = [[], []];
  for (let at = 0; at < 60; at++) {
    const ids = Array.from({ length: 40 }, (_, id) => `${["d", "D", "é", "Ω", "10"][id % 5] ?? ""}${id}`);
    for (const id of ids) {
      if (at < 55 && random() < 0.3) qrels.push([`q${at}`, id, below(5) - 1]);
      if (at >= 5 && random() < 0.7) run.push([`q${at}`, id, below(12) / 4]);
    }
  }
  return { qrels, run };
}

function expectScores(rows: readonly (readonly [string, number, number, number])[]): void {
  const { qrels, run } = made();
  const nested = (lines: [string, string, number][]): Map<string, Map<string, number>> => {
    const queries = new Map<string, Map<string, number>>();
    for (const [query, item, value] of lines)
      queries.set(query, (queries.get(query) ?? new Map<string, number>()).set(item, value));
    return queries;
  };
  const names = ["nDCG@10", "RR", "P@10"];
  const evaluation = evaluate(nested(run), nested(qrels), names);
  expect(rows).toHaveLength(55);
  names.forEach((name, column) => {
    const values = rows.map((row) => Number(row[column + 1]));
    expect(values.some((value) => value > 0 && value < 1)).toBe(true);
    rows.forEach(([query], at) => {
      const own = evaluation.score(query, name) ?? 0;
      expect(Math.abs((values[at] ?? NaN) - own), `${name} of ${query}`).toBeLessThanOrEqual(1e-12);
    });
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean).toBeCloseTo(evaluation.mean(name), 12);
  });
}

describe("the SQL views of docs/scale.md", () => {
  it("give rankproof's scores on SQLite", async () => {
    const db = new (await initSqlJs()).Database();
    db.run("CREATE TABLE qrels(query_id TEXT, doc_id TEXT, grade INTEGER)");
    db.run("CREATE TABLE run(query_id TEXT, doc_id TEXT, score REAL)");
    const { qrels, run } = made();
    for (const line of qrels) db.run("INSERT INTO qrels VALUES (?, ?, ?)", line);
    for (const line of run) db.run("INSERT INTO run VALUES (?, ?, ?)", line);
    db.exec(views);
    expectScores((db.exec(SCORES)[0]?.values ?? []) as [string, number, number, number][]);
    db.close();
  });

  it.skipIf(!hasPostgresql)(`give rankproof's scores on PostgreSQL${skippedPostgresql}`, async () => {
    const server = await startPostgresql();
    const db = new pg.Client(server.url);
    try {
      await db.connect();
      await db.query(`CREATE TABLE qrels(query_id text COLLATE "C", doc_id text COLLATE "C", grade int);
        CREATE TABLE run(query_id text COLLATE "C", doc_id text COLLATE "C", score double precision)`);
      const { qrels, run } = made();
      for (const [table, lines] of Object.entries({ qrels, run }))
        await db.query(
          `INSERT INTO ${table} SELECT * FROM unnest($1::text[], $2::text[], $3::float8[])`,
          [0, 1, 2].map((column) => lines.map((line) => line[column])),
        );
      await db.query(views);
      const { rows } = await db.query({ text: SCORES, rowMode: "array" });
      expectScores(rows as [string, number, number, number][]);
    } finally {
      await db.end();
      server.end();
    }
  });
});
