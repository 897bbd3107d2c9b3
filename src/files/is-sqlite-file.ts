import { closeSync, openSync, readSync } from "node:fs";
import { isSqlite, SQLITE_HEAD } from "../foundation/checks/index.js";

/** Whether a name is that of an SQLite database, which can be read. */
export function isSqliteFile(name: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(name, "r");
    const head = new Uint8Array(SQLITE_HEAD.length);
    return readSync(file, head) === head.length && isSqlite(head);
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
