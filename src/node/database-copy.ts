import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AdapterError } from "../foundation/errors/index.js";
import { systemCode } from "../files/index.js";
import type { StorePlace } from "./store-place.js";

/** Whether a file cannot be written, or nothing beside it, as a lock and SQLite's journal must be. */
export function isReadOnly(path: string): boolean {
  try {
    for (const each of [dirname(path), path]) accessSync(each, constants.W_OK);
    return false;
  } catch (error) {
    return ["EACCES", "EPERM", "EROFS"].includes(systemCode(error) ?? "");
  }
}

/** A copy of a database to read from, as it was when nobody wrote to it. */
export class DatabaseCopy {
  readonly #place: StorePlace;
  #folder: string | undefined;
  #stamp = "";
  readonly #remove = (): void => {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  };

  constructor(place: StorePlace) {
    this.#place = place;
  }

  /**
   * Where it is; copied anew where the file has changed.
   *
   * @throws AdapterError `STORE_LOCKED` while another process writes to the file.
   */
  path(): string {
    const { name, path } = this.#place;
    const stamp = this.#look();
    if (this.#folder === undefined) {
      this.#folder = mkdtempSync(join(tmpdir(), "rankproof-copy-"));
      process.once("exit", this.#remove);
    }
    const copy = join(this.#folder, "copy.sqlite");
    if (stamp === this.#stamp) return copy;
    for (const suffix of ["", "-journal"]) {
      rmSync(`${copy}${suffix}`, { force: true });
      if (suffix !== "" && !existsSync(`${path}${suffix}`)) continue;
      copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
      // The copy has the file's mode, too.
      chmodSync(`${copy}${suffix}`, 0o600);
    }
    const lock = `${path}.rankproof-lock`;
    if (existsSync(lock) || this.#look() !== stamp)
      throw new AdapterError(
        "STORE_LOCKED",
        `${name}: another process is writing to it; try again, or delete ${lock} if that process is gone`,
      );
    this.#stamp = stamp;
    return copy;
  }

  close(): void {
    this.#remove();
    process.off("exit", this.#remove);
  }

  #look(): string {
    return ["", "-journal"]
      .map((suffix) => statSync(`${this.#place.path}${suffix}`, { throwIfNoEntry: false }))
      .map((there) => (there === undefined ? "-" : `${there.ino}:${there.size}:${there.mtimeMs}`))
      .join();
  }
}
