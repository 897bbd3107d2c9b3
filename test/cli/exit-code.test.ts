import { expect, it } from "vitest";
import { reportError } from "../../src/cli/exit-code.js";
import { terminalOn } from "../../src/cli/terminal.js";

it("an interruption that nobody has explained is one line, and no mistake of the program", () => {
  let talk = "";
  const stream = { fd: -1, write: (text: string) => void (talk += text), on: () => undefined };
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const terminal = terminalOn({ stdout: stream, stderr: stream, env: {}, cwd: "/", signal });
  interrupt.abort(new Error("interrupted"));
  expect([reportError(signal.reason, terminal), talk]).toEqual([130, "error: interrupted\n"]);
  talk = "";
  expect(reportError(new Error("another"), terminal)).toBe(1);
  expect(talk).toContain("This is a mistake in rankproof");
});
