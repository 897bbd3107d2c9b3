import { mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { getHeapStatistics } from "node:v8";
import { describe, expect, it } from "vitest";
import { roomierHeap, withHeap } from "../../src/cli/roomy-heap.js";

const folder = mkdtempSync(join(tmpdir(), "rankproof-heap-"));
const script = join(folder, "script.mjs");

describe("the heap of a command", () => {
  it("is Node's own for files of usual size, names that are too long, and what is no file", () => {
    writeFileSync(script, "");
    expect(roomierHeap(["compare", script, "n".repeat(5000), "-g", folder], process.env)).toBeUndefined();
  });
  it.runIf(totalmem() * 0.75 > getHeapStatistics().heap_size_limit)(
    "is three quarters of the memory for large ones",
    () => {
      const large = join(folder, "large.jsonl");
      writeFileSync(large, "");
      truncateSync(large, 2 ** 28);
      expect(roomierHeap(["compare", large], process.env)).toBeUndefined();
      expect(roomierHeap(["compare", large, script, large], process.env)).toBeGreaterThan(
        getHeapStatistics().heap_size_limit / 2 ** 20,
      );
    },
  );
  it.runIf(totalmem() * 0.75 > getHeapStatistics().heap_size_limit)(
    "is Node's own for what is scored line by line",
    () => {
      const large = join(folder, "large.run");
      writeFileSync(large, "q Q0 d 1 2.5 tag\n");
      truncateSync(large, 2 ** 29);
      expect(roomierHeap(["evaluate", script, large], process.env)).toBeUndefined();
      expect(roomierHeap(["compare", script, large], process.env)).toBeDefined();
      writeFileSync(large, "{}\n");
      truncateSync(large, 2 ** 29);
      expect(roomierHeap(["evaluate", script, large], process.env)).toBeDefined();
    },
  );
  it("is that of the process that does the work; its exit code is handed on", async () => {
    writeFileSync(
      script,
      'import { getHeapStatistics } from "node:v8";\nprocess.exitCode = process.argv[2] === "x y" ' +
        "&& getHeapStatistics().heap_size_limit / 2 ** 20 >= 700 && " +
        "getHeapStatistics().heap_size_limit / 2 ** 20 < 900 ? 3 : 1;",
    );
    expect(await withHeap(700, script, ["x y"])).toBe(3);
    writeFileSync(script, 'process.kill(process.pid, "SIGKILL")');
    expect(await withHeap(700, script, [])).toBe(137);
  });
});
