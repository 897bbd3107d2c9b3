import { statSync } from "node:fs";
import { isPostgresUrl, postgresStamps } from "../node/index.js";

type Stamps = Awaited<ReturnType<typeof postgresStamps>>;

/** Of databases, as they were when the latest request began. */
const stamps = new Map<string, Stamps>();

/**
 * What tells a file from what it was before; the same for a file that is not there.
 *
 * @param of what is looked at where it is a database.
 */
export function fileStamp(path: string | undefined, of: keyof Stamps = "runs"): string {
  if (path !== undefined && isPostgresUrl(path)) return stamps.get(path)?.[of] ?? "-";
  const there = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return there === undefined ? "-" : `${there.ino}:${there.size}:${there.mtimeMs}`;
}

/** Looks whether databases among these have changed, before anything asks for their stamps. */
export async function refreshStamps(...names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) if (isPostgresUrl(name)) stamps.set(name, await postgresStamps(name));
}
