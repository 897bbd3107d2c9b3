import { existsSync } from "node:fs";
import { isPostgresUrl as isUrl, placeOf } from "../storage/postgres/internal.js";

/** Whether a store of that name is in PostgreSQL. Its declaration needs no types of the package `pg`. */
export function isPostgresUrl(name: string): boolean {
  return isUrl(name);
}

/** Whether there is a store of that name: a file, or a database, which may be empty. */
export function isStoreThere(name: string): boolean {
  return isPostgresUrl(name) || existsSync(name);
}

/** A store as messages name it: a path, or an address without its password. */
export function storeName(name: string): string {
  return isPostgresUrl(name) ? placeOf(name) : name;
}
