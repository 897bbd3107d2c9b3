import type { AnyQrels, AnyRun, RunReadOptions } from "../../formats/index.js";
import {
  columnsRead,
  qrelsOfRows,
  RowCollector,
  runOfRows,
  type NamedRow,
  type Role,
} from "../../formats/internal.js";
import {
  cellOf,
  checkCount,
  type Decimals,
  openParquet,
  parquetPackage,
  toPlain,
  readable,
} from "./open-parquet.js";
import { parseJson } from "../../foundation/text/index.js";

/** The run of a Parquet file; null for a file that is no table of a run. Throws as {@link parquetTable}. */
export async function parquetRun(path: string, options?: RunReadOptions): Promise<AnyRun | null> {
  const rows = await parquetTable(path, "run");
  return rows && runOfRows("parquet", rows, options);
}

/** The judgments of a Parquet file; null for a file that is no table of them. */
export async function parquetQrels(path: string): Promise<AnyQrels | null> {
  const rows = await parquetTable(path, "qrels");
  return rows && qrelsOfRows("parquet", rows);
}

/**
 * The rows of a Parquet file of a run or of judgments, of which only the columns are read that say something
 * of it; null for a file of something else, and for one without rows. It takes a third of the time that lines
 * of JSON take.
 *
 * @throws InputError with all problems, each with its row; `FILE_UNREADABLE` for a broken file.
 */
async function parquetTable(path: string, role: Role): Promise<RowCollector | null> {
  const { parquetRead, parquetSchema } = await parquetPackage(path, () => import("hyparquet"));
  const { given, decimals, close } = await openParquet(path);
  try {
    const { children } = parquetSchema(given.metadata);
    const names = columnsRead(
      children.map(({ element }) => element.name),
      role,
    );
    const areFlat = children.every(({ element, children: parts }) => {
      return names?.includes(element.name) !== true || parts.length === 0;
    });
    if (names === null || !areFlat || given.metadata.num_rows === 0n) return null;
    const collector = new RowCollector(role);
    let rowStart = 0;
    for (const { num_rows } of given.metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const rows = new ParquetRows(path, names, rowStart, decimals);
      await readable(path, () =>
        parquetRead({
          ...given,
          columns: names,
          rowStart,
          rowEnd,
          onChunk: ({ columnName, columnData }) => rows.add(columnName, columnData),
        }),
      );
      for (const count of rows.counts) checkCount(path, count, rowStart, rowEnd);
      for (; rows.row < rowEnd; rows.row++) collector.add(rows);
      rowStart = rowEnd;
    }
    return collector.check();
  } finally {
    await close();
  }
}

/** The rows of a row group, one after the other. */
class ParquetRows implements NamedRow {
  readonly #path: string;
  readonly #start: number;
  readonly #decimals: Decimals;
  readonly #columns: ReadonlyMap<string, unknown[]>;
  /** The row that is looked at, counted from 0 on in the file. */
  row: number;

  constructor(path: string, columns: readonly string[], start: number, decimals: Decimals) {
    this.#path = path;
    this.#decimals = decimals;
    this.#columns = new Map(columns.map((name) => [name, []]));
    this.row = this.#start = start;
  }

  /** Takes the next cells of a column. */
  add(column: string, cells: ArrayLike<unknown>): void {
    const all = this.#columns.get(column) as unknown[];
    for (let at = 0; at < cells.length; at++) all.push(cells[at]);
  }

  get counts(): number[] {
    return Array.from(this.#columns.values(), ({ length }) => length);
  }

  readonly values = {
    has: (name: string): boolean => this.#cell(name) != null,
    get: (name: string): unknown => {
      const cell = this.#cell(name);
      return typeof cell === "string" ? cell : asInJson(toPlain(cell, name, this.place().where));
    },
  };

  place(): { where: string; line: number } {
    const line = this.row + 1;
    return { where: `${this.#path}:${line}`, line };
  }

  #cell(name: string): unknown {
    return cellOf(this.#columns.get(name)?.[this.row - this.#start], name, this.#decimals);
  }
}

/** A value as a line of JSON would have it. */
function asInJson(value: unknown): unknown {
  return typeof value === "object" && value !== null ? parseJson(JSON.stringify(value)) : value;
}
