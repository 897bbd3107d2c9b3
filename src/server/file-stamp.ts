import { lookAt } from "../files/index.js";
import { isPostgresUrl } from "../node/index.js";
import type { PostgresStamps } from "../storage/postgres/index.js";

/** Of databases, as they were when the latest request began. */
const stamps = new Map<string, PostgresStamps>();

/**
 * What tells a file from what it was before; the same for a file that is not there.
 *
 * @param of what is looked at where it is a database.
 */
export function fileStamp(path: string | undefined, of: keyof PostgresStamps = "runs"): string {
  if (path !== undefined && isPostgresUrl(path)) return stamps.get(path)?.[of] ?? "-";
  if (path === undefined) return "-";
  // What other programs write ahead of the file counts, too.
  const [there, ahead] = [lookAt(path), lookAt(`${path}-wal`)];
  if (there === undefined) return "-";
  return [there, ...(ahead === undefined ? [] : [ahead])].map(stampOf).join(" ");
}

function stampOf({ ino, size, mtimeMs }: NonNullable<ReturnType<typeof lookAt>>): string {
  return `${ino}:${size}:${mtimeMs}`;
}

/** Looks whether databases among these have changed, before anything asks for their stamps. */
export async function refreshStamps(...names: readonly string[]): Promise<void> {
  for (const name of new Set(names.filter(isPostgresUrl))) {
    const { postgresStamps } = await import("../storage/postgres/index.js");
    stamps.set(name, await postgresStamps(name));
  }
}
