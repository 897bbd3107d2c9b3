/** Every SQLite database begins with it: https://www.sqlite.org/fileformat2.html, section 1.3. */
export const SQLITE_HEAD = "SQLite format 3\0";

/** Whether bytes, of which the first 16 are enough, are an SQLite database. */
export function isSqlite(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, SQLITE_HEAD.length)) === SQLITE_HEAD;
}
