import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareIds } from "../../../src/foundation/ids/index.js";
import type { Assessment } from "../../../src/records/index.js";
import { postgresLabelStore, postgresStore, postgresWorkQueue } from "../../../src/storage/postgres/index.js";
import {
  hasPostgresql,
  PASSWORD,
  skippedPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "../../support/postgresql.js";
import { aRun } from "../../support/records.js";

const MEGABYTES_10 = 10_000_000;

const said = (more: Partial<Assessment> = {}): Assessment => ({
  tenant: "default",
  query: "red shoe",
  item: "i1",
  outcome: "graded",
  grade: 2,
  rater: { kind: "human", name: "anna" },
  vote: 1,
  at: "2026-05-01T09:00:00.000Z",
  ...more,
});

/** The error of a call, which must not tell the password, however deep one looks. */
async function errorOf(work: Promise<unknown>): Promise<Error & { code: string }> {
  const error = await work.then(
    () => {
      throw new Error("it succeeded");
    },
    (cause: unknown) => cause,
  );
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(PASSWORD);
  return error as Error & { code: string };
}

describe.skipIf(!hasPostgresql)(`stores in PostgreSQL${skippedPostgresql}`, () => {
  let server: PostgresqlServer;
  let admin: pg.Client;
  let schemas = 0;
  const fresh = () => ({ url: server.url, schema: `s${++schemas}` });
  beforeAll(async () => {
    server = await startPostgresql();
    admin = new pg.Client(server.url);
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.end();
    server?.end();
  });

  it("keep once, in order, more than is sent at once, of which the last is of a new query", async () => {
    const store = await postgresLabelStore(fresh());
    await store.add([said()]);
    const many = Array.from({ length: 10_000 }, (_, at) => said({ item: `j${at}` }));
    await store.add([...many, said({ query: "new", item: "last" }), said({ item: "after" })]);
    expect((await store.find()).map(({ item }) => item)).toEqual([
      said().item,
      ...many.map(({ item }) => item),
      "last",
      "after",
    ]);
    await store.close();
  });

  it("let go of old tokens of transactions, and keep the others", async () => {
    const at = fresh();
    const store = await postgresLabelStore(at);
    await store.add([said()]);
    await admin.query(`UPDATE ${at.schema}.tokens SET at = now() - interval '2 hours'`);
    await admin.query(`INSERT INTO ${at.schema}.tokens(token) VALUES (gen_random_uuid())`);
    const old = `SELECT count(*)::int AS n FROM ${at.schema}.tokens WHERE at < now() - interval '1 hour'`;
    for (let tries = 0; tries < 1000 && (await admin.query(old)).rows[0].n > 0; tries++)
      await store.add([said({ item: `k${tries}` })]);
    expect((await admin.query(old)).rows).toEqual([{ n: 0 }]);
    const { rows } = await admin.query(`SELECT count(*)::int AS n FROM ${at.schema}.tokens`);
    expect(rows[0].n).toBeGreaterThan(1);
    await store.close();
  });

  it("find what is more than one call can have as arguments", async () => {
    const at = fresh();
    const store = await postgresLabelStore(at);
    await store.add([said()]);
    await admin.query(
      `INSERT INTO ${at.schema}.assessments(query_id, rater_id, item, said_json) ` +
        `SELECT query_id, rater_id, 'j' || n, said_json FROM ${at.schema}.assessments, ` +
        "generate_series(1, 249999) AS n",
    );
    const found = await store.find({ queries: ["red shoe"] });
    expect(found).toHaveLength(250_000);
    expect(found.at(-1)).toEqual(said({ item: "j249999" }));
    await store.close();
  });

  it("keep texts of 10 MB", async () => {
    const long = randomBytes(MEGABYTES_10 / 2).toString("hex");
    const [labels, runs] = [await postgresLabelStore(fresh()), await postgresStore(fresh())];
    const one = said({ query: long, reason: long });
    await labels.add([one]);
    expect(await labels.find({ query: long, item: "i1" })).toEqual([one]);
    const run = aRun({ run_id: long });
    await runs.saveRun(run);
    expect(await runs.loadRun(long)).toEqual(run);
    await Promise.all([labels.close(), runs.close()]);
  });

  it("keep texts that PostgreSQL refuses, wherever one stands", async () => {
    const texts = ["a\0b", "\ud800", "x\udc00y", "\\", "\\0000", "\\u0000", "\0\\", "__proto__", "🙂\\"];
    const labels = await postgresLabelStore(fresh());
    const runs = await postgresStore(fresh());
    for (const text of texts) {
      const one = said({ query: text, item: text, tenant: text, reason: text, extra: { [text]: text } });
      const rater = { kind: "human" as const, name: text };
      await labels.add([one, { ...one, rater }]);
      expect(await labels.find({ query: text, tenant: text, item: text })).toEqual([one, { ...one, rater }]);
      await labels.keepScores({ tenant: text, query: text, reranker: text }, [
        { item: text, score: 1, textHash: 0 },
      ]);
      expect(await labels.scores({ tenant: text, query: text, reranker: text })).toEqual([
        { item: text, score: 1, textHash: 0 },
      ]);
      const corpus = { listed_at: text, items: [{ id: text, fields: { [text]: text } }] };
      await labels.keepCorpus({ tenant: text, source: text }, corpus);
      expect(await labels.corpus({ tenant: text, source: text })).toEqual(corpus);
      await labels.keepBuild({ tenant: text, dataset: text, labeler: text }, { text });
      expect(await labels.build({ tenant: text, dataset: text, labeler: text })).toEqual({ text });
      const giveBack = await labels.claim(text);
      expect(await labels.claim(text)).toBe(undefined);
      await giveBack?.();
      const well = text.isWellFormed() && !text.includes("\0");
      const run = aRun({
        run_id: well ? text : "odd",
        suite: text.isWellFormed() ? text : "odd",
        commit_hash: text,
        results: [{ query_id: text, query: text, hits_top_k: [{ chunk_id: text, doc_id: text }] as never }],
      });
      const chunk = { chunk_id: text, doc_id: text, doc_path: text, source_spans: [], chunker_version: text };
      await runs.saveRun(run, { replace: true, archive: [chunk] });
      expect(await runs.loadRun(run.run_id)).toEqual(run);
      expect((await runs.listRuns()).find(({ run_id }) => run_id === run.run_id)).toMatchObject({
        suite: run.suite,
        commit_hash: text,
      });
      await runs.saveChunks([chunk]);
      expect(await runs.findChunks({ docPaths: [text] })).toEqual([chunk]);
      expect(await runs.findArchivedChunks([text])).toEqual([chunk]);
      expect(await runs.findKnownDocuments([text, "none"])).toEqual(new Set([text]));
    }
    expect((await labels.queries()).map(({ query }) => query)).toEqual(texts);
    await Promise.all([labels.close(), runs.close()]);
  });

  it("keep every bit of a number, and list runs by the UTF-8 bytes of their ids", async () => {
    const labels = await postgresLabelStore(fresh());
    const bits = new DataView(new ArrayBuffer(8));
    const scores = Array.from({ length: 5000 }, (_, at) => {
      randomBytes(8).forEach((byte, place) => bits.setUint8(place, byte));
      const score = bits.getFloat64(0);
      return { item: `i${at}`, score: Number.isFinite(score) ? score : 5e-324, textHash: at };
    });
    const key = { tenant: "t", query: "q", reranker: "r" };
    await labels.keepScores(key, scores);
    const byItem = new Map((await labels.scores(key)).map((each) => [each.item, each]));
    expect(scores.filter((each) => !Object.is(byItem.get(each.item)?.score, each.score))).toEqual([]);
    const runs = await postgresStore(fresh());
    const ids = ["a", "B", "ä", "\uffff", "🙂", "Z", "_", "\\", "]", "ß", "10", "9"];
    for (const run_id of ids) await runs.saveRun(aRun({ run_id, created_at: "2026" }));
    expect((await runs.listRuns()).map(({ run_id }) => run_id)).toEqual([...ids].sort(compareIds));
    await Promise.all([labels.close(), runs.close()]);
  });

  it("begin with nothing: reading makes no schema, and eight that write at once make one", async () => {
    const place = fresh();
    const schemaCount = async (): Promise<number> =>
      (await admin.query("SELECT FROM pg_namespace WHERE nspname = $1", [place.schema])).rows.length;
    const store = await postgresStore(place);
    expect(await store.listRuns()).toEqual([]);
    expect(await schemaCount()).toBe(0);
    const stores = await Promise.all(Array.from({ length: 8 }, () => postgresLabelStore(place)));
    await Promise.all(stores.map((each, at) => each.add([said({ item: `i${at}` })])));
    expect(await schemaCount()).toBe(1);
    expect(new Set((await stores[0]?.find())?.map(({ item }) => item)).size).toBe(8);
    expect(await store.listRuns()).toEqual([]);
    await Promise.all([store, ...stores].map((each) => each.close()));
  });

  it("read and go on with a schema as the first version made it", async () => {
    await admin.query(readFileSync(join(import.meta.dirname, "schema-v1.sql"), "utf8"));
    const place = { url: server.url, schema: "first_version" };
    const [runs, labels] = [await postgresStore(place), await postgresLabelStore(place)];
    expect(await runs.loadRun("kept")).toEqual(aRun({ run_id: "kept" }));
    expect(await labels.find()).toEqual([said(), said({ item: "a\0b", grade: 1 })]);
    expect(await labels.scores({ tenant: "default", query: "red shoe", reranker: "r" })).toEqual([
      { item: "i1", score: 0.1, textHash: 7 },
    ]);
    await labels.add([said({ item: "later" })]);
    expect(await labels.find()).toHaveLength(3);
    await Promise.all([runs.close(), labels.close()]);
  });

  it("read and go on with a schema as the second version made it", async () => {
    await admin.query(readFileSync(join(import.meta.dirname, "schema-v2.sql"), "utf8"));
    const place = { url: server.url, schema: "second_version" };
    const [labels, queue] = [await postgresLabelStore(place), await postgresWorkQueue(place)];
    expect(await labels.find()).toEqual([said(), said({ item: "a\0b", grade: 1 })]);
    expect(await queue.progress()).toMatchObject([{ id: "kept", total: 2, done: 2, failed: 1, amount: 0.5 }]);
    expect((await queue.parts("kept"))[0]).toMatchObject({ part: 0, calls: 1, outcome: { a: 1 } });
    await Promise.all([queue.close(), labels.close()]);
  });

  it("refuse a newer version, and a schema of another kind, which they leave as it is", async () => {
    const newer = fresh();
    const store = await postgresStore(newer);
    await store.saveRun(aRun());
    await admin.query(`UPDATE ${newer.schema}.schema_version SET version = 99`);
    expect(await errorOf(postgresStore(newer))).toMatchObject({
      code: "STORE_SCHEMA",
      message: expect.stringMatching(/schema is of version 99, and this version knows 2; use a newer/),
    });
    expect(await errorOf(store.deleteRun("r"))).toMatchObject({ code: "STORE_SCHEMA" });
    await store.close();
    const other = fresh();
    await admin.query(`CREATE SCHEMA ${other.schema}; CREATE TABLE ${other.schema}.queries(mine int)`);
    const refused = await postgresStore(other);
    expect(await errorOf(refused.saveRun(aRun()))).toMatchObject({ code: "STORE_SCHEMA" });
    const tables = "SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace";
    expect((await admin.query(tables, [other.schema])).rows).toEqual([{ relname: "queries" }]);
    await refused.close();
    expect(await errorOf(postgresStore({ url: server.url, schema: "pg_mine" }))).toMatchObject({
      code: "ARGUMENT",
    });
  });

  it.each(["1", "2", "7", "0", "20240101", "2024_init"])(
    "leave a schema of another program alone that calls its version %s, too",
    async (version) => {
      const other = fresh();
      await admin.query(
        `CREATE SCHEMA ${other.schema}; CREATE TABLE ${other.schema}.schema_version(version text NOT NULL);` +
          `INSERT INTO ${other.schema}.schema_version VALUES ('${version}')`,
      );
      expect(await errorOf(postgresStore(other))).toMatchObject({
        code: "STORE_SCHEMA",
        message: expect.stringMatching(/of another kind, or was not restored as a whole/) as string,
      });
      const { rows } = await admin.query(`SELECT version FROM ${other.schema}.schema_version`);
      expect(rows).toEqual([{ version }]);
      const tables = "SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'";
      expect((await admin.query(tables, [other.schema])).rows).toEqual([{ relname: "schema_version" }]);
    },
  );

  it("say which table is gone, and do not try for ever to make it", async () => {
    const place = fresh();
    const store = await postgresStore(place);
    await store.saveRun(aRun());
    await admin.query(`DROP TABLE ${place.schema}.results`);
    for (const error of [
      await errorOf(store.saveRun(aRun({ run_id: "b" }))),
      await errorOf(postgresStore(place)),
    ])
      expect(error).toMatchObject({
        code: "STORE_SCHEMA",
        message: expect.stringContaining("it has no table results") as string,
      });
    await store.close();
  });

  it("end at once where the server asks for a password and there is none", async () => {
    const begun = Date.now();
    const { PGPASSWORD, ...env } = process.env;
    expect(PGPASSWORD).toBeUndefined();
    const { status, stderr } = spawnSync(
      process.execPath,
      ["bin/rankproof.js", "runs", "list", "--store", server.url.replace(`:${PASSWORD}`, "")],
      { encoding: "utf8", env: { ...env, PGPASSFILE: "/nowhere" } },
    );
    expect([status, stderr]).toEqual([
      5,
      expect.stringMatching(/asks for a password; look at user and pass/),
    ]);
    // The server itself would close the connection after a minute.
    expect(Date.now() - begun).toBeLessThan(30_000);
  });

  it("take any name as a schema", async () => {
    for (const schema of [`a "b" ${"'; --"}`, "@runs", "Ünïcode $1", "public"]) {
      const store = await postgresStore({ url: `${server.url}?schema=${encodeURIComponent(schema)}` });
      await store.saveRun(aRun({ run_id: schema }));
      expect((await store.listRuns()).map(({ run_id }) => run_id)).toEqual([schema]);
      await store.close();
    }
  });

  it("say what a role may not do, and let a role that only reads read", async () => {
    const place = fresh();
    const owner = await postgresStore(place);
    await owner.saveRun(aRun({ run_id: "kept" }));
    await admin.query(
      `CREATE ROLE guest LOGIN PASSWORD '${PASSWORD}'; GRANT USAGE ON SCHEMA ${place.schema} TO guest; ` +
        `GRANT SELECT ON ALL TABLES IN SCHEMA ${place.schema} TO guest`,
    );
    const url = server.url.replace("//rankproof:", "//guest:");
    const guest = await postgresStore({ ...place, url });
    expect(await guest.loadRun("kept")).toEqual(aRun({ run_id: "kept" }));
    expect(await errorOf(guest.deleteRun("kept"))).toMatchObject({
      code: "STORE_DATABASE",
      message: expect.stringMatching(/permission denied for table .*; the role needs the rights/),
    });
    const elsewhere = await postgresStore({ url, schema: "of_a_guest" });
    expect(await errorOf(elsewhere.saveRun(aRun()))).toMatchObject({
      code: "STORE_DATABASE",
      message: expect.stringMatching(/permission denied for database/),
    });
    expect(await owner.listRuns()).toHaveLength(1);
    await Promise.all([owner, guest, elsewhere].map((each) => each.close()));
  });

  it.each([
    [
      "a database that is not there",
      (url: string) => url.replace(/\w+$/, "nowhere"),
      /"nowhere" does not exist/,
    ],
    [
      "a wrong password",
      (url: string) => url.replace(PASSWORD, `${PASSWORD}x`),
      /password authentication failed/,
    ],
    ["a server that is not there", (url: string) => url.replace(/:\d+\//, ":1/"), /ECONNREFUSED/],
    ["a server without TLS", (url: string) => `${url}?sslmode=verify-full`, /does not support SSL/],
    ["an address that is none", (url: string) => url.replace(/@.*/, "@%zz:a/"), /needs an address such as/],
  ])("refuse %s at once, without the password", async (_, change, message) => {
    const began = Date.now();
    const error = await errorOf(postgresLabelStore({ url: change(server.url) }));
    expect(error.message).toMatch(message);
    expect(error.name).toMatch(/^(?:Adapter|Input)Error$/);
    expect(Date.now() - began).toBeLessThan(30_000);
  });

  it("refuse a database that is not in UTF-8", async () => {
    await admin.query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    const store = await postgresStore({ url: server.url.replace(/\w+$/, "latin") });
    expect(await errorOf(store.saveRun(aRun()))).toMatchObject({
      code: "STORE_SCHEMA",
      message: expect.stringMatching(/encoding UTF8/),
    });
    await store.close();
  });

  it("wait for a lock as long as they are told, and then say so", async () => {
    const place = fresh();
    const store = await postgresStore({ ...place, lockTimeoutMs: 300 });
    await store.saveRun(aRun({ run_id: "kept" }));
    await admin.query(`BEGIN; LOCK TABLE ${place.schema}.runs`);
    const error = await errorOf(store.deleteRun("kept"));
    await admin.query("ROLLBACK");
    expect(error).toMatchObject({ code: "STORE_LOCKED" });
    expect(await store.listRuns()).toHaveLength(1);
    await admin.query(`BEGIN; LOCK TABLE ${place.schema}.runs IN ACCESS EXCLUSIVE MODE`);
    const unread = await errorOf(store.listRuns());
    await admin.query("ROLLBACK");
    expect(unread).toMatchObject({ code: "STORE_LOCKED" });
    expect(await store.deleteRun("kept")).toBe(true);
    await store.close();
  });

  /** Until a transaction waits for a table that is locked. */
  const isWaiting = async (): Promise<void> => {
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted";
    await expect.poll(async () => (await admin.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
  };
  it("do not wait for a long write of other runs", async () => {
    const place = fresh();
    const store = await postgresStore({ ...place, lockTimeoutMs: 60_000 });
    await store.saveRun(aRun({ run_id: "first" }));
    await admin.query(`BEGIN; SELECT 1 FROM ${place.schema}.runs FOR UPDATE`);
    const deleting = store.deleteRun("first");
    await isWaiting();
    // Each has connections of its own, with other processes of the server.
    try {
      for (let at = 0; at < 64; at++) {
        const other = await postgresStore({ ...place, lockTimeoutMs: 3000 + at });
        await other.saveRun(aRun({ run_id: `other ${at}` }));
        await other.close();
      }
    } finally {
      await admin.query("ROLLBACK");
    }
    await deleting;
    await store.close();
  });
  it("do not wait for a long import of labels of the same query and rater", async () => {
    const place = fresh();
    const store = await postgresLabelStore({ ...place, lockTimeoutMs: 60_000 });
    await store.add([said({ query: "first" })]);
    const { schema } = place;
    await admin.query(`BEGIN; LOCK TABLE ${schema}.assessments IN EXCLUSIVE MODE`);
    const many = Array.from({ length: 1001 }, (_, at) =>
      said({ item: `i${at}`, rater: { kind: "human", name: "b" } }),
    );
    const adding = store.add(many);
    await isWaiting();
    const counted = (table: string): string => `(SELECT count(*) FROM ${schema}.${table})`;
    const known = `SELECT ${counted("queries")} + ${counted("raters")} AS count`;
    expect((await admin.query(known)).rows).toEqual([{ count: "4" }]);
    expect(await store.raters()).toHaveLength(1);
    await admin.query("ROLLBACK");
    await adding;
    expect(await store.find()).toHaveLength(1002);
    await store.close();
  });

  it("forget for good: no page of the tables has the texts any more", async () => {
    const place = fresh();
    const labels = await postgresLabelStore(place);
    await labels.add([said({ query: "secret-of-anna", reason: "secret-of-anna" }), said()]);
    await labels.forget({ query: "secret-of-anna" }, "2026-05-02T09:00:00.000Z");
    const tables = (await admin.query(
      "SELECT pg_relation_filepath(oid) AS file FROM pg_class " +
        "WHERE relnamespace = $1::regnamespace AND relkind = 'r'",
      [place.schema],
    )) as { rows: { file: string }[] };
    await admin.query("CHECKPOINT");
    for (const { file } of tables.rows) {
      const { rows } = await admin.query(
        "SELECT position('secret-of-anna' IN encode(pg_read_binary_file($1), 'escape')) AS at",
        [file],
      );
      expect(rows).toEqual([{ at: 0 }]);
    }
    expect(await labels.find()).toEqual([said()]);
    await labels.close();
  });
});
