import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { holdRecording, isRecording } from "../../src/node/datasets/recording-lock.js";

it("a batch is held by one process, is free again when it is let go, and names who holds it", () => {
  const artifacts = join(mkdtempSync(join(tmpdir(), "recording-")), "new");
  expect(isRecording(artifacts, "b1")).toBe(false);
  const release = holdRecording(artifacts, "b1");
  expect([isRecording(artifacts, "b1"), isRecording(artifacts, "b2")]).toEqual([true, false]);
  const [name = ""] = readdirSync(artifacts);
  const lock = join(artifacts, name);
  // A machine that is gone cannot be asked whether its process lives.
  const own = readFileSync(lock, "utf8");
  writeFileSync(lock, own.replace(/"host":"[^"]*"/, '"host":"container-a1"'));
  expect(() => holdRecording(artifacts, "b1")).toThrow(
    `is being recorded by process ${process.pid} on container-a1; wait for it, or delete ${lock} if`,
  );
  // Nor is what another has taken over since given back.
  release();
  expect(isRecording(artifacts, "b1")).toBe(true);
  writeFileSync(lock, own);
  release();
  expect(isRecording(artifacts, "b1")).toBe(false);
  holdRecording(artifacts, "b1")();
});

it.each([
  ["another machine", /"host":"[^"]*"/, '"host":"container-a1"'],
  // Containers that share the name of their host; its numbers mean others here.
  ["another container", /"namespace":"[^"]*"/, '"namespace":"pid:[1]","pid":4194305'],
])("a recording of %s counts while it gives a sign of life, and is gone on with later", (_, own, other) => {
  const folder = mkdtempSync(join(tmpdir(), "recording-"));
  const hold = (): (() => void) => holdRecording(folder, "b1", { mindsOthers: false });
  const release = hold();
  const lock = join(folder, readdirSync(folder)[0] as string);
  writeFileSync(lock, readFileSync(lock, "utf8").replace(own, other));
  expect(hold).toThrow("is being recorded by process");
  const before = new Date(Date.now() - 200_000);
  utimesSync(lock, before, before);
  hold()();
  release();
  expect(existsSync(lock)).toBe(false);
});
