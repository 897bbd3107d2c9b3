import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { holdLock, lockHolder, makeFolders } from "../../files/index.js";
import { AdapterError, quote } from "../../foundation/errors/index.js";

/**
 * Holds a batch or a run while it is recorded, so that no other process of this project asks the search the
 * same, and each saves over what the other has saved.
 *
 * @param folder where the lock is.
 * @param of `key` tells it from others of its name in the folder; `mindsOthers`: whether it is held where a
 * process of another machine held it that gives no sign of life, and may have been killed.
 * @returns gives it back.
 * @throws AdapterError `STORE_LOCKED` while another process records it.
 */
export function holdRecording(
  folder: string,
  batch: string,
  { key = batch, mindsOthers = true }: { readonly key?: string; readonly mindsOthers?: boolean } = {},
): () => void {
  const lock = lockOf(folder, key);
  let release: (() => void) | undefined;
  try {
    makeFolders(folder);
    release = holdLock(lock, !mindsOthers);
  } catch {
    // Where nothing can be written but the store, that is what matters.
    return () => undefined;
  }
  if (release !== undefined) return release;
  throw new AdapterError(
    "STORE_LOCKED",
    `${quote(batch)} is being recorded by ${lockHolder(lock)}; wait for it, or delete ${lock} if ` +
      "that process is gone",
    { batch, lock },
  );
}

/** Whether a process records a batch now. */
export function isRecording(artifacts: string, batch: string): boolean {
  const lock = lockOf(artifacts, batch);
  if (!existsSync(lock)) return false;
  try {
    const release = holdLock(lock);
    release?.();
    return release === undefined;
  } catch {
    // Nobody records where nothing can be written; the lock was left behind.
    return false;
  }
}

function lockOf(artifacts: string, batch: string): string {
  return join(artifacts, `recording-${createHash("sha256").update(batch).digest("hex").slice(0, 16)}`);
}
