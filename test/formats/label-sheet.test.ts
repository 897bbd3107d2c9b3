import { describe, expect, it } from "vitest";
import { formatLabelSheet, parseLabelSheet } from "../../src/formats/index.js";

describe("a sheet whose columns were sorted without the others", () => {
  const sheet = formatLabelSheet([
    { query: "red shoe", item: "red-1", fields: {} },
    { query: "blue hat", item: "blue-1", fields: {} },
  ]);
  const [head = "", first = "", second = ""] = sheet.split("\r\n");
  const swapped = (column: number): string => {
    const [a, b] = [first.split(","), second.split(",")];
    [a[column], b[column]] = [b[column] ?? "", a[column] ?? ""];
    const graded = [a, b].map((cells) =>
      cells.map((cell, at) => (at === cells.length - 2 ? "3" : cell)).join(","),
    );
    return [head, ...graded].join("\r\n");
  };
  it.each([
    [0, "query `red shoe` is not that of the pair, which is `blue hat`"],
    [1, "query `blue hat` is not that of the pair, which is `red shoe`"],
    [2, "item `blue-1` is not that of the pair, which is `red-1`"],
  ])("is refused: column %i", (column, message) => {
    expect(() => parseLabelSheet(swapped(column), "sheet.csv")).toThrow(message);
  });
  it("is refused where nothing is in it, not even a header", () => {
    expect(() => parseLabelSheet("", "sheet.csv")).toThrow("sheet.csv:1:1: the file is empty");
  });
  it("is read where only numbers and dates look different", () => {
    const numbers = formatLabelSheet([{ query: "red shoe", item: "1e5", fields: {} }]).split("\r\n");
    const row = (numbers[1] ?? "").replace(",1e5,", ",100000,").replace(/,,$/, ",3,");
    expect(parseLabelSheet([numbers[0], row].join("\r\n"))).toHaveLength(1);
  });
});
