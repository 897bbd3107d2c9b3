import { existsSync } from "node:fs";
import { InputError, quote } from "../foundation/errors/index.js";
import { isPostgresUrl as isUrl, placeOf } from "../storage/postgres/internal.js";

/** Not the drive of a path, `c:/`. */
const ADDRESS = /^\s*((?:[a-z][a-z0-9+.-]+:)+)\//i;

/** How other programs write addresses of databases: `host=… password=…`, `postgres:…`. */
const OTHER_FORM = /^\s*postgres(?:ql)?:|\bpassword\s*=/i;

/** Whether it is no path. */
export function isAddress(name: string): boolean {
  return ADDRESS.test(name);
}

/**
 * Whether a store of that name is in PostgreSQL. Its declaration needs no types of the package `pg`.
 *
 * @throws InputError `ARGUMENT` for any other address: taken for the path of a file, its password would be
 * written to the disk.
 */
export function isPostgresUrl(name: string): boolean {
  if (isUrl(name)) return true;
  const start = ADDRESS.exec(name)?.[1] ?? OTHER_FORM.exec(name)?.[0];
  if (start !== undefined)
    throw new InputError(
      "ARGUMENT",
      `a store is a file, or a database at postgresql://HOST/DATABASE, got ${quote(`${start}…`)}`,
    );
  return false;
}

/** Whether there is a store of that name: a file, or a database, which may be empty. */
export function isStoreThere(name: string): boolean {
  return isPostgresUrl(name) || existsSync(name);
}

/** A store as messages name it: a path, or an address without its password. */
export function storeName(name: string): string {
  return isPostgresUrl(name) ? placeOf(name) : name;
}
