import { runInNewContext } from "node:vm";
import initSqlJs from "sql.js";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../src/storage/sqlite/index.js";
import { sqljsStore, type StoreImage } from "../../src/storage/sqljs/index.js";
import { sqljsConnection } from "../../src/storage/sqljs/sqljs-connection.js";
import { rowsWhereIn } from "../../src/storage/sqlite/connection.js";
import { LiveDatabase } from "../../src/storage/sqljs/live-database.js";
import { storeContract } from "../../src/testing/index.js";
import { aRun } from "../support/records.js";
import { pattern } from "../support/pattern.js";

storeContract({ describe, it, expect }, "sqljsStore", async () => sqljsStore());

describe("sqljsStore", () => {
  it("goes on from its own bytes", async () => {
    const store = await sqljsStore();
    await store.saveRun(aRun({ run_id: "kept" }));
    const { buffer } = (await store.bytes()).slice();
    const again = await sqljsStore({ bytes: buffer });
    expect(await again.loadRun("kept")).toEqual(aRun({ run_id: "kept" }));
  });

  it("takes bytes in every view and buffer, of any realm, and nothing else", async () => {
    const store = await sqljsStore();
    await store.saveRun(aRun({ run_id: "kept" }));
    const bytes = await store.bytes();
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const foreign = runInNewContext("(bytes) => Uint8Array.from(bytes)")(bytes) as Uint8Array<ArrayBuffer>;
    for (const given of [new DataView(bytes.buffer, bytes.byteOffset), shared, foreign, foreign.buffer])
      expect(await (await sqljsStore({ bytes: given as never })).loadRun("kept")).not.toBeNull();
    for (const given of [[...bytes], "SQLite", new Blob()])
      await expect(sqljsStore({ bytes: given as never })).rejects.toMatchObject({ code: "ARGUMENT" });
    await expect(sqljsStore(foreign.buffer as never)).rejects.toThrow("give the bytes as `{ bytes }`");
  });

  it("refuses bytes that are no database, by name", async () => {
    await expect(
      sqljsStore({ bytes: new TextEncoder().encode("hello, I am a text file ".repeat(10)) }),
    ).rejects.toMatchObject({
      code: "STORE_NOT_SQLITE",
      message: "database: is not an SQLite database; give the path of a store, or of a new file",
    });
    await expect(sqljsStore({ bytes: new Uint8Array(0) })).rejects.toMatchObject({
      code: "STORE_NOT_SQLITE",
    });
  });

  it("refuses bytes that were cut off", async () => {
    const bytes = await (await sqljsStore()).bytes();
    await expect(sqljsStore({ bytes: bytes.slice(0, 5000) })).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      message: `database: is truncated (5000 bytes of ${bytes.length}); restore it from a copy`,
    });
    await expect(sqljsStore({ bytes: bytes.slice(0, 50) })).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      message: "database: is truncated (50 bytes, less than a header); restore it from a copy",
    });
  });

  it("refuses to write back a database whose pages are damaged", async () => {
    const store = await sqljsStore();
    for (let i = 0; i < 50; i++) await store.saveRun(aRun({ run_id: `run-${i}` }));
    const bytes = await store.bytes();
    bytes.fill(0xff, 4096 * 3, 4096 * 6);
    await expect(
      (async () => (await sqljsStore({ bytes })).saveRun(aRun({ run_id: "new" })))(),
    ).rejects.toMatchObject({ code: "STORE_CORRUPT" });
  });

  it("refuses early what it could not keep, and stays as it was", async () => {
    const store = await sqliteStore(new LiveDatabase(await initSqlJs(), undefined, undefined, 2 ** 20));
    await store.saveRun(aRun({ run_id: "kept" }));
    const large = aRun({
      run_id: "large",
      results: Array.from({ length: 11 }, (_, i) => ({
        query_id: `q${i}`,
        hits_top_k: [],
        text: "x".repeat(100_000),
      })),
    });
    await expect(store.saveRun(large)).rejects.toMatchObject({
      code: "STORE_TOO_LARGE",
      message: expect.stringContaining(
        "database: would be larger than 1 MiB, the most that is kept in memory",
      ),
    });
    expect((await store.listRuns()).map(({ run_id }) => run_id)).toEqual(["kept"]);
  });

  it("shows the old state after a save that could not be kept, and loses nothing with the next", async () => {
    let kept: Uint8Array | null = null;
    let isFull = false;
    const image: StoreImage = {
      name: "disk",
      load: (hasLast) => (hasLast ? "unchanged" : kept),
      shared: async (work) => work(),
      exclusively: async (work) => work(),
      replace(bytes) {
        if (isFull) throw new Error("disk full");
        kept = bytes;
      },
    };
    const store = await sqljsStore({ image });
    await store.saveRun(aRun({ run_id: "first" }));
    isFull = true;
    await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toThrow("disk full");
    expect((await store.listRuns()).map(({ run_id }) => run_id)).toEqual(["first"]);
    isFull = false;
    await store.saveRun(aRun({ run_id: "third" }));
    expect((await store.listRuns()).map(({ run_id }) => run_id)).toEqual(["first", "third"]);
  });

  it("reads an aggregate that an older program wrote, its newer fields being empty", async () => {
    const at = { 1: 1, 3: 1, 5: 1, 10: 1 };
    const old = {
      hit_at_k: at,
      mrr: 1,
      recall_at_k_doc: at,
      citation_coverage: null,
      groundedness: 0,
      empty_result_rate: 0,
      refusal_correctness: null,
      total_queries: 1,
      failed_queries: 0,
    };
    const db = new (await initSqlJs()).Database(await (await sqljsStore()).bytes());
    db.run(
      "INSERT INTO eval_runs VALUES ('old', 's', '{}', ?, NULL, ''), ('none', 's', '{}', '{}', " +
        "NULL, ''), ('bad', 's', '{}', '{\"mrr\":1}', NULL, '')",
      [JSON.stringify(old)],
    );
    const store = await sqljsStore({ bytes: db.export() });
    expect(await store.loadAggregate("old")).toMatchObject({
      ...old,
      precision_at_k_chunk: {},
      support: {},
      warnings: [],
    });
    expect(await store.loadAggregate("none")).toBeNull();
    await expect(store.loadAggregate("bad")).rejects.toMatchObject({
      code: "RESULT_SHAPE",
      message: expect.stringContaining("database: run `bad`: aggregate_json: hit_at_k is missing"),
    });
  });

  describe("databases that other programs made in their own way", () => {
    const made = async (sql: string): Promise<Uint8Array> => {
      const db = new (await initSqlJs()).Database();
      db.exec(sql);
      return db.export();
    };
    const RUNS =
      "CREATE TABLE eval_runs(run_id text primary key, suite text, config_snapshot_json text, " +
      "aggregate_json text, commit_hash text, created_at text);";
    const ONE = "INSERT INTO eval_runs VALUES ('r', 's', '{}', '{}', NULL, '');";

    it("with a table WITHOUT ROWID, or views, are read", async () => {
      const rowless = await made(
        `${RUNS} ${ONE} CREATE TABLE eval_query_results(run_id text, query_id text, result_json ` +
          "text, primary key(run_id, query_id)) WITHOUT ROWID; INSERT INTO eval_query_results VALUES " +
          "('r', 'q', '{\"query_id\":\"q\",\"hits_top_k\":[]}');",
      );
      expect((await (await sqljsStore({ bytes: rowless })).loadRun("r"))?.results).toHaveLength(1);
      const views = await made(
        "CREATE TABLE t(q); INSERT INTO t VALUES ('q'); CREATE VIEW eval_runs AS SELECT 'r' AS " +
          "run_id, 's' AS suite, '{}' AS config_snapshot_json, '{}' AS aggregate_json, NULL AS " +
          "commit_hash, '' AS created_at; CREATE VIEW eval_query_results AS SELECT 'r' AS run_id, q " +
          'AS query_id, \'{"query_id":"q","hits_top_k":[]}\' AS result_json FROM t;',
      );
      const store = await sqljsStore({ bytes: views });
      expect((await store.loadRun("r"))?.results).toHaveLength(1);
      await expect(store.saveRun(aRun())).rejects.toMatchObject({
        code: "STORE_SCHEMA",
        message: expect.stringMatching(
          pattern(
            /^database: SQLite refuses: cannot modify .* because it is a view; the tables were made /,
            /in a way that cannot be used here, and nothing was written$/,
          ),
        ),
      });
    });
    it("with further columns that must not be null refuse a new run, and say so", async () => {
      const store = await sqljsStore({
        bytes: await made(`${RUNS.replace("created_at text", "created_at text, owner text not null")} `),
      });
      await expect(store.saveRun(aRun())).rejects.toMatchObject({
        code: "STORE_SCHEMA",
        message: expect.stringContaining("NOT NULL constraint failed: eval_runs.owner"),
      });
    });
    it("keep their knowledge base, whatever its tables are called", async () => {
      for (const tables of [
        "CREATE TABLE documents(doc_id text, workspace_path text); INSERT INTO documents VALUES " +
          "('precious', 'p');",
        "CREATE TABLE Chunks(chunk_id text, doc_id text, source_spans_json text, chunker_version " +
          "text); INSERT INTO Chunks VALUES ('c', 'precious', '[]', 'v');",
        RUNS,
      ]) {
        const bytes = await made(tables);
        const store = await sqljsStore({ bytes });
        await expect(store.saveChunks([{ chunk_id: "c", doc_id: "d" }])).rejects.toMatchObject({
          code: "STORE_SCHEMA",
          message:
            "database: belongs to another program, and its knowledge base is not written to; index " +
            "with that program, or use a store of your own",
        });
        if (tables !== RUNS) expect((await store.findKnownDocuments(["precious"])).size).toBe(1);
      }
    });
    it("may have left rows of a run that they deleted", async () => {
      const store = await sqljsStore();
      await store.saveRun(
        aRun({ run_id: "r", incomplete: true, results: [{ query_id: "q", hits_top_k: [] }] }),
      );
      const db = new (await initSqlJs()).Database(await store.bytes());
      db.exec("DELETE FROM eval_runs");
      const again = await sqljsStore({ bytes: db.export() });
      await again.saveRun(aRun({ run_id: "r", results: [{ query_id: "q", hits_top_k: [] }] }));
      expect(await again.loadRun("r")).toEqual(
        aRun({ run_id: "r", results: [{ query_id: "q", hits_top_k: [] }] }),
      );
    });
    it("with a trigger that rolls back are quoted with its words", async () => {
      const store = await sqljsStore({
        bytes: await made(
          `${RUNS} CREATE TRIGGER no BEFORE INSERT ON eval_runs BEGIN SELECT RAISE(ROLLBACK, 'not ` +
            "allowed here'); END;",
        ),
      });
      await expect(store.saveRun(aRun())).rejects.toMatchObject({
        code: "STORE_SCHEMA",
        message: expect.stringContaining("SQLite refuses: not allowed here"),
      });
    });
    it("may have texts that begin as if they were escaped", async () => {
      const row = "INSERT INTO eval_runs VALUES ('r', '\ufdd0hello', '{}', '{}', NULL, '');";
      const store = await sqljsStore({ bytes: await made(`${RUNS} ${row}`) });
      expect((await store.listRuns()).map(({ suite }) => suite)).toEqual(["\ufdd0hello"]);
    });
    it.each(["eval_runs", "eval_query_results"])(
      "with a trigger that leaves rows out of %s are told, and have nothing of the run",
      async (table) => {
        const store = await sqljsStore({
          bytes: await made(
            `${RUNS} CREATE TABLE eval_query_results(run_id TEXT, query_id TEXT, result_json TEXT); ` +
              `CREATE TRIGGER t BEFORE INSERT ON ${table} BEGIN SELECT RAISE(IGNORE); END;`,
          ),
        });
        const saved = store.saveRun(aRun({ results: [{ query_id: "q", hits_top_k: [] }] }));
        await expect(saved).rejects.toThrow(/keeps not all of run .*; has the database a trigger/);
        expect(await store.listRuns()).toEqual([]);
      },
    );
    it("with a row against a CHECK of their own are not called damaged", async () => {
      const store = await sqljsStore({
        bytes: await made(
          `${RUNS} ${ONE} CREATE TABLE t(x CHECK (x > 0)); PRAGMA ignore_check_constraints = 1; ` +
            "INSERT INTO t VALUES (-1);",
        ),
      });
      await store.saveRun(aRun({ run_id: "new" }));
      expect((await store.listRuns()).length).toBe(2);
    });
    it.each([
      ["null", "`null`"],
      ["[]", "`[]`"],
      ["{", ""],
    ])("with a configuration of %s are told by the run", async (snapshot, got) => {
      const store = await sqljsStore({
        bytes: await made(`${RUNS} INSERT INTO eval_runs VALUES ('r', 's', '${snapshot}', '{}', NULL, '');`),
      });
      await expect(store.loadRun("r")).rejects.toMatchObject({
        message:
          got === ""
            ? "database: run `r`: config_snapshot_json is not JSON, got `{`"
            : `database: run \`r\`: config_snapshot_json must be a mapping, got ${got}`,
      });
    });
  });

  it("has an error of ours for a value that SQL has not", async () => {
    const store = await sqljsStore();
    await store.saveRun(aRun());
    for (const asked of [
      store.loadRun(undefined as never),
      store.findChunks({ chunkIds: [undefined as never] }),
    ])
      await expect(asked).rejects.toMatchObject({
        code: "ARGUMENT",
        message: expect.stringContaining("SQLite: Wrong API use") as string,
      });
  });

  it("names the run and query of a result that is not one", async () => {
    const store = await sqljsStore();
    await store.saveRun(
      aRun({
        run_id: "r",
        results: [{ query_id: "q", hits_top_k: [{ rank: 0, chunk_id: "c", doc_id: "d" }] }],
      }),
    );
    await expect(store.loadRun("r")).rejects.toMatchObject({
      code: "RUN_SHAPE",
      message: "database: run `r`: query `q`: hits_top_k[0].rank must be a whole number from 1, got `0`",
    });
  });

  it("finds more rows for one value than a call takes arguments", async () => {
    const db = new (await initSqlJs()).Database();
    const source =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i FROM n";
    expect(rowsWhereIn(sqljsConnection(db), source, "'d'", ["d"]).length).toBe(200_000);
  });
});
