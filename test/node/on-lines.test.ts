import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { onLines } from "../../src/node/on-lines.js";

function linesOf(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const lines: string[] = [];
  return new Promise((resolve) =>
    onLines(
      Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
      (line) => lines.push(line),
      () => resolve(lines),
    ),
  );
}

it("takes lines that end in LF, CRLF or CR, wherever the text is cut", async () => {
  const text = '{"a":"x\u2028y\u2029z"}\r\nzwei é\n\na\rb\n\r\nlast';
  const bytes = Buffer.from(text);
  const expected = ['{"a":"x\u2028y\u2029z"}', "zwei é", "", "a", "b", "", "last"];
  expect(await linesOf(text)).toEqual(expected);
  for (let at = 1; at < bytes.length; at++)
    expect(await linesOf(bytes.subarray(0, at), bytes.subarray(at))).toEqual(expected);
  expect(await linesOf(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
});

it("comes to the end though the last line cannot be taken", () => {
  const input = new PassThrough();
  let isAtEnd = false;
  const refuse = (line: string): void => {
    throw new Error(`no line: ${line}`);
  };
  onLines(input, refuse, () => (isAtEnd = true));
  input.emit("data", "{");
  expect(() => input.emit("end")).toThrow("no line: {");
  expect(isAtEnd).toBe(true);
});

it("has no line after the last line end, and none in nothing", async () => {
  expect(await linesOf("one\n")).toEqual(["one"]);
  expect(await linesOf()).toEqual([]);
});
