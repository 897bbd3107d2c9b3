import { readFileSync } from "node:fs";

/** A sheet for people, filled in as a person would; its cells have no commas. */
export function filledSheet(path: string, gradeOf: (query: string, item: string) => number): string {
  const [head = "", ...rows] = readFileSync(path, "utf8").trimEnd().split("\r\n");
  const columns = head.split(",");
  const [query, item, grade] = ["query", "item", "grade"].map((name) => columns.indexOf(name)) as [
    number,
    number,
    number,
  ];
  const done = rows.map((row) => {
    const cells = row.split(",");
    cells[grade] = String(gradeOf(cells[query] as string, cells[item] as string));
    return cells.join(",");
  });
  return [head, ...done].join("\r\n");
}
