import { statSync } from "node:fs";

/** What tells a file from what it was before; the same for a file that is not there. */
export function fileStamp(path: string | undefined): string {
  const there = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return there === undefined ? "-" : `${there.ino}:${there.size}:${there.mtimeMs}`;
}
