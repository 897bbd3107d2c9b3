import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  makeRestorePoint,
  readRestorePoint,
  restorePointPath,
  type TunedFile,
} from "../../src/node/restore/restore-point.js";

it("a restore point that cannot be written leaves nothing that keeps the next tuning away", () => {
  const folder = mkdtempSync(join(tmpdir(), "restore-"));
  const path = restorePointPath(folder, "shop");
  const facts = { backend: "shop", tuning: "t1", folder, files: [], since: "2026-01-01T00:00:00.000Z" };
  // Fails where a full disk would fail.
  const toJSON = (): never => {
    isThereHalf = existsSync(path);
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  let isThereHalf = true;
  const files = Object.assign([] as TunedFile[], { toJSON });
  expect(() => makeRestorePoint(path, { ...facts, files })).toThrow(
    expect.objectContaining({ code: "FILE_UNWRITABLE" }),
  );
  // A process can be killed between any two steps.
  expect(isThereHalf).toBe(false);
  expect(existsSync(path)).toBe(false);
  expect(makeRestorePoint(path, facts)).toMatchObject({ tuning: "t1" });
  expect(readdirSync(folder)).toEqual([".rankproof"]);
  expect(readRestorePoint(path)).toMatchObject({ isGenuine: true });
  expect(() => makeRestorePoint(path, facts)).toThrow(expect.objectContaining({ code: "TUNING_BUSY" }));
});

it("is one process's where two begin to tune in one folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "restore-"));
  const path = restorePointPath(folder, "shop");
  const facts = { backend: "shop", tuning: "t1", folder, files: [], since: "2026-01-01T00:00:00.000Z" };
  // The other one, as this one is about to write.
  const { pid } = process;
  const toJSON = (): [] => {
    Object.defineProperty(process, "pid", { value: pid + 1, configurable: true });
    makeRestorePoint(path, { ...facts, tuning: "t2" });
    Object.defineProperty(process, "pid", { value: pid, configurable: true });
    return [];
  };
  const files = Object.assign([] as TunedFile[], { toJSON });
  expect(() => makeRestorePoint(path, { ...facts, files })).toThrow(
    expect.objectContaining({ code: "TUNING_BUSY" }),
  );
  expect(readRestorePoint(path)).toMatchObject({ point: { tuning: "t2", owner: { pid: pid + 1 } } });
});
