import { InputError } from "../foundation/errors/index.js";
import type { EvalStore } from "../storage/index.js";
import { checkOpening, sqliteStore } from "../storage/sqlite/index.js";
import { sqljsStore } from "../storage/sqljs/index.js";
import { DatabaseFile } from "./database-file.js";
import { nodeSqlite } from "./node-sqlite.js";
import { storeImage } from "./store-image.js";
import { isPostgresUrl, isStoreThere } from "./store-name.js";
import { storePath } from "./store-place.js";

/** How a store file is opened. */
export interface OpenStoreOptions {
  /**
   * Begin a new store when there is no file, or no schema, yet; it is made by the first save. Without it a
   * missing one is an error.
   */
  readonly create?: boolean | undefined;
  /** How long a call waits for other programs that use the file, in milliseconds. Default 10,000. */
  readonly lockTimeoutMs?: number | undefined;
}

const LOCK_TIMEOUT_MS = 10_000;

/**
 * Opens a store in an SQLite file, or in PostgreSQL where the name is a `postgresql://` address. A killed
 * process loses nothing that was saved, and programs that save at once all end with their data in it.
 *
 * Where Node has its own SQLite (`node:sqlite`, from Node 22.13), a save is an ordinary transaction in the
 * file. Elsewhere sql.js works on a copy in memory, and a save replaces the file as a whole, from its newest
 * state, after everything is on the disk.
 *
 * @throws InputError `FILE_NOT_FOUND`, `STORE_NOT_SQLITE`, `STORE_CORRUPT`, `STORE_WAL`, `STORE_SCHEMA`
 * @throws AdapterError `STORE_LOCKED` when another program uses the file for longer than `lockTimeoutMs`;
 * `STORE_DATABASE`
 */
export async function openStore(name: string, options: OpenStoreOptions = {}): Promise<EvalStore> {
  const { create = false, lockTimeoutMs = LOCK_TIMEOUT_MS } = checkOpening(options);
  if (isPostgresUrl(name))
    return (await import("../storage/postgres/index.js")).postgresStore({ url: name, create, lockTimeoutMs });
  const wasThere = isStoreThere(name);
  if (!create && !wasThere)
    throw new InputError(
      "FILE_NOT_FOUND",
      `${name}: no such store; import or record a run first, or make one with \`rankproof init ` +
        `--store ${name}\``,
      { path: name },
    );
  const place = { name, path: storePath(name), lockTimeoutMs, wasThere };
  const sqlite = nodeSqlite();
  return sqlite === undefined
    ? sqljsStore({ image: storeImage(place) })
    : sqliteStore(new DatabaseFile(sqlite, place));
}
