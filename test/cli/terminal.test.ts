import { afterEach, describe, expect, it, vi } from "vitest";
import { processTerminal } from "../../src/cli/terminal.js";

const { isTTY } = process.stdout;
afterEach(() => {
  process.stdout.isTTY = isTTY;
  vi.restoreAllMocks();
});

/** What reaches stdout of some data. */
function written(data: string, isTerminal: boolean): string {
  process.stdout.isTTY = isTerminal;
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  processTerminal().out(data);
  return write.mock.calls.map(([text]) => String(text)).join("");
}

describe("data on stdout", () => {
  const data = "a\tb\r\n\u001b[31mred\u001b[0m \u001b]52;c;Y2xpcA==\u0007\u001b[2J\rover\u202e\u0085\n";
  it("in a file or a pipe is what it is, byte for byte", () => {
    expect(written(data, false)).toBe(data);
  });
  it("on a terminal can colour, but neither move the cursor nor write to the clipboard", () => {
    expect(written(data, true)).toBe("a\tb\r\n\u001b[31mred\u001b[0m \ufffd]52;c;Y2xpcA==\ufffd\ufffd[2J\ufffdover\ufffd\ufffd\n");
  });
});
