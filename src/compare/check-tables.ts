import { InputError, quote } from "../foundation/errors/index.js";
import { isRange } from "../foundation/cards/index.js";
import type { ScoredMetric, ScoreTable } from "./score-table.js";

/** Refuses what is no list of two score tables or more. @throws InputError `ARGUMENT` */
export function checkTables(tables: readonly ScoreTable[]): void {
  const given: unknown = tables;
  if (!Array.isArray(given) || !given.every(isTable))
    throw new InputError(
      "ARGUMENT",
      "give a list of score tables: { run, metrics: [{ name, card }], queryIds, columns }, with a " +
        "column for each metric and in it a score for each query; see docs/statistics.md",
    );
  if (tables.length < 2)
    throw new InputError("ARGUMENT", `a comparison needs two runs or more, got ${tables.length}`);
  tables.forEach(checkTable);
  const names = tables.map(({ run }) => run);
  const copy = names.find((name, index) => names.indexOf(name) !== index);
  if (copy !== undefined)
    throw new InputError("ARGUMENT", `two runs are called ${quote(copy)}; give each a name of its own`);
}

/** @throws InputError `ARGUMENT` for a table that contradicts itself. */
function checkTable({ run, metrics, queryIds, columns }: ScoreTable): void {
  const refuse = (what: string): never => {
    throw new InputError("ARGUMENT", `the scores of ${quote(run)}: ${what}`);
  };
  const twice = (names: readonly string[]): string | undefined =>
    new Set(names).size === names.length
      ? undefined
      : names.find((name, index) => names.indexOf(name) !== index);
  const metric = twice(metrics.map(({ name }) => name));
  if (metric !== undefined) refuse(`metric ${quote(metric)} is duplicated`);
  const query = twice(queryIds);
  if (query !== undefined) refuse(`query ${quote(query)} is duplicated`);
  const unlike = metrics.find(({ card }) => !isCard(card));
  if (unlike !== undefined)
    refuse(
      `the card of ${quote(unlike.name)} must be { higher_is_better, range: [low, high] }, with null where ` +
        `there is no bound, got a range of ${quote(rangeOf(unlike.card))}`,
    );
  for (const column of columns)
    for (let row = 0; row < column.length; row++) {
      const score: unknown = column[row];
      if (typeof score !== "number" || Math.abs(score) === Infinity)
        refuse(`query ${quote(queryIds[row])} has the score ${String(score)}; use NaN where there is none`);
    }
}

function rangeOf(card: unknown): unknown {
  return ((card ?? {}) as Partial<ScoredMetric["card"]>).range;
}

function isCard(card: unknown): boolean {
  const { higher_is_better } = (card ?? {}) as Partial<ScoredMetric["card"]>;
  return typeof higher_is_better === "boolean" && isRange(rangeOf(card));
}

function isTable(table: unknown): boolean {
  const { run, metrics, queryIds, columns } = (table ?? {}) as Partial<ScoreTable>;
  return (
    typeof run === "string" &&
    Array.isArray(metrics) &&
    metrics.every(
      (metric: unknown) =>
        typeof (metric as ScoredMetric | null)?.name === "string" &&
        typeof (metric as ScoredMetric).card === "object",
    ) &&
    Array.isArray(queryIds) &&
    Array.isArray(columns) &&
    columns.length === metrics.length &&
    columns.every((column: ArrayLike<number> | null) => column?.length === queryIds.length)
  );
}
