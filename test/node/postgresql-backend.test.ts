import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, chownSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresqlBackend } from "../../src/node/index.js";
import type { LabelItem } from "../../src/records/index.js";
import { backendContract } from "../../src/testing/index.js";

/** Where Debian has the programs of PostgreSQL, of the newest version. */
const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort() : [];
const bin = versions.length === 0 ? null : `/usr/lib/postgresql/${versions.at(-1)}/bin`;
const PASSWORD = "pg-0123456789abcdefghij";

/** PostgreSQL does not run as root. */
const as = (user: string, command: string, args: readonly string[]) =>
  userInfo().uid === 0
    ? spawnSync("runuser", ["-u", user, "--", command, ...args], { encoding: "utf8" })
    : spawnSync(command, args, { encoding: "utf8" });

let folder: string;
let url: string;
let tables = 0;
let admin: pg.Client;

/** A table of just these items, and its name. */
async function tableOf(items: readonly LabelItem[]): Promise<string> {
  const table = `items_${++tables}`;
  await admin.query(`CREATE TABLE ${table}(id text PRIMARY KEY, title text NOT NULL, price numeric)`);
  for (const { id, fields } of items)
    await admin.query(`INSERT INTO ${table} VALUES ($1, $2, 9.5)`, [id, fields["title"]]);
  return table;
}

const sqlOf = (table: string): string =>
  `SELECT id, ts_rank(to_tsvector('simple', title), q)::numeric AS score, title FROM ${table}, ` +
  "plainto_tsquery('simple', $1) AS q WHERE to_tsvector('simple', title) @@ q ORDER BY score " +
  "DESC, id LIMIT $2";

describe.skipIf(bin === null)(
  `PostgreSQL as a search${bin === null ? " (skipped: install postgresql)" : ""}`,
  () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "rankproof-pg-"));
      if (userInfo().uid === 0) {
        const { stdout } = spawnSync("id", ["-u", "postgres"], { encoding: "utf8" });
        chownSync(folder, Number(stdout), 0);
      }
      const data = join(folder, "data");
      const made = as("postgres", `${bin}/initdb`, [
        "-D",
        data,
        "-U",
        "rankproof",
        "-A",
        "trust",
        "-E",
        "UTF8",
      ]);
      expect(made.status, made.stderr).toBe(0);
      const options =
        `-c listen_addresses=127.0.0.1 -c port=${54_000 + (process.pid % 1000)} ` +
        `-c unix_socket_directories=${folder} -c fsync=off`;
      const started = as("postgres", `${bin}/pg_ctl`, [
        "-D",
        data,
        "-w",
        "-l",
        join(folder, "log"),
        "-o",
        options,
        "start",
      ]);
      expect(started.status, started.stderr).toBe(0);
      url = `postgresql://rankproof:${PASSWORD}@127.0.0.1:${54_000 + (process.pid % 1000)}/postgres`;
      admin = new pg.Client(url);
      await admin.connect();
    });
    afterAll(async () => {
      await admin?.end();
      as("postgres", `${bin}/pg_ctl`, ["-D", join(folder, "data"), "-m", "immediate", "stop"]);
    });

    backendContract({ describe, it, expect }, "SQL over PostgreSQL", async (items) => {
      const table = await tableOf(items);
      return postgresqlBackend({
        url,
        sql: sqlOf(table),
        listSql: `SELECT id, title FROM ${table} ORDER BY id`,
      });
    });

    it("gives columns as fields, and numbers that are texts as scores", async () => {
      const table = await tableOf([{ id: "1", fields: { title: "red shoe" } }]);
      const backend = await postgresqlBackend({
        url,
        sql:
          `SELECT 7 AS id, 0.25::numeric AS score, title, price, now()::date AS day FROM ${table} ` +
          "WHERE $1 <> '' LIMIT $2",
      });
      const [hit] = await backend.search("shoe", { limit: 3 });
      expect(hit).toMatchObject({ chunk_id: "7", score: 0.25, fields: { title: "red shoe", price: "9.5" } });
      expect(Object.keys(hit?.fields ?? {})).toEqual(["title", "price", "day"]);
      expect(backend.list).toBe(undefined);
      expect(await backend.configuration?.()).toMatchObject({
        version: expect.stringContaining("PostgreSQL"),
      });
      await backend.close?.();
    });

    it("gives dates as they stand, and lets nobody write, whatever the address says", async () => {
      const backend = await postgresqlBackend({
        url: `${url}?options=-c%20TimeZone%3DAsia/Tokyo`,
        sql: "SELECT 1 AS id, DATE '2026-01-01' AS day, $1::text AS words LIMIT $2",
      });
      const [hit] = await backend.search("shoe", { limit: 1 });
      expect(hit?.fields).toEqual({ day: "2026-01-01", words: "shoe" });
      await backend.close?.();
      const writing = await postgresqlBackend({
        url: `${url}?options=-c%20search_path%3Dpublic`,
        sql: "INSERT INTO items_1 VALUES ($1, $2) RETURNING id",
      });
      await expect(Promise.resolve(writing.search("x", { limit: 1 }))).rejects.toThrow(
        /read-only transaction/,
      );
      await writing.close?.();
    });

    it("lets go at once of a query that is not wanted any more", async () => {
      const backend = await postgresqlBackend({ url, sql: "SELECT pg_sleep(20), $1 AS id LIMIT $2" });
      const end = new AbortController();
      const search = backend.search("shoe", { limit: 1, signal: end.signal });
      setTimeout(() => end.abort("enough"), 100);
      const began = Date.now();
      expect(await Promise.resolve(search).catch((reason: unknown) => reason)).toBe("enough");
      await backend.close?.();
      // Not a measurement: the query itself would take 20 seconds.
      expect(Date.now() - began).toBeLessThan(10_000);
    });

    it.each([
      ["what is no SQL", "SELEC $1 $2", /syntax error/],
      ["no id", "SELECT 1 AS name WHERE $1 <> '' LIMIT $2", /row 1 must have an id/],
      [
        "a score that is none",
        "SELECT 1 AS id, 'high' AS score WHERE $1 <> '' LIMIT $2",
        /row 1 must have a finite score/,
      ],
      ["a query that writes", "INSERT INTO items_1 VALUES ($1, $2) RETURNING id", /read-only transaction/],
      ["a query that takes too long", "SELECT pg_sleep(5), $1 AS id LIMIT $2", /statement timeout/],
    ])("fails with %s, without the password", async (_, sql, message) => {
      const backend = await postgresqlBackend({ url, sql, timeoutMs: 300 });
      const error: unknown = await Promise.resolve(backend.search("shoe", { limit: 3 })).catch(
        (cause: unknown) => cause,
      );
      expect(error).toMatchObject({ code: "RETRIEVER_FAILED" });
      expect((error as Error).message).toMatch(message);
      expect(inspect(error, { depth: 9 })).not.toContain(PASSWORD);
      await backend.close?.();
    });

    it("needs both parameters, and a server", async () => {
      await expect(postgresqlBackend({ url, sql: "SELECT 1 AS id LIMIT $2" })).rejects.toThrow(
        /must have \$1/,
      );
      const nowhere = await postgresqlBackend({
        url: url.replace(/:\d+\//, ":1/"),
        sql: "SELECT $1 AS id LIMIT $2",
      });
      await expect(Promise.resolve(nowhere.search("shoe", { limit: 1 }))).rejects.toThrow(
        /^postgresql:\/\/127\.0\.0\.1:1\/postgres: .*ECONNREFUSED/,
      );
      await nowhere.close?.();
    });
  },
);
