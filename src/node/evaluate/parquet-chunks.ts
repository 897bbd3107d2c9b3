import type { FileMetaData } from "hyparquet";
import { InputError } from "../../foundation/errors/index.js";
import {
  cellOf,
  checkCount,
  type Decimals,
  openParquet,
  parquetPackage,
  toPlain,
  readable,
} from "./open-parquet.js";

/** What is made of rows at once. */
const ROWS_AT_ONCE = 5000;

/**
 * The rows of a Parquet file as lines of JSON, row group by row group, so that the line of a problem is the
 * number of its row. Cells without a value are left out.
 *
 * @param content the whole file, where it came through a pipe.
 * @throws InputError `FILE_UNREADABLE` for what is no Parquet file, `FILE_ENCODING` for ids that are no text.
 */
export async function* parquetChunks(path: string, content?: Uint8Array): AsyncIterable<Uint8Array> {
  const { parquetReadObjects } = await parquetPackage(path, () => import("hyparquet"));
  const { given, decimals, close } = await openParquet(path, content);
  try {
    let rowStart = 0;
    for (const { num_rows } of given.metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const rows = await readable(path, () => parquetReadObjects({ ...given, rowStart, rowEnd }));
      checkCount(path, rows.length, rowStart, rowEnd);
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        const some = rows.slice(at, at + ROWS_AT_ONCE);
        const lines = some.map(
          (row, index) => `${lineOf(row, decimals, `${path}:${rowStart + at + index + 1}`)}\n`,
        );
        yield new TextEncoder().encode(lines.join(""));
      }
      rowStart = rowEnd;
    }
    if (rowStart === 0)
      throw new InputError(
        "FILE_UNREADABLE",
        `${path}: has no rows; its columns are ${columnsOf(given.metadata).join(", ")}`,
        { path },
      );
  } finally {
    await close();
  }
}

function columnsOf({ schema }: FileMetaData): string[] {
  return schema.slice(1).map(({ name }) => name);
}

function lineOf(row: Readonly<Record<string, unknown>>, decimals: Decimals, where: string): string {
  const given = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(
    Object.fromEntries(
      given.map(([name, value]) => [name, toPlain(cellOf(value, name, decimals), name, where)]),
    ),
  );
}
