import { describe, expect, it } from "vitest";
import { fts5Analyzer, fts5Retriever, lexicalIndex, type SqlDatabase } from "../../src/retrieve/index.js";
import { wasmSqlite } from "../support/sqlite.js";
import { pattern } from "../support/pattern.js";

const chunk = (
  chunk_id: string,
  text: string,
  title?: string,
): { chunk_id: string; doc_id: string; text: string; title?: string } => ({
  chunk_id,
  doc_id: "d",
  text,
  ...(title !== undefined && { title }),
});
const CHUNKS = [
  chunk("a", "the lift of a wing", "Wings"),
  chunk("b", "drag of a body", "Lift"),
  chunk("c", "basil and tomatoes"),
  chunk("d", "more basil"),
  chunk("e", "黑豹队的防守"),
];

describe("fts5Retriever", () => {
  it("has the scores of the same ranking in memory, with and without weights", () => {
    for (const weights of [{}, { title: 5 }, { title: 0.5, text: 3 }]) {
      const hits = fts5Retriever(wasmSqlite(), CHUNKS, { weights }).search("lift of wings", { limit: 9 });
      const expected = lexicalIndex(CHUNKS, {
        analyzer: fts5Analyzer,
        idf: "fts5",
        weights: { title: 1, ...weights },
      }).search("lift of wings", { limit: 9 });
      expect(hits).toEqual(
        expected.map((hit) => ({ ...hit, score: expect.closeTo(hit.score as number, 10) as number })),
      );
    }
  });
  it("trigrams find a part of Chinese text, and nothing for two characters", async () => {
    const retriever = fts5Retriever(wasmSqlite(), CHUNKS, { tokenize: "trigram" });
    expect((await retriever.search("豹队的 防守?", { limit: 9 })).map(({ chunk_id }) => chunk_id)).toEqual([
      "e",
    ]);
    expect(await retriever.search("防守", { limit: 9 })).toEqual([]);
  });
  it("several in one database do not meet, and leave its own tables alone", async () => {
    const database = wasmSqlite();
    database.exec("CREATE TABLE notes(text); INSERT INTO notes VALUES ('kept')");
    const retrievers = [
      fts5Retriever(database, CHUNKS.slice(0, 2)),
      fts5Retriever(database, CHUNKS.slice(2)),
    ];
    expect(
      await Promise.all(
        retrievers.map(async (one) =>
          (await one.search("lift basil", { limit: 9 })).map(({ chunk_id }) => chunk_id),
        ),
      ),
    ).toEqual([
      ["b", "a"],
      ["d", "c"],
    ]);
    expect(database.prepare("SELECT name FROM main.sqlite_master").all()).toEqual([{ name: "notes" }]);
  });
  it("works within a transaction of the caller, which stays open", async () => {
    const database = wasmSqlite();
    database.exec("CREATE TABLE notes(text); BEGIN; INSERT INTO notes VALUES ('not yet')");
    expect(await fts5Retriever(database, CHUNKS).search("tomatoes", { limit: 1 })).toHaveLength(1);
    database.exec("ROLLBACK");
    expect(database.prepare("SELECT * FROM notes").all()).toEqual([]);
  });
  it("leaves nothing behind when it refuses chunks: no open transaction, no table", () => {
    const database = wasmSqlite();
    expect(() => fts5Retriever(database, [...CHUNKS, ...CHUNKS])).toThrow("chunk_id `a` is duplicated");
    expect(database.prepare("SELECT name FROM temp.sqlite_master").all()).toEqual([]);
    expect(() => database.exec("BEGIN; COMMIT")).not.toThrow();
  });
  it("says what SQLite says of a tokenizer that it does not know", () => {
    expect(() => fts5Retriever(wasmSqlite(), CHUNKS, { tokenize: "it's" })).toThrow(
      pattern(
        /^SQLite cannot make an FTS5 table with the tokenizer `it's`: .+; use an SQLite that was /,
        /built with FTS5, or lexicalIndex, which needs none$/,
      ),
    );
  });
  it("says so where there is no FTS5", () => {
    // What an SQLite without it does; there is none here.
    const without: SqlDatabase = {
      exec(sql) {
        if (sql.startsWith("CREATE VIRTUAL")) throw new Error("no such module: fts5");
      },
      prepare: () => ({ run: () => undefined, all: () => [] }),
    };
    expect(() => fts5Retriever(without, CHUNKS)).toThrow(
      expect.objectContaining({
        code: "RETRIEVER_FAILED",
        message: expect.stringContaining("no such module: fts5; use an SQLite") as string,
      }),
    );
  });
  it("refuses a limit of 0, whatever is asked", () => {
    for (const query of ["", "lift"])
      expect(() => fts5Retriever(wasmSqlite(), CHUNKS).search(query, { limit: 0 })).toThrow(
        "limit must be a whole number from 1",
      );
  });
});
