import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/node/index.js";
import { aRun, hit, result } from "../support/records.js";
import { showProof, tries } from "../support/proof.js";

/**
 * Another program on SQLite: commits a row when a temporary file says that a save is under way, or every 3
 * ms, until it has `count`.
 */
const OTHER_PROGRAM = `
import os, sqlite3, sys, time
path, count, aims = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "aims"
folder = os.path.dirname(path)
connect = lambda: sqlite3.connect(path, isolation_level=None, timeout=60)
db = connect()
done = 0
print("ready", flush=True)
while done < count and not os.path.exists(os.path.join(folder, "stop")):
    if aims:
        if not any(".tmp-" in name for name in os.listdir(folder)): continue
        db.close()
        db = connect()
    else:
        time.sleep(0.003)
    try:
        db.execute("INSERT INTO eval_runs VALUES (?, 's', '{}', '{}', NULL, '')", (f"theirs-{done}",))
        print(f"theirs-{done}", flush=True)
        done += 1
    except sqlite3.OperationalError:
        db.close()
        db = connect()
    # Time for one save to get through.
    if aims: time.sleep(0.1)
print("end", flush=True)
`;

interface OtherProgram {
  readonly process: ChildProcess;
  /** What it has said so far, a line each. */
  readonly said: string[];
}

async function otherProgram(path: string, count: number, how: "aims" | "works"): Promise<OtherProgram> {
  const script = join(mkdtempSync(join(tmpdir(), "rankproof-other-")), "other.py");
  writeFileSync(script, OTHER_PROGRAM);
  const child = spawn("python3", [script, path, String(count), how], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split("\n");
    rest = lines.pop() ?? "";
    said.push(...lines);
  });
  while (!said.includes("ready")) await pause(5);
  return { process: child, said };
}

const tellsLocks = existsSync("/proc/locks") && readFileSync("/proc/locks", "utf8") !== "";
const hasPython = spawnSync("python3", ["-c", "import sqlite3"]).status === 0;

describe.skipIf(!hasPython)("a store file beside another SQLite program", () => {
  const opened = async () => {
    const path = join(mkdtempSync(join(tmpdir(), "rankproof-beside-")), "store.sqlite");
    const store = await openStore(path, { create: true, lockTimeoutMs: 60_000 });
    // A few megabytes, so that writing a copy takes a while.
    await store.saveRun(
      aRun({
        run_id: "big",
        results: Array.from({ length: 5000 }, (_, q) => result(`q${q}`, [hit("c".repeat(900), 1)])),
      }),
    );
    return { path, store };
  };

  it.each(["aims", "works"] as const)("loses nothing of either (it %s)", async (how) => {
    const { path, store } = await opened();
    const { said } = await otherProgram(path, tries(20), how);
    const deadline = Date.now() + tries(15_000);
    let ours = 0;
    while (!said.includes("end")) {
      await store.saveRun(aRun({ run_id: `ours-${ours}` }));
      ours++;
      // What the other program said is read only where the event loop turns.
      await pause(1);
      // Where a save leaves no temporary file there is nothing to aim at.
      if (Date.now() > deadline) writeFileSync(join(path, "..", "stop"), "");
    }
    const theirs = said.filter((line) => line.startsWith("theirs"));
    const kept = new Set((await store.listRuns()).map(({ run_id }) => run_id));
    const lost = [...theirs, ...Array.from({ length: ours }, (_, i) => `ours-${i}`)].filter(
      (id) => !kept.has(id),
    );
    showProof(`store beside a program that ${how}`, {
      node: process.version,
      "rows of theirs": theirs.length,
      "saves of ours": ours,
      lost: lost.length,
    });
    // Where nobody tells of locks a transaction may begin unseen in the moment of a rename (docs/storage.md).
    if (how === "aims" && !tellsLocks) expect(lost.length).toBeLessThanOrEqual(1);
    else expect(lost).toEqual([]);
    expect(ours).toBeGreaterThan(0);
  });
});
