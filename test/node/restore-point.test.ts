import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRestorePoint, restorePointPath, type TunedFile } from "../../src/node/restore/restore-point.js";

it("a restore point that cannot be written leaves nothing that keeps the next tuning away", () => {
  const path = restorePointPath(mkdtempSync(join(tmpdir(), "restore-")), "shop");
  const facts = { backend: "shop", tuning: "t1", folder: ".", files: [], since: "2026-01-01T00:00:00.000Z" };
  // Fails after the file was made, where a full disk would fail.
  const toJSON = (): never => {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  const files = Object.assign([] as TunedFile[], { toJSON });
  expect(() => makeRestorePoint(path, { ...facts, files })).toThrow(
    expect.objectContaining({ code: "FILE_UNWRITABLE" }),
  );
  expect(existsSync(path)).toBe(false);
  expect(makeRestorePoint(path, facts)).toMatchObject({ tuning: "t1" });
});
