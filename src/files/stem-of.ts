import { basename, extname } from "node:path";

/** A file's name without folder and extension (and `.gz`): the id of a run that stands in it. */
export function stemOf(path: string): string {
  const plain = basename(path, ".gz");
  return basename(plain, extname(plain));
}
