import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/restore-guard.js", import.meta.url));

it("the guard of a tuning comes to its end though the last request was cut", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM], {
    input: '{"do":"let go"}\n{"do":"run","run":{"comm',
    encoding: "utf8",
  });
  const replies = stdout.trim().split("\n");
  expect(replies.slice(0, 2)).toEqual(['{"ok":true}', '{"ok":true}']);
  expect(replies[2]).toContain('"ok":false');
  expect([status, stderr]).toEqual([0, ""]);
});
