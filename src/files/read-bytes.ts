import { readFileSync } from "node:fs";
import { readError } from "./file-errors.js";

/**
 * All bytes of a file.
 *
 * @throws InputError `FILE_NOT_FOUND`, `FILE_UNREADABLE`
 */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw readError(path, error);
  }
}

/** All text of a file in UTF-8; throws as {@link readBytes} does. */
export function readText(path: string): string {
  return readBytes(path).toString("utf8");
}
