import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rankByScore, type ScoredRun } from "../../src/fusion/index.js";

const file = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/oracles/fusion/${path}`, import.meta.url)), "utf8");

/** The sets of runs, each in the order that the weights are for. */
export const SETS = [
  { set: "three-engines", runs: ["bm25", "tfidf", "lsa"] },
  { set: "hybrid-pair", runs: ["bm25", "lsa"] },
  { set: "degenerate", runs: ["a", "b"] },
] as const;

/** A run file: `query Q0 id rank score tag`. */
export function readRun(set: string, name: string): ScoredRun {
  const byQuery = new Map<string, { ids: string[]; scores: number[] }>();
  for (const line of file(`${set}/${name}.run`).trimEnd().split("\n")) {
    const [query = "", , id = "", , score = ""] = line.split(" ");
    const list = byQuery.get(query) ?? { ids: [], scores: [] };
    byQuery.set(query, list);
    list.ids.push(id);
    list.scores.push(Number(score));
  }
  return new Map([...byQuery].map(([query, { ids, scores }]) => [query, rankByScore(ids, scores)]));
}

/** A table with a line of column names; cells by name, empty ones undefined. */
export function readTable(path: string): { columns: string[]; rows: Map<string, string>[] } {
  const [head = "", ...lines] = file(path).trimEnd().split("\n");
  const columns = head.split("\t");
  const rows = lines.map(
    (line) =>
      new Map(
        line
          .split("\t")
          .flatMap((cell, index): [string, string][] => (cell === "" ? [] : [[columns[index] ?? "", cell]])),
      ),
  );
  return { columns, rows };
}

/** Cells by group, as `[id, value]`. */
export function grouped(
  rows: readonly Map<string, string>[],
  by: readonly string[],
  id: string,
  value: string,
): Map<string, Map<string, number>> {
  const groups = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const cell = row.get(value);
    if (cell === undefined) continue;
    const key = by.map((name) => row.get(name)).join("\t");
    const group = groups.get(key) ?? new Map<string, number>();
    groups.set(key, group.set(row.get(id) ?? "", Number(cell)));
  }
  return groups;
}

/** Whether two values agree to 1e-9, relative or absolute. */
export function agree(a: number | undefined, b: number): boolean {
  return a !== undefined && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
