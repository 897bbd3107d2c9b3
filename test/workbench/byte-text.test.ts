import { expect, it } from "vitest";
import { bytesToText, textToBytes } from "../../src/workbench/index.js";

it("bytes as text are the same bytes when they are read back, and end no element", () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, at) => (at * at + (at >> 3)) % 256);
  const written = bytesToText(bytes);
  expect(textToBytes(written)).toEqual(bytes);
  expect(written.text).not.toMatch(/[<\0-\x1f\x7f-\xff]/);
});

it("no bytes are an empty text", () => {
  expect(textToBytes(bytesToText(new Uint8Array(0)))).toEqual(new Uint8Array(0));
});
