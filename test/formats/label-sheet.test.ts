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

describe("a sheet as spreadsheets save it", () => {
  const rows = formatLabelSheet(
    ["a", "b", "c"].map((item) => ({ query: "shoe", item, fields: { title: "" } })),
  ).split("\r\n");
  const pairs = rows.slice(1, 4).map((row) => row.split(",")[0] ?? "");
  const titles = ['"Best red shoe', '19" monitor', '"Fine" red "shoe"'];
  const sheet = (separator: string, end: string, cells: readonly string[] = titles): string =>
    [["pair", "item.title", "grade"], ...pairs.map((pair, at) => [pair, cells[at] ?? "", String(at)])]
      .map((each) => each.join(separator) + end)
      .join("");
  const grades = (text: string) => parseLabelSheet(text, "sheet").map(({ item, grade }) => [item, grade]);
  const right = [
    ["a", 0],
    ["b", 1],
    ["c", 2],
  ];
  it.each([
    ["with tabs and quotes that stand for themselves", sheet("\t", "\r\n")],
    ["with tabs and a cell of two lines", sheet("\t", "\n", ['"a\nb\tc"', '"19"" d"', "x"])],
    ["with ends of lines of old", sheet(";", "\r", ['"a\rb"', "x", "y"])],
    ["behind empty lines", `\r\n\n${sheet(",", "\r\n", ["x", "y", "z"])}`],
    ["behind a line that names the separator", `sep=;\r\n${sheet(";", "\r\n", ["a,b,c,d", "", ""])}`],
  ])("is read %s", (_, text) => expect(grades(text)).toEqual(right));
  it("is refused where a column is doubled, or a cell goes on behind its quotes", () => {
    expect(() => grades(`pair,grade,grade\n${pairs[0] ?? ""},1,2\n`)).toThrow(
      "sheet:1:12: column `grade` is duplicated; keep one",
    );
    expect(() => grades(sheet(",", "\n", ['"Best" shoe', "", ""]))).toThrow(
      /sheet:2:\d+: ` shoe` follows a closing quote; write a quote in a cell twice/,
    );
  });
});
