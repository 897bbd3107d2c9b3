import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import initSqlJs from "sql.js";
import { beforeEach, describe, expect, it } from "vitest";
import { openStore, readGolden } from "../../src/node/index.js";
import { aggregateStoredRun, importRun } from "../../src/runs/index.js";
import { storeContract } from "../../src/testing/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { aRun, hit, result } from "../support/records.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-store-"));
  path = join(folder, "store.sqlite");
});

storeContract({ describe, it, expect }, "openStore", async () => openStore(join(mkdtempSync(join(tmpdir(), "rankproof-contract-")), "store.sqlite"), { create: true }));

describe("a store file", () => {
  const saved = async (): Promise<Buffer> => {
    await (await openStore(path, { create: true })).saveRun(aRun({ run_id: "first" }));
    return readFileSync(path);
  };

  it("that is not there is an error, unless it may be made; it is made by the first save", async () => {
    await expect(openStore(path)).rejects.toMatchObject({ code: "FILE_NOT_FOUND", message: `${path}: no such store; import or record a run first, or make one with \`rankproof init --store ${path}\`` });
    const store = await openStore(path, { create: true });
    expect(existsSync(path)).toBe(false);
    await store.saveRun(aRun());
    expect(readdirSync(folder)).toEqual(["store.sqlite"]);
  });
  it("is made with the folders above it", async () => {
    const deep = join(folder, "a/b/store.sqlite");
    await (await openStore(deep, { create: true })).saveRun(aRun());
    expect(existsSync(deep)).toBe(true);
  });
  it("shows what another process saved meanwhile", async () => {
    await saved();
    const [one, two] = [await openStore(path), await openStore(path)];
    await one.saveRun(aRun({ run_id: "second" }));
    await two.saveRun(aRun({ run_id: "third" }));
    expect((await one.listRuns()).map(({ run_id }) => run_id)).toEqual(["first", "second", "third"]);
  });
  it("behind a symbolic link stays where it is", async () => {
    await saved();
    const link = join(folder, "link.sqlite");
    symlinkSync(path, link);
    await (await openStore(link)).saveRun(aRun({ run_id: "second" }));
    expect(await (await openStore(path)).loadRun("second")).not.toBeNull();
  });
  it("keeps its permissions, whatever the umask", async () => {
    await saved();
    chmodSync(path, 0o666);
    await (await openStore(path)).saveRun(aRun({ run_id: "second" }));
    expect(statSync(path).mode & 0o777).toBe(0o666);
  });

  it("that nobody may write is not written, whoever asks; it can be read", async () => {
    const before = await saved();
    chmodSync(path, 0o444);
    const store = await openStore(path);
    await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({ code: "STORE_WRITE", message: `${path}: cannot be written: permission is missing; the file is as it was` });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(await store.loadRun("first")).not.toBeNull();
  });

  it("that is text, empty, or a folder is refused by name", async () => {
    writeFileSync(path, "query_id,rank\n".repeat(20));
    await expect(openStore(path)).rejects.toMatchObject({ code: "STORE_NOT_SQLITE", message: `${path}: is not an SQLite database; give the path of a store, or of a new file` });
    writeFileSync(path, "");
    await expect(openStore(path)).rejects.toMatchObject({ code: "STORE_NOT_SQLITE", message: `${path}: is empty (0 bytes), so it is not a database; delete it to begin a new store` });
    mkdirSync(join(folder, "dir"));
    await expect(openStore(join(folder, "dir"))).rejects.toMatchObject({ code: "FILE_UNREADABLE", message: `${join(folder, "dir")}: cannot be read: it is a folder` });
  });
  it("that was cut off is refused and left as it is", async () => {
    const { length } = await saved();
    truncateSync(path, 6000);
    const before = readFileSync(path);
    await expect(openStore(path)).rejects.toMatchObject({ code: "STORE_CORRUPT", message: `${path}: is truncated (6000 bytes of ${length}); restore it from a copy` });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
  it("in WAL mode is refused and left as it is", async () => {
    const bytes = await saved();
    bytes[18] = bytes[19] = 2;
    writeFileSync(path, bytes);
    await expect(openStore(path)).rejects.toMatchObject({ code: "STORE_WAL" });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });
  it.each(["-wal", "-journal"])("with a live %s beside it is refused, also when that appears later", async (suffix) => {
    const before = await saved();
    const store = await openStore(path);
    writeFileSync(path + suffix, Buffer.from("d9d505f920a163d7 rows that are not in the file yet", suffix === "-wal" ? "utf8" : "hex"));
    await expect(openStore(path)).rejects.toMatchObject({ code: "STORE_WAL", message: `${path}: a program has it open, or was killed while writing (${path}${suffix} is not empty); close that program, or open the file once with it, and try again` });
    await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({ code: "STORE_WAL" });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
  it("with a journal that was left empty for later is no live one", async () => {
    await saved();
    writeFileSync(`${path}-journal`, Buffer.alloc(512));
    expect(await (await openStore(path)).loadRun("first")).not.toBeNull();
  });
  it("with other tables of the same names is refused", async () => {
    const db = new (await initSqlJs()).Database();
    db.exec("CREATE TABLE eval_runs(id, data)");
    writeFileSync(path, db.export());
    await expect(openStore(path)).rejects.toMatchObject({ code: "STORE_SCHEMA", message: `${path}: table eval_runs has no column \`run_id\`, \`suite\`, \`config_snapshot_json\`, \`aggregate_json\`, \`commit_hash\`, \`created_at\`; the database is of another kind` });
  });

  it("locked by a living process is an error that names it; nothing is written", async () => {
    const before = await saved();
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, host: hostname() }));
    const store = await openStore(path, { lockTimeoutMs: 50 });
    await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({
      code: "STORE_LOCKED",
      message: `${path}: process ${process.pid} on ${hostname()} is writing to it and did not finish within 0.05 s; try again, or delete ${path}.lock if that process is gone`,
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(await store.loadRun("first")).not.toBeNull();
  });
  it("locked by a dead process is taken over, and what that one left is cleared away", async () => {
    await saved();
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
    writeFileSync(join(folder, ".store.sqlite.tmp-4194305"), "half a database");
    await (await openStore(path, { lockTimeoutMs: 2000 })).saveRun(aRun({ run_id: "second" }));
    expect(readdirSync(folder)).toEqual(["store.sqlite"]);
  });
  it("locked by a process that was killed before it signed is taken over after a while", async () => {
    await saved();
    writeFileSync(`${path}.lock`, "");
    const old = Date.now() / 1000 - 60;
    utimesSync(`${path}.lock`, old, old);
    await (await openStore(path, { lockTimeoutMs: 2000 })).saveRun(aRun({ run_id: "second" }));
    expect(readdirSync(folder)).toEqual(["store.sqlite"]);
  });
  it("locked from another machine is not taken over", async () => {
    await saved();
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, host: "another-machine" }));
    await expect((await openStore(path, { lockTimeoutMs: 50 })).saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({ code: "STORE_LOCKED" });
  });
});

describe("a knowledge base of another program", () => {
  const source = oracle("xquad-zh");
  if (source === null) {
    it.skip(WITHOUT_ORACLES, () => undefined);
    return;
  }
  /** Everything in a database but the aggregates: schema, settings, every row with its rowid. */
  const contents = async (file: string): Promise<string> => {
    const db = new (await initSqlJs()).Database(readFileSync(file));
    const tables = db.exec("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid");
    const names = ["documents", "chunks", "eval_query_results"].map((name) => db.exec(`SELECT rowid, * FROM ${name} ORDER BY rowid`));
    const runs = db.exec("SELECT rowid, run_id, suite, config_snapshot_json, commit_hash, created_at FROM eval_runs ORDER BY rowid");
    return JSON.stringify([tables, names, runs, ["user_version", "application_id", "page_size", "encoding", "auto_vacuum"].map((name) => db.exec(`PRAGMA ${name}`))]);
  };

  it.each(["kb.sqlite", "kb-rechunked.sqlite"])("%s: writing an aggregate touches nothing else", async (name) => {
    copyFileSync(join(source, name), path);
    chmodSync(path, 0o644);
    const before = await contents(path);
    const store = await openStore(path);
    const aggregate = await aggregateStoredRun(store, "run_fts_para", readGolden(join(source, "golden.yaml")));
    expect(await contents(path)).toBe(before);
    const again = await openStore(path);
    expect(JSON.stringify(await again.loadAggregate("run_fts_para"))).toBe(JSON.stringify(aggregate));
  });
  it("its chunks are never overwritten, but runs may be added", async () => {
    copyFileSync(join(source, "kb.sqlite"), path);
    chmodSync(path, 0o644);
    const store = await openStore(path);
    await expect(store.saveChunks([{ chunk_id: "c", doc_id: "d" }])).rejects.toMatchObject({ code: "STORE_SCHEMA" });
    await importRun(store, aRun({ run_id: "mine", results: [result("q", [hit("d#1", 1, { source_spans: [{ kind: "line", start: 1, end: 2 }] })])] }));
    expect((await store.findArchivedChunks(["d#1"]))[0]).toMatchObject({ doc_id: "d" });
    expect((await store.listRuns()).map(({ run_id }) => run_id)).toContain("mine");
  });
});
