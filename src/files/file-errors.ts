import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { AdapterError, InputError } from "../foundation/errors/index.js";
import { didYouMean, isSlip } from "../foundation/ids/index.js";

/** The system's error code of a failed file operation, if it is one. */
export function systemCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}

const REASONS = new Map([
  ["ENOENT", "the folder does not exist"],
  ["ENOTDIR", "a part of the path is a file, not a folder"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "permission is missing"],
  ["EPERM", "it is not permitted"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "no space is left"],
  ["EDQUOT", "the disk quota is used up"],
  ["EFBIG", "a limit on the size of files is reached"],
  ["EMFILE", "too many files are open"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ELOOP", "its symbolic links lead in a circle"],
]);

function reason(error: unknown): string {
  const code = systemCode(error);
  return REASONS.get(code ?? "") ?? code ?? (error instanceof Error ? error.message : String(error));
}

/** What a failed read means to the person who named the file. */
export function readError(path: string, error: unknown, why = reason(error)): InputError {
  return systemCode(error) === "ENOENT" ? noSuchFile(path, error) : unreadable(path, error, why);
}

/** What a file that is not there means; a file of a similar name beside it may be the one that is meant. */
export function noSuchFile(path: string, cause?: unknown): InputError {
  let beside: string[] = [];
  try {
    beside = readdirSync(dirname(path));
  } catch {
    // Without the folder there is nothing to suggest.
  }
  const meant = didYouMean(beside.filter((name) => isSlip(basename(path), name)));
  const hint = `; ${meant ?? "check the path"}`;
  return new InputError("FILE_NOT_FOUND", `${path}: no such file${hint}`, { path }, cause);
}

function unreadable(path: string, error: unknown, why: string): InputError {
  return new InputError("FILE_UNREADABLE", `${path}: cannot be read: ${why}`, { path }, error);
}

/** What a failed write means; the file is as it was. */
export function writeError(
  path: string,
  error: unknown,
  code: "FILE_UNWRITABLE" | "STORE_WRITE" = "FILE_UNWRITABLE",
  why = reason(error),
): AdapterError {
  return new AdapterError(code, `${path}: cannot be written: ${why}; the file is as it was`, { path }, error);
}
