import { spawn, spawnSync } from "node:child_process";
import fs, { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storeImage } from "../../src/node/store-image.js";
import { sqljsStore, type SqliteStore } from "../../src/storage/sqljs/index.js";
import { aRun } from "../support/records.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-image-"));
  path = join(folder, "store.sqlite");
});

const { renameSync } = fs;
afterEach(() => {
  fs.renameSync = renameSync;
  syncBuiltinESMExports();
});

/** Does something once, in the moment between a save's last look at the file and its rename. */
function justBeforeTheRename(act: () => void): void {
  let isDone = false;
  fs.renameSync = (from, to) => {
    if (!isDone) {
      isDone = true;
      act();
    }
    renameSync(from, to);
  };
  syncBuiltinESMExports();
}

const imageStore = (): Promise<SqliteStore> =>
  sqljsStore({ image: storeImage({ name: path, path, lockTimeoutMs: 10_000 }) });

const runIds = async (store: SqliteStore): Promise<string[]> =>
  (await store.listRuns()).map(({ run_id }) => run_id).sort();

/** The bytes of the store at `path` with one run more, as another program would leave them. */
async function withOneMore(run_id: string): Promise<Uint8Array> {
  const theirs = await sqljsStore({ bytes: readFileSync(path) });
  await theirs.saveRun(aRun({ run_id }));
  const bytes = await theirs.bytes();
  // Files count their transactions here; sql.js, in memory, does not.
  bytes[27] = (bytes[27] ?? 0) + 1;
  bytes[95] = (bytes[95] ?? 0) + 1;
  return bytes;
}

const hasPython = spawnSync("python3", ["-c", "import sqlite3"]).status === 0;

describe("a store file that is replaced as a whole", () => {
  it("keeps what another program commits between the last look and the rename", async () => {
    const store = await imageStore();
    await store.saveRun(aRun({ run_id: "first" }));
    const theirs = await withOneMore("theirs");
    justBeforeTheRename(() => writeFileSync(path, theirs));
    await store.saveRun(aRun({ run_id: "ours" }));
    expect(await runIds(await imageStore())).toEqual(["first", "ours", "theirs"]);
    expect(readdirSync(folder)).toEqual(["store.sqlite"]);
  });

  it.skipIf(!hasPython || process.platform !== "linux")(
    "keeps what another program has begun by then, and commits after it",
    async () => {
      const store = await imageStore();
      await store.saveRun(aRun({ run_id: "first" }));
      const script = `
import os, sqlite3, sys, time
path, folder = sys.argv[1:]
db = sqlite3.connect(path, isolation_level=None)
db.execute("BEGIN IMMEDIATE")
db.execute("INSERT INTO eval_runs VALUES ('theirs', 's', '{}', '{}', NULL, '')")
open(os.path.join(folder, "begun"), "w").close()
time.sleep(0.3)
db.execute("COMMIT")
`;
      const elsewhere = mkdtempSync(join(tmpdir(), "rankproof-image-"));
      justBeforeTheRename(() => {
        spawn("python3", ["-c", script, path, elsewhere], { stdio: ["ignore", "inherit", "inherit"] });
        const sleeper = new Int32Array(new SharedArrayBuffer(4));
        while (!existsSync(join(elsewhere, "begun"))) Atomics.wait(sleeper, 0, 0, 5);
      });
      await store.saveRun(aRun({ run_id: "ours" }));
      expect(await runIds(await imageStore())).toEqual(["first", "ours", "theirs"]);
      expect(readdirSync(folder)).toEqual(["store.sqlite"]);
    },
  );

  it("sees a commit that leaves size and time of the file as they were", async () => {
    const store = await imageStore();
    await store.saveRun(aRun({ run_id: "first" }));
    const { size, atime, mtime } = statSync(path);
    const theirs = await withOneMore("theirs");
    expect(theirs.length).toBe(size);
    fs.utimesSync(path, atime, mtime);
    await runIds(store);
    writeFileSync(path, theirs);
    fs.utimesSync(path, atime, mtime);
    await store.saveRun(aRun({ run_id: "ours" }));
    expect(await runIds(store)).toEqual(["first", "ours", "theirs"]);
  });
});
