import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/node/index.js";
import { nodeSqlite } from "../../src/node/node-sqlite.js";
import { showProof, tries } from "../support/proof.js";
import { aRun, hit, result } from "../support/records.js";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const isWrittenInPlace = nodeSqlite() !== undefined;
let folder: string;
let scripts: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-durability-"));
  scripts = mkdtempSync(join(tmpdir(), "rankproof-writers-"));
  chmodSync(folder, 0o755);
  chmodSync(scripts, 0o755);
});

const bigRun = (run_id: string) =>
  aRun({
    run_id,
    results: Array.from({ length: 300 }, (_, q) =>
      result(
        `q${q}`,
        Array.from({ length: 20 }, (_, i) => hit(`document-${q}#chunk-${i}`, i + 1)),
      ),
    ),
  });

/** A program that saves runs `prefix-0`, `prefix-1`, … and says the id of each one that is saved. */
function writerScript(store: string, prefix: string, count: number): string {
  const path = join(scripts, `${prefix}.mjs`);
  writeFileSync(
    path,
    `import { openStore } from ${JSON.stringify(pathToFileURL(join(dist, "node/index.js")).href)};
const run = ${JSON.stringify(bigRun("template"))};
const store = await openStore(${JSON.stringify(store)}, { create: true, lockTimeoutMs: 60_000 });
process.stdout.write("ready\\n");
for (let i = 0; i < ${count}; i++) {
  await store.saveRun({ ...run, run_id: "${prefix}-" + i });
  process.stdout.write("${prefix}-" + i + "\\n");
}
`,
  );
  return path;
}

interface Writer {
  readonly process: ChildProcess;
  readonly saved: string[];
  /** When the store is open and the first save begins. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
}

function startWriter(store: string, prefix: string, count: number): Writer {
  const child = spawn(process.execPath, [writerScript(store, prefix, count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const saved: string[] = [];
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    if (lines[0] === "ready") {
      lines.shift();
      isReady();
    }
    saved.push(...lines);
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  // One that cannot begin is not waited for.
  return { process: child, saved, ready: Promise.race([ready, ended]), ended };
}

/** Until a save has been under way for about `ms`, within a second. */
function inASave(path: string, ms: number): void {
  const deadline = Date.now() + 1000;
  while (!existsSync(`${path}.rankproof-lock`) && Date.now() < deadline);
  const since = performance.now();
  while (performance.now() - since < ms);
}

describe("a store file", () => {
  it("loses nothing that was saved when processes are killed in the middle of saves", async () => {
    const path = join(folder, "killed.sqlite");
    const promised = new Set<string>();
    let killedWhileWriting = 0;
    const rounds = tries(6, 200);
    let round = 0;
    // Where few of them came inside a save, or none after one on a slow disk, there are more.
    const isEnough = (): boolean => killedWhileWriting >= rounds / 2 && promised.size > 0;
    for (; round < rounds || (!isEnough() && round < 4 * rounds); round++) {
      const writer = startWriter(path, `round-${round}`, 1000);
      // From the first save to the middle of a later one, in steps that are no multiple of one; how long a
      // start takes says nothing.
      await writer.ready;
      await pause(((round * 7) % 40) * 11);
      inASave(path, (round % 7) * 2);
      writer.process.kill("SIGKILL");
      await writer.ended;
      for (const id of writer.saved) promised.add(id);
      if (existsSync(`${path}.rankproof-lock`)) killedWhileWriting++;
      const store = await openStore(path, { create: true });
      const ids = new Set((await store.listRuns()).map(({ run_id }) => run_id));
      for (const id of promised) expect(ids.has(id)).toBe(true);
      for (const id of ids) expect((await store.loadRun(id))?.results).toHaveLength(300);
      // A few of them stay, and the file is small.
      const kept = [...promised].slice(0, 5);
      for (const id of ids) if (!kept.includes(id)) await store.deleteRun(id);
      promised.clear();
      for (const id of kept) promised.add(id);
    }
    expect(promised.size).toBeGreaterThan(0);
    showProof("killed processes", {
      node: process.version,
      kills: round,
      "inside a save": killedWhileWriting,
      "runs promised at the end": promised.size,
      lost: 0,
    });
    expect(killedWhileWriting).toBeGreaterThanOrEqual(rounds / 2);
    const store = await openStore(path);
    await store.saveRun(aRun({ run_id: "after" }));
    expect(
      readdirSync(folder).filter((name) => name.startsWith(".killed") || name.startsWith("killed")),
    ).toEqual(["killed.sqlite"]);
  });

  it("has the runs of four processes that wrote at once", async () => {
    const path = join(folder, "shared.sqlite");
    const writers = ["a", "b", "c", "d"].map((prefix) => startWriter(path, prefix, 8));
    await Promise.all(writers.map(({ ended }) => ended));
    const ids = (await (await openStore(path)).listRuns()).map(({ run_id }) => run_id).sort();
    expect(ids).toEqual(writers.flatMap(({ saved }) => saved).sort());
    expect(ids).toHaveLength(32);
  });

  it("is as it was when there is no room left for a save, and the error says so", async () => {
    const path = join(folder, "full.sqlite");
    await (await openStore(path, { create: true })).saveRun(bigRun("before"));
    const before = readFileSync(path);
    const blocks = Math.ceil(before.length / 1024) + 4;
    const limited = spawnSync(
      "bash",
      ["-c", `ulimit -f ${blocks}; exec "$0" "$1"`, process.execPath, writerScript(path, "more", 1)],
      { encoding: "utf8" },
    );
    expect(limited.status).not.toBe(0);
    const why = isWrittenInPlace
      ? "the system failed to read or write, as on a full disk"
      : "a limit on the size of files is reached";
    expect(limited.stderr).toContain(`${path}: cannot be written: ${why}; the file is as it was`);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes("full"))).toEqual(["full.sqlite"]);
  });

  it.each(["openStore", "openLabelStore"])(
    "is as it was where the disk is full in the middle of much: %s",
    async (opens) => {
      const place = mkdtempSync(join(folder, "full-"));
      const path = join(place, "store.sqlite");
      const script = join(scripts, `${opens}.mjs`);
      // More than SQLite keeps in memory, so that it is in the file before there is no room.
      const much = `Array.from({ length: 200 }, (_, at) => ({ ...run.results[0], query_id: "q" + at,
        hits_top_k: [{ chunk_id: "c", doc_id: "d", rank: 1, text: "x".repeat(50_000) }] }))`;
      writeFileSync(
        script,
        `import { ${opens} } from ${JSON.stringify(pathToFileURL(join(dist, "node/index.js")).href)};
const run = ${JSON.stringify(bigRun("template"))};
const store = await ${opens}(${JSON.stringify(path)}, { create: true });
${
  opens === "openStore"
    ? `await store.saveRun(process.argv[2] === "much" ? { ...run, run_id: "much", results: ${much} } : run);`
    : 'await store.keepBuild({ tenant: "t", dataset: "d", labeler: process.argv[2] }, ' +
      'process.argv[2] === "much" ? ' +
      "{ of: Array(200).fill('x'.repeat(50_000)) } : {});"
}
await store.close();
`,
      );
      const write = (what: string, blocks: string): ReturnType<typeof spawnSync> =>
        spawnSync("bash", ["-c", `ulimit -f ${blocks}; exec "$0" "$1" ${what}`, process.execPath, script], {
          encoding: "utf8",
        });
      expect(write("little", "unlimited").status).toBe(0);
      const before = readFileSync(path);
      const limited = write("much", "5000");
      expect(limited.status).not.toBe(0);
      expect(limited.stderr).toContain("the file is as it was");
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(readdirSync(place)).toEqual(["store.sqlite"]);
    },
  );

  it("cannot be written in a folder without permission, which the error says; it can be read", async () => {
    const closed = mkdtempSync(join(folder, "closed-"));
    const path = join(closed, "store.sqlite");
    await (await openStore(path, { create: true })).saveRun(bigRun("before"));
    const before = readFileSync(path);
    chmodSync(closed, 0o555);
    // The superuser may write everywhere, so the writer is somebody else where the test runs as root.
    const someoneElse = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const refused = spawnSync(process.execPath, [writerScript(path, "closed", 1)], {
      encoding: "utf8",
      ...someoneElse,
    });
    chmodSync(closed, 0o755);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain(
      `${path}: cannot be written: permission is missing; the file is as it was`,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  const python = spawnSync("python3", ["-c", "import sqlite3"]).status === 0;
  it.skipIf(!python || !existsSync("/proc/locks"))(
    "is not written while another program is in a transaction that leaves no journal behind",
    async () => {
      const path = join(folder, "owned.sqlite");
      await (await openStore(path, { create: true })).saveRun(aRun({ run_id: "before" }));
      const owner = spawn(
        "python3",
        [
          "-c",
          `
import sqlite3, sys
db = sqlite3.connect(${JSON.stringify(path)}, isolation_level=None)
db.execute("PRAGMA journal_mode=MEMORY").fetchall()
db.execute("BEGIN IMMEDIATE")
db.execute("INSERT INTO eval_runs VALUES ('theirs', 's', '{}', '{}', NULL, '')")
print("writing", flush=True)
sys.stdin.readline()
db.execute("COMMIT")
print("done", flush=True)
`,
        ],
        { stdio: ["pipe", "pipe", "inherit"] },
      );
      let said = "";
      const says = (word: string): Promise<void> =>
        new Promise((resolve) => {
          const listen = (): void =>
            said.includes(word) ? resolve() : void owner.stdout.once("data", listen);
          listen();
        });
      owner.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
      await says("writing");
      if (!isWrittenInPlace)
        await expect(openStore(path, { lockTimeoutMs: 50 })).rejects.toMatchObject({ code: "STORE_LOCKED" });
      await expect(
        openStore(path, { lockTimeoutMs: 50 }).then((store) => store.saveRun(aRun({ run_id: "early" }))),
      ).rejects.toMatchObject({ code: "STORE_LOCKED" });
      owner.stdin.write("\n");
      await says("done");
      await (await openStore(path)).saveRun(aRun({ run_id: "ours" }));
      expect((await (await openStore(path)).listRuns()).map(({ run_id }) => run_id).sort()).toEqual([
        "before",
        "ours",
        "theirs",
      ]);
    },
  );
});
