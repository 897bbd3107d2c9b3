import { basename, extname } from "node:path";

/** The name of the standard input on a command line. */
export const STANDARD_INPUT = "-";

/** A file's name without folder and extension (and `.gz`): the id of a run that stands in it. */
export function stemOf(path: string): string {
  if (path === STANDARD_INPUT) return "stdin";
  const plain = basename(path, ".gz");
  return basename(plain, extname(plain));
}
