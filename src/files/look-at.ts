import { statSync, type Stats } from "node:fs";
import { readError, systemCode } from "./file-errors.js";

/** A name that leads to nothing, or can be that of none. */
const NOTHING = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"];

/**
 * What is at a path; undefined where nothing is.
 *
 * @throws InputError `FILE_UNREADABLE` where it cannot be told.
 */
export function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (NOTHING.includes(systemCode(error) ?? "")) return undefined;
    throw readError(path, error);
  }
}
