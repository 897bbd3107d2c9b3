import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { DatabaseCopy } from "../../src/node/database-copy.js";
import { openLabelStore } from "../../src/node/index.js";
import type { Assessment } from "../../src/records/index.js";

const NOBODY = 65534;
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const said: Assessment = {
  tenant: "default",
  query: "red shoe",
  item: "i1",
  outcome: "graded",
  grade: 3,
  rater: { kind: "human", name: "anna" },
  vote: 1,
  at: "2026-01-01T00:00:00.000Z",
};

async function labelFile(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "rankproof-read-only-")), "labels.sqlite");
  const store = await openLabelStore(path, { create: true });
  await store.add([said]);
  await store.close();
  return path;
}

it("a copy is made anew where the file has changed, and not while somebody writes", async () => {
  const path = await labelFile();
  const copy = new DatabaseCopy({ name: "l", path, lockTimeoutMs: 0 });
  const first = copy.path();
  const { find } = await openLabelStore(first);
  expect(await find()).toEqual([said]);
  writeFileSync(first, "the copy");
  copy.path();
  expect(readdirSync(dirname(first))).toEqual(["copy.sqlite"]);
  await expect(openLabelStore(first)).rejects.toMatchObject({ code: "STORE_NOT_SQLITE" });
  cpSync(path, `${path}.new`);
  cpSync(`${path}.new`, path);
  writeFileSync(`${path}.rankproof-lock`, "");
  expect(() => copy.path()).toThrow("l: another process is writing to it; try again");
  rmSync(`${path}.rankproof-lock`);
  expect(await (await openLabelStore(copy.path())).find()).toEqual([said]);
  copy.close();
  expect(() => readdirSync(dirname(first))).toThrow("ENOENT");
});

// Only root can be somebody else, and is kept from nothing itself.
it.runIf(process.getuid?.() === 0).each([
  ["where nothing can be written", 0o555],
  ["of a file that is somebody else's, in a folder of all", 0o777],
])("labels are read %s", async (_, mode) => {
  const path = await labelFile();
  const folder = dirname(path);
  chmodSync(path, 0o444);
  chmodSync(folder, mode);
  chmodSync(dirname(folder), 0o711);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, "bin/rankproof.js"), ...args, "--labels", path], {
      cwd: "/",
      uid: NOBODY,
      encoding: "utf8",
      env: { ...process.env, TMPDIR: "/tmp" },
    });
  const shown = run("label", "show", "red shoe");
  expect([shown.stderr, shown.stdout]).toEqual(["", expect.stringContaining("3 Fully Relevant")]);
  writeFileSync(`${folder}.jsonl`, `${JSON.stringify({ ...said, item: "i2" })}\n`);
  const added = run("label", "import", `${folder}.jsonl`);
  expect([added.status, added.stderr]).toEqual([5, expect.stringContaining("cannot be written")]);
  expect(readdirSync(folder)).toEqual(["labels.sqlite"]);
});
