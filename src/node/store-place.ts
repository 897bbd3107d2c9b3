import { InputError } from "../foundation/errors/index.js";
import { followLinks, lookAt, writeError } from "../files/index.js";

/** Where a store's file is, and how patiently it is used. */
export interface StorePlace {
  /** As messages name it. */
  readonly name: string;
  /** With symbolic links followed. */
  readonly path: string;
  /** How long a call waits for other programs that use the file, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** Whether the file was there when the store was opened. */
  readonly wasThere?: boolean;
}

/** Said where a file that was there is not: another one in its place would look as if everything was lost. */
export function storeGone({ name }: StorePlace, what: "store" | "label store"): InputError {
  return new InputError(
    "FILE_NOT_FOUND",
    `${name}: the ${what} was there and is gone; put it back, or open it anew to begin another`,
    { path: name },
  );
}

/**
 * Where a store of a name is: a file in place of a symbolic link would be cut off from what the link leads
 * to.
 *
 * @throws InputError `STORE_NOT_SQLITE` for a device or a pipe, of which reading would not end.
 * @throws AdapterError `STORE_WRITE` for links in a circle.
 */
export function storePath(name: string): string {
  const path = pathBehind(name);
  const there = lookAt(path);
  if (there !== undefined && !there.isFile() && !there.isDirectory())
    throw new InputError("STORE_NOT_SQLITE", `${name}: is a device or a pipe; a store is a file`);
  return path;
}

function pathBehind(name: string): string {
  try {
    return followLinks(name);
  } catch (error) {
    throw writeError(name, error, "STORE_WRITE");
  }
}
