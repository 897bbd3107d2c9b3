import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Before all tests: one folder for what they write, which is gone after them. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "rankproof-tests-"));
  // Tests that run a program as another user hand it files from here.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
