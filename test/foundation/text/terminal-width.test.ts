import { expect, it } from "vitest";
import { terminalWidth } from "../../../src/foundation/text/index.js";
import { columns } from "../../../src/report/text.js";

it.each([
  ["plain", 5],
  ["café", 4],
  ["cafe\u0301", 4],
  ["日本語", 6],
  ["한국어", 6],
  ["ひらカタ", 8],
  ["ｶﾀｶﾅ", 4],
  ["ＡＢ", 4],
  ["、。", 4],
  ["🙂", 2],
  ["👩‍💻", 2],
  ["❤️", 2],
  ["→ −", 3],
  ["Ω≥ß", 3],
])("%s takes %i columns", (text, width) => expect(terminalWidth(text)).toBe(width));

it("numbers stand below one another whatever the letters before them", () => {
  const lines = columns(
    ["run", "score"],
    [
      ["日本", "0.5"],
      ["plain name", "0.25"],
      ["한국어-1", "1"],
    ],
  );
  expect(lines).toEqual(["run         score", "日本          0.5", "plain name   0.25", "한국어-1        1"]);
  expect(new Set(lines.map(terminalWidth)).size).toBe(1);
});
