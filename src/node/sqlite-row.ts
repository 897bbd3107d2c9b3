import type { Row, SqlValue } from "../storage/sqlite/index.js";

/** A row whose whole numbers were read as BigInts, since one beyond 2^53 would be an error. */
export function rowOfBigInts(row: object): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === "bigint" ? Number(value) : (value as SqlValue),
    ]),
  );
}
