import { readFileSync } from "node:fs";
import { readError } from "./file-errors.js";

/**
 * All bytes of a file.
 *
 * @throws InputError `FILE_NOT_FOUND`, `FILE_UNREADABLE`
 */
export function readBytes(path: string): Buffer {
  return read(path, (from) => readFileSync(from));
}

/** All text of a file in UTF-8; throws as {@link readBytes} does, also for more than a text can hold. */
export function readText(path: string): string {
  return read(path, (from) => readFileSync(from, "utf8"));
}

function read<T>(path: string, from: (path: string) => T): T {
  try {
    return from(path);
  } catch (error) {
    throw readError(path, error);
  }
}
