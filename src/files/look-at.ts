import { statSync } from "node:fs";
import { readError, systemCode } from "./file-errors.js";

/** A name that leads to nothing, or can be that of none. */
const NOTHING = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"];

/** What is at a path, without the types of Node in its declaration. */
export interface SeenFile {
  isFile(): boolean;
  isDirectory(): boolean;
  readonly size: number;
  readonly ino: number;
  readonly mtime: Date;
  readonly mtimeMs: number;
}

/**
 * What is at a path; undefined where nothing is.
 *
 * @throws InputError `FILE_UNREADABLE` where it cannot be told.
 */
export function lookAt(path: string): SeenFile | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (NOTHING.includes(systemCode(error) ?? "")) return undefined;
    throw readError(path, error);
  }
}
