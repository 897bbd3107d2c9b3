import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import initSqlJs from "sql.js";
import { beforeEach, describe, expect, it } from "vitest";
import { openLabelStore, openStore, readGolden } from "../../src/node/index.js";
import { nodeSqlite, type NodeSqlite } from "../../src/node/node-sqlite.js";
import { aggregateStoredRun, importRun } from "../../src/runs/index.js";
import { sqljsStore } from "../../src/storage/sqljs/index.js";
import { storeContract } from "../../src/testing/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { aRun, hit, result } from "../support/records.js";

const isWrittenInPlace = nodeSqlite() !== undefined;
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-store-"));
  path = join(folder, "store.sqlite");
});

storeContract({ describe, it, expect }, "openStore", async () =>
  openStore(join(mkdtempSync(join(tmpdir(), "rankproof-contract-")), "store.sqlite"), { create: true }),
);

describe("a store file", () => {
  const saved = async (): Promise<Buffer> => {
    await (await openStore(path, { create: true })).saveRun(aRun({ run_id: "first" }));
    return readFileSync(path);
  };

  it("that is not there is an error, unless it may be made; it is made by the first save", async () => {
    await expect(openStore(path)).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
      message:
        `${path}: no such store; import or record a run first, or make one with \`rankproof init ` +
        `--store ${path}\``,
    });
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
  it("that was there and is gone is an error, and no new one is made in its place", async () => {
    const store = await openStore(path, { create: true });
    await store.saveRun(aRun({ run_id: "r" }));
    const opened = await openStore(path);
    const looked = await openStore(path, { create: true });
    await looked.listRuns();
    const away = `${path}.away`;
    renameSync(path, away);
    const gone = `${path}: the store was there and is gone; put it back`;
    for (const each of [store, opened, looked]) {
      await expect(each.listRuns()).rejects.toThrow(gone);
      await expect(each.saveRun(aRun({ run_id: "s" }))).rejects.toThrow(gone);
    }
    expect(existsSync(path)).toBe(false);
    renameSync(away, path);
    // Nor is a folder made in place of one that was moved.
    renameSync(folder, `${folder}-moved`);
    await expect(opened.saveRun(aRun({ run_id: "s" }))).rejects.toThrow(gone);
    expect(existsSync(folder)).toBe(false);
    renameSync(`${folder}-moved`, folder);
    await opened.saveRun(aRun({ run_id: "s" }));
    expect((await store.listRuns()).map(({ run_id }) => run_id).sort()).toEqual(["r", "s"]);
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
  it("behind a link to nothing is made where the link leads", async () => {
    const link = join(folder, "link.sqlite");
    symlinkSync("store.sqlite", link);
    await (await openStore(link, { create: true })).saveRun(aRun({ run_id: "first" }));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(await (await openStore(path)).loadRun("first")).not.toBeNull();
  });
  it("behind links in a circle is an error", async () => {
    symlinkSync("b.sqlite", join(folder, "a.sqlite"));
    symlinkSync("a.sqlite", join(folder, "b.sqlite"));
    await expect(openStore(join(folder, "a.sqlite"), { create: true })).rejects.toMatchObject({
      code: "STORE_WRITE",
      message:
        `${join(folder, "a.sqlite")}: cannot be written: its symbolic links lead in a circle; the ` +
        "file is as it was",
    });
  });
  it.skipIf(process.platform === "win32").each(["/dev/zero", "/dev/null"])(
    "at %s, which has no end or no content, is an error",
    async (device) => {
      for (const open of [openStore, openLabelStore])
        for (const create of [false, true])
          await expect(open(device, { create })).rejects.toMatchObject({
            code: "STORE_NOT_SQLITE",
            message: `${device}: is a device or a pipe; a store is a file`,
          });
    },
  );
  it.each([200, 240, 241, 243, 255])(
    "with a name of %i bytes is saved, or the error says that the name is too long",
    async (bytes) => {
      const long = join(folder, "n".repeat(bytes));
      const attempt = openStore(long, { create: true }).then((store) => store.saveRun(aRun()));
      // The lock, or the journal of SQLite, needs some bytes more.
      if (bytes <= 240) await attempt;
      else
        await expect(attempt).rejects.toMatchObject({
          code: "STORE_WRITE",
          message: `${long}: cannot be written: the name is too long; the file is as it was`,
        });
      expect(readdirSync(folder)).toEqual(bytes <= 240 ? ["n".repeat(bytes)] : []);
    },
  );
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
    await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({
      code: "STORE_WRITE",
      message: `${path}: cannot be written: permission is missing; the file is as it was`,
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(await store.loadRun("first")).not.toBeNull();
  });

  it("that is text, empty, or a folder is refused by name", async () => {
    writeFileSync(path, "query_id,rank\n".repeat(20));
    await expect(openStore(path)).rejects.toMatchObject({
      code: "STORE_NOT_SQLITE",
      message: `${path}: is not an SQLite database; give the path of a store, or of a new file`,
    });
    writeFileSync(path, "");
    await expect(openStore(path)).rejects.toMatchObject({
      code: "STORE_NOT_SQLITE",
      message: `${path}: is empty (0 bytes), so it is not a database; delete it to begin a new store`,
    });
    mkdirSync(join(folder, "dir"));
    await expect(openStore(join(folder, "dir"))).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: `${join(folder, "dir")}: cannot be read: it is a folder`,
    });
  });
  it("that was cut off is refused and left as it is", async () => {
    const { length } = await saved();
    truncateSync(path, 6000);
    const before = readFileSync(path);
    const finding = isWrittenInPlace
      ? "is damaged (database disk image is malformed); it was left as it is, restore it from a copy"
      : `is truncated (6000 bytes of ${length}); restore it from a copy`;
    await expect(openStore(path)).rejects.toMatchObject({
      code: "STORE_CORRUPT",
      message: `${path}: ${finding}`,
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
  it.each([1, 100, 3000])("that lacks the last %i bytes is refused, too", async (missing) => {
    const { length } = await saved();
    truncateSync(path, length - missing);
    const before = readFileSync(path);
    const problem = {
      code: "STORE_CORRUPT",
      message: `${path}: is truncated (${length - missing} bytes of ${length}); restore it from a copy`,
    };
    await expect(openStore(path)).rejects.toMatchObject(problem);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
  it("that is cut off while it is open is neither read nor written", async () => {
    const { length } = await saved();
    const store = await openStore(path);
    truncateSync(path, length - 100);
    const problem = { code: "STORE_CORRUPT" };
    await expect(store.loadRun("first")).rejects.toMatchObject(problem);
    await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject(problem);
    expect(statSync(path).size).toBe(length - 100);
  });
  it.skipIf(isWrittenInPlace)("in WAL mode is refused and left as it is", async () => {
    const bytes = await saved();
    bytes[18] = bytes[19] = 2;
    writeFileSync(path, bytes);
    await expect(openStore(path)).rejects.toMatchObject({ code: "STORE_WAL" });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });
  it.skipIf(isWrittenInPlace).each(["-wal", "-journal"])(
    "with a live %s beside it is refused, also when that appears later",
    async (suffix) => {
      const before = await saved();
      const store = await openStore(path, { lockTimeoutMs: 20 });
      writeFileSync(
        path + suffix,
        Buffer.from("d9d505f920a163d7 rows that are not in the file yet", suffix === "-wal" ? "utf8" : "hex"),
      );
      await expect(openStore(path, { lockTimeoutMs: 20 })).rejects.toMatchObject({
        code: "STORE_WAL",
        message:
          `${path}: a program has it open, or was killed while writing (${path}${suffix} is not ` +
          "empty); close that program, or open the file once with it, and try again",
      });
      await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({ code: "STORE_WAL" });
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );
  it.skipIf(isWrittenInPlace)(
    "is read and saved when the journal of another program's transaction has gone",
    async () => {
      await saved();
      const journal = `${path}-journal`;
      const transaction = async (): Promise<void> => {
        writeFileSync(journal, Buffer.from("d9d505f920a163d7", "hex"));
        await pause(60);
        rmSync(journal);
      };
      const [store] = await Promise.all([openStore(path), transaction()]);
      await Promise.all([store.saveRun(aRun({ run_id: "second" })), transaction()]);
      expect(await store.loadRun("second")).not.toBeNull();
    },
  );
  it.skipIf(isWrittenInPlace)("that is too large for memory is refused before anything is read", async () => {
    await saved();
    truncateSync(path, 3_000_000_000);
    await expect(openStore(path)).rejects.toMatchObject({
      code: "STORE_TOO_LARGE",
      message:
        `${path}: has 3.0 GB, and this Node reads a store of at most 2.1 GB; use Node 22.13 or later, ` +
        "which has its own SQLite",
    });
  });
  it.skipIf(isWrittenInPlace)(
    "is read, and not replaced, while a transaction has begun that is not on the disk yet",
    async () => {
      const before = await saved();
      const journal = `${path}-journal`;
      // Its magic and its count of pages come last; the sizes of the database and of its pages come first.
      writeFileSync(journal, Buffer.from(`${"00".repeat(12)}a1b2c3d4000000050000020000001000`, "hex"));
      const store = await openStore(path, { lockTimeoutMs: 20 });
      expect(await store.loadRun("first")).not.toBeNull();
      await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({ code: "STORE_WAL" });
      expect(readFileSync(path).equals(before)).toBe(true);
      const longAgo = new Date(Date.now() - 120_000);
      utimesSync(journal, longAgo, longAgo);
      await store.saveRun(aRun({ run_id: "second" }));
      expect(await store.loadRun("second")).not.toBeNull();
    },
  );
  it.skipIf(!isWrittenInPlace)(
    "is read and saved in place when another program's transaction has ended, and in WAL mode, too",
    async () => {
      await saved();
      const { ino } = statSync(path);
      const other = new (nodeSqlite() as NodeSqlite).DatabaseSync(path, {
        enableForeignKeyConstraints: true,
        enableDoubleQuotedStringLiterals: false,
      });
      const transaction = async (run: string): Promise<void> => {
        other.exec(`BEGIN EXCLUSIVE; INSERT INTO eval_runs VALUES ('${run}', 's', '{}', '{}', NULL, '')`);
        await pause(60);
        other.exec("COMMIT");
      };
      const [store] = await Promise.all([openStore(path), transaction("theirs")]);
      await Promise.all([store.saveRun(aRun({ run_id: "ours" })), transaction("theirs, too")]);
      other.exec("PRAGMA journal_mode = WAL");
      await store.saveRun(aRun({ run_id: "ours, too" }));
      await transaction("theirs again");
      expect((await store.listRuns()).map(({ run_id }) => run_id).sort()).toEqual([
        "first",
        "ours",
        "ours, too",
        "theirs",
        "theirs again",
        "theirs, too",
      ]);
      // All of it in one file again, which sqljs asks for.
      other.exec("PRAGMA journal_mode = DELETE");
      other.close();
      expect(await (await sqljsStore({ bytes: readFileSync(path) })).listRuns()).toHaveLength(6);
      expect(statSync(path).ino).toBe(ino);
      expect(readdirSync(folder)).toEqual(["store.sqlite"]);
    },
  );
  it("that is busy for longer than one waits is an error that says so; nothing is written", async () => {
    await saved();
    mkdirSync(`${path}.lock`);
    const store = await openStore(path, { lockTimeoutMs: 20 });
    await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({
      code: "STORE_LOCKED",
      message: expect.stringContaining(`or delete ${path}.lock if that process is gone`),
    });
    expect(readdirSync(folder)).toEqual(["store.sqlite", "store.sqlite.lock"]);
  });
  it.skipIf(isWrittenInPlace)("with a journal that was left empty for later is no live one", async () => {
    await saved();
    writeFileSync(`${path}-journal`, Buffer.alloc(512));
    expect(await (await openStore(path)).loadRun("first")).not.toBeNull();
  });
  it("with other tables of the same names is refused", async () => {
    const db = new (await initSqlJs()).Database();
    db.exec("CREATE TABLE eval_runs(id, data)");
    writeFileSync(path, db.export());
    await expect(openStore(path)).rejects.toMatchObject({
      code: "STORE_SCHEMA",
      message:
        `${path}: table eval_runs has no column \`run_id\`, \`suite\`, \`config_snapshot_json\`, ` +
        "`aggregate_json`, `commit_hash`, `created_at`; the database is of another kind",
    });
  });

  it.each([".rankproof-lock", ".lock"])(
    "locked by a living process (%s) is an error that names it; nothing is written",
    async (suffix) => {
      const before = await saved();
      writeFileSync(path + suffix, JSON.stringify({ pid: process.pid, host: hostname() }));
      const store = await openStore(path, { lockTimeoutMs: 50 });
      await expect(store.saveRun(aRun({ run_id: "second" }))).rejects.toMatchObject({
        code: "STORE_LOCKED",
        message:
          `${path}: process ${process.pid} on ${hostname()} is writing to it and did not finish ` +
          `within 0.05 s; try again, or delete ${path}${suffix} if that process is gone`,
      });
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(await store.loadRun("first")).not.toBeNull();
    },
  );
  it.each([".rankproof-lock", ".lock"])(
    "locked by a dead process (%s) is taken over, and what that one left is cleared away",
    async (suffix) => {
      await saved();
      writeFileSync(path + suffix, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
      writeFileSync(join(folder, ".store.sqlite.tmp-4194305"), "half a database");
      await (await openStore(path, { lockTimeoutMs: 2000 })).saveRun(aRun({ run_id: "second" }));
      expect(readdirSync(folder)).toEqual(["store.sqlite"]);
    },
  );
  it("locked by a process that was killed before it signed is taken over after a while", async () => {
    await saved();
    writeFileSync(`${path}.rankproof-lock`, "");
    const old = Date.now() / 1000 - 60;
    utimesSync(`${path}.rankproof-lock`, old, old);
    await (await openStore(path, { lockTimeoutMs: 2000 })).saveRun(aRun({ run_id: "second" }));
    expect(readdirSync(folder)).toEqual(["store.sqlite"]);
  });
  it("locked from another machine is not taken over", async () => {
    await saved();
    writeFileSync(`${path}.rankproof-lock`, JSON.stringify({ pid: 2 ** 22 + 1, host: "another-machine" }));
    await expect(
      (await openStore(path, { lockTimeoutMs: 50 })).saveRun(aRun({ run_id: "second" })),
    ).rejects.toMatchObject({ code: "STORE_LOCKED" });
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
    const names = ["documents", "chunks", "eval_query_results"].map((name) =>
      db.exec(`SELECT rowid, * FROM ${name} ORDER BY rowid`),
    );
    const runs = db.exec(
      "SELECT rowid, run_id, suite, config_snapshot_json, commit_hash, created_at FROM eval_runs " +
        "ORDER BY rowid",
    );
    return JSON.stringify([
      tables,
      names,
      runs,
      ["user_version", "application_id", "page_size", "encoding", "auto_vacuum"].map((name) =>
        db.exec(`PRAGMA ${name}`),
      ),
    ]);
  };

  it.each(["kb.sqlite", "kb-rechunked.sqlite"])(
    "%s: writing an aggregate touches nothing else",
    async (name) => {
      copyFileSync(join(source, name), path);
      chmodSync(path, 0o644);
      const before = await contents(path);
      const store = await openStore(path);
      const aggregate = await aggregateStoredRun(
        store,
        "run_fts_para",
        await readGolden(join(source, "golden.yaml")),
      );
      expect(await contents(path)).toBe(before);
      const again = await openStore(path);
      expect(JSON.stringify(await again.loadAggregate("run_fts_para"))).toBe(JSON.stringify(aggregate));
    },
  );
  it("its chunks are never overwritten, but runs may be added", async () => {
    copyFileSync(join(source, "kb.sqlite"), path);
    chmodSync(path, 0o644);
    const store = await openStore(path);
    await expect(store.saveChunks([{ chunk_id: "c", doc_id: "d" }])).rejects.toMatchObject({
      code: "STORE_SCHEMA",
    });
    await importRun(
      store,
      aRun({
        run_id: "mine",
        results: [result("q", [hit("d#1", 1, { source_spans: [{ kind: "line", start: 1, end: 2 }] })])],
      }),
    );
    expect((await store.findArchivedChunks(["d#1"]))[0]).toMatchObject({ doc_id: "d" });
    expect((await store.listRuns()).map(({ run_id }) => run_id)).toContain("mine");
  });
});
