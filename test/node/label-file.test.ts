import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { labelStoreOn } from "../../src/node/label-file.js";
import { openLabelStore, openStore } from "../../src/node/index.js";
import { nodeEngine, type SqliteEngine } from "../../src/node/node-sqlite.js";
import { wasmEngine } from "../../src/node/wasm-sqlite.js";
import type { Assessment } from "../../src/records/index.js";
import { labelStoreContract } from "../../src/testing/index.js";
import { aRun } from "../support/records.js";

const ours = nodeEngine();
const engines = [
  { name: "SQLite in WebAssembly", engine: wasmEngine },
  ...(ours === undefined ? [] : [{ name: "Node's own SQLite", engine: ours }]),
];
const AT = "2026-05-01T09:00:00.000Z";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-labels-"));
  path = join(folder, "labels.sqlite");
});

function said(query: string, item: string, name = "judge"): Assessment {
  return {
    tenant: "default",
    query,
    item,
    outcome: "graded",
    grade: 1,
    rater: { kind: "model", name },
    vote: 1,
    at: AT,
  };
}

for (const { name, engine } of engines) {
  const place = (file: string) => ({ name: file, path: file, lockTimeoutMs: 10_000 });
  labelStoreContract({ describe, it, expect }, `a label store file by ${name}`, () =>
    labelStoreOn(engine, place(join(mkdtempSync(join(tmpdir(), "rankproof-labels-")), "labels.sqlite"))),
  );

  describe(`a label store file by ${name}`, () => {
    it("that nobody may write is not written, whoever asks; it can be read", async () => {
      const store = await labelStoreOn(engine, place(path));
      await store.add([said("q", "a")]);
      chmodSync(path, 0o444);
      const before = readFileSync(path);
      for (const change of [() => store.add([said("q", "b")]), () => store.forget({ rater: "judge" }, AT)])
        await expect(change()).rejects.toMatchObject({
          code: "STORE_WRITE",
          message: expect.stringContaining(`${path}: cannot be written: permission is missing`) as string,
        });
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(await store.find({ tenant: "default" })).toHaveLength(1);
      await store.close();
    });

    it("goes on after a first write that failed, which leaves no file", async () => {
      let isFull = true;
      const small: SqliteEngine = (at) => {
        const { db, close } = engine(at);
        const exec = (statements: string): void => {
          if (isFull && statements.startsWith("BEGIN IMMEDIATE"))
            throw Object.assign(new Error("disk is full"), { errcode: 13 });
          db.exec(statements);
        };
        return { db: { ...db, exec }, close };
      };
      const store = await labelStoreOn(small, place(path));
      await expect(store.add([said("q", "a")])).rejects.toMatchObject({ code: "STORE_WRITE" });
      expect([existsSync(path), await store.find()]).toEqual([false, []]);
      isFull = false;
      await store.add([said("q", "a")]);
      expect(await store.find()).toHaveLength(1);
      await store.close();
    });

    it("keeps what was added for every engine that opens it later", async () => {
      for (const each of engines) {
        const store = await labelStoreOn(each.engine, place(path));
        await store.add([said("q", each.name)]);
        await store.close();
      }
      const again = await labelStoreOn(engine, place(path));
      expect((await again.find()).map(({ item }) => item)).toEqual(engines.map((each) => each.name));
      expect(readdirSync(folder)).toEqual(["labels.sqlite"]);
    });

    it("says that its file is gone, and makes no empty one in its place", async () => {
      const store = await labelStoreOn(engine, place(path));
      await store.add([said("shoe", "a")]);
      rmSync(path);
      await expect(store.find({})).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
      await expect(store.add([said("shoe", "b")])).rejects.toThrow("was there and is gone; put it back");
      expect(existsSync(path)).toBe(false);
      const another = await labelStoreOn(engine, place(path));
      await another.add([said("shoe", "b")]);
      expect(await another.find({})).toHaveLength(1);
    });

    it("refuses a file that was cut off within its last page", async () => {
      const store = await labelStoreOn(engine, place(path));
      await store.add(Array.from({ length: 500 }, (_, n) => said(`query ${n}`, "item")));
      const { size } = statSync(path);
      truncateSync(path, size - 100);
      const problem = {
        code: "STORE_CORRUPT",
        message: `${path}: is truncated (${size - 100} bytes of ${size}); restore it from a copy`,
      };
      await expect(store.find({})).rejects.toMatchObject(problem);
      await expect(store.add([said("q", "i")])).rejects.toMatchObject(problem);
      await expect(labelStoreOn(engine, place(path))).rejects.toMatchObject(problem);
      expect(statSync(path).size).toBe(size - 100);
    });

    it("writes nothing into a file of which any page is damaged", async () => {
      await (
        await labelStoreOn(engine, place(path))
      ).add(Array.from({ length: 500 }, (_, n) => said(`query ${n}`, "item")));
      const whole = readFileSync(path);
      const PAGE = 4096;
      let refused = 0;
      for (let page = 1; page < whole.length / PAGE; page++) {
        const damaged = Buffer.from(whole);
        damaged.fill(0, page * PAGE, (page + 1) * PAGE);
        writeFileSync(path, damaged);
        const added = labelStoreOn(engine, place(path)).then((store) => store.add([said("q", "i")]));
        const { code = "none" } = await added.then(
          () => ({ code: "none" }),
          (error: { code?: string }) => error,
        );
        expect(["none", "STORE_CORRUPT"]).toContain(code);
        if (code === "none") continue;
        refused++;
        expect(readFileSync(path).equals(damaged)).toBe(true);
      }
      expect(refused).toBeGreaterThan(0.9 * (whole.length / PAGE - 1));
    });

    it("lets others in while what was said of many queries is read", async () => {
      const queries = Array.from({ length: 1100 }, (_, n) => `query ${n}`);
      const [reader, writer] = [
        await labelStoreOn(engine, place(path)),
        await labelStoreOn(engine, place(path)),
      ];
      await writer.add(queries.map((query) => said(query, "first")));
      const ended: string[] = [];
      const [found] = await Promise.all([
        reader.find({ queries }).finally(() => ended.push("read")),
        writer.add([said("query 1", "second"), said("query 1099", "second")]).then(() => ended.push("added")),
      ]);
      expect(ended).toEqual(["added", "read"]);
      // What was there before is there, in its order; what comes meanwhile may be.
      expect(found.filter(({ item }) => item === "first").map(({ query }) => query)).toEqual(queries);
      expect((await reader.find({ queries })).slice(-2).map(({ query }) => query)).toEqual([
        "query 1",
        "query 1099",
      ]);
    });

    it("holds nothing of what was forgotten in its bytes", async () => {
      const store = await labelStoreOn(engine, place(path));
      const secrets = ["a private question of somebody", "item-that-nobody-should-know", "Erika Mustermann"];
      const [query = "", item = "", rater = ""] = secrets;
      await store.add(Array.from({ length: 500 }, (_, n) => said("kept", `${n}`)));
      await store.add([said(query, "1"), said("kept", item), said("kept", "2", rater)]);
      await store.add(Array.from({ length: 500 }, (_, n) => said(query, `${item}-${n}`, rater)));
      const isInFile = (text: string): boolean => readFileSync(path).includes(text);
      expect(secrets.filter(isInFile)).toEqual(secrets);
      await store.forget({ query }, AT);
      await store.forget({ item }, AT);
      const [one] = await store.find({ item: "2" });
      expect(one?.rater.name).toBe("judge");
      const rest = (await store.find()).filter((each) => each.rater.name === rater);
      expect(rest).toHaveLength(1);
      await store.forget({ rater: JSON.stringify(["model", rater, null, null, null, {}]) }, AT);
      expect(secrets.filter(isInFile)).toEqual([]);
      expect(await store.find()).toHaveLength(500);
    });

    it("goes on where its engine was killed in the middle of writing", async () => {
      const store = await labelStoreOn(engine, place(path));
      await store.add([said("q", "1")]);
      mkdirSync(`${path}.lock`);
      await store.add([said("q", "2")]);
      expect(await store.find()).toHaveLength(2);
      expect(existsSync(`${path}.lock`)).toBe(false);
    });

    it("takes back the transaction of a process that was killed with half of it in the file", async () => {
      const store = await labelStoreOn(engine, place(path));
      const kept = Array.from({ length: 400 }, (_, n) => said("q", `${n}`));
      await store.add(kept);
      // With so small a cache the pages go to the file before the transaction ends.
      const killed = spawnSync(process.execPath, [
        "--eval",
        `const { Database } = require("node-sqlite3-wasm");
         const db = new Database(process.argv[1]);
         db.exec("PRAGMA cache_size = 2; BEGIN IMMEDIATE");
         db.exec("UPDATE assessments SET said_json = hex(zeroblob(900))");
         process.kill(process.pid, "SIGKILL");`,
        path,
      ]);
      expect([killed.signal, existsSync(`${path}-journal`)]).toEqual(["SIGKILL", true]);
      expect(await store.find()).toEqual(kept);
      expect(readdirSync(folder)).toEqual(["labels.sqlite"]);
      await store.add([said("q", "more")]);
      expect(await store.find()).toHaveLength(401);
    });

    it("refuses files that are no label store, and leaves them as they are", async () => {
      writeFileSync(path, "not a database at all, but long enough to have a header".repeat(20));
      await expect(labelStoreOn(engine, place(path))).rejects.toMatchObject({ code: "STORE_NOT_SQLITE" });
      const runs = join(folder, "runs.sqlite");
      await (await openStore(runs, { create: true })).saveRun(aRun());
      const before = readFileSync(runs);
      await expect(labelStoreOn(engine, place(runs))).rejects.toMatchObject({ code: "STORE_SCHEMA" });
      expect(readFileSync(runs).equals(before)).toBe(true);
    });

    it("refuses the file of a newer version", async () => {
      await (await labelStoreOn(engine, place(path))).add([said("q", "1")]);
      const { db, close } = engine(path);
      db.exec("PRAGMA user_version = 99");
      close();
      await expect(labelStoreOn(engine, place(path))).rejects.toThrow(/schema 99.*newer rankproof/);
    });

    it("brings an older file up to date with the first that is written, and keeps a copy", async () => {
      copyFileSync(join(import.meta.dirname, "labels-v1.sqlite"), path);
      const before = readFileSync(path);
      const store = await labelStoreOn(engine, place(path));
      expect((await store.find()).map(({ item }) => item)).toEqual(["1", "2"]);
      expect(await store.scores({ tenant: "default", query: "q", reranker: "r" })).toEqual([]);
      expect(await store.corpus({ tenant: "default", source: "s" })).toBe(undefined);
      expect(readFileSync(path).equals(before)).toBe(true);
      await Promise.all([store.add([said("q", "3")]), store.add([said("q", "4")])]);
      expect((await store.find()).map(({ item }) => item)).toEqual(["1", "2", "3", "4"]);
      await store.keepScores({ tenant: "default", query: "q", reranker: "r" }, [
        { item: "1", score: 0.5, textHash: 1 },
      ]);
      expect(readdirSync(folder)).toEqual(["labels.sqlite", "labels.sqlite.v1.bak"]);
      expect(readFileSync(`${path}.v1.bak`).equals(before)).toBe(true);
      // What is forgotten is not in a copy, either; one of another store stays.
      writeFileSync(`${path}.v2.v1.bak`, "");
      await store.forget({ query: "q" }, AT);
      expect(readdirSync(folder)).toEqual(["labels.sqlite", "labels.sqlite.v2.v1.bak"]);
    });

    it("forgets nothing where the file cannot be written anew, or says what is left", async () => {
      copyFileSync(join(import.meta.dirname, "labels-v1.sqlite"), path);
      const before = readFileSync(path);
      /** Which tries to write the file anew find no room. */
      let [tries, full] = [0, 1];
      const tight: SqliteEngine = (...asked) => {
        const { db, close } = engine(...asked);
        const exec = (statements: string): void => {
          if (statements === "VACUUM" && ++tries === full) throw new Error("database or disk is full");
          db.exec(statements);
        };
        const rest = { rows: db.rows.bind(db), runEach: db.runEach.bind(db) };
        return { db: { exec, ...rest }, close };
      };
      const store = await labelStoreOn(tight, place(path));
      await expect(store.forget({ query: "q" }, AT)).rejects.toThrow("full");
      expect([readFileSync(path).equals(before), readdirSync(folder)]).toEqual([true, ["labels.sqlite"]]);
      full = 3;
      await expect(store.forget({ query: "q" }, AT)).rejects.toMatchObject({
        code: "STORE_WRITE",
        message: expect.stringMatching(/: the labels are gone, but .* make room, and run .* which does it$/),
      });
      expect([await store.find(), readdirSync(folder)]).toEqual([[], ["labels.sqlite"]]);
      expect((await store.forget({ query: "q" }, AT)).assessments).toBe(0);
    });

    it("says where a file is damaged instead of reading past it", async () => {
      const store = await labelStoreOn(engine, place(path));
      await store.add(Array.from({ length: 2000 }, (_, n) => said("q", `${n}`)));
      const bytes = readFileSync(path);
      bytes.fill(0xff, 8192, bytes.length - 4096);
      writeFileSync(path, bytes);
      await expect(store.find()).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    });
  });
}

describe("openLabelStore", () => {
  it("asks for labels to be built where there is no file, and makes none by looking", async () => {
    await expect(openLabelStore(path)).rejects.toThrow(/no such label store.*label build/);
    const store = await openLabelStore(path, { create: true });
    expect(await store.find()).toEqual([]);
    expect(existsSync(path)).toBe(false);
    expect(await (await openLabelStore(":memory:")).find()).toEqual([]);
  });

  it("writes in place: a file of many labels is not read and written as a whole", async () => {
    const store = await openLabelStore(path, { create: true });
    await store.add(Array.from({ length: 20_000 }, (_, n) => said(`query ${n % 50}`, `item ${n}`)));
    const before = statSync(path);
    await store.add([said("query 1", "new")]);
    expect(statSync(path).ino).toBe(before.ino);
    expect(await store.find({ query: "query 1" })).toHaveLength(401);
  });
});
