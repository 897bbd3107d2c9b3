import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { systemCode } from "./file-errors.js";

/** As many as Linux follows. */
const MOST_LINKS = 40;

/**
 * The path that writing to `name` writes to: with every symbolic link followed, one to a file that is not
 * there yet, too.
 *
 * @throws the system's error, for links in a circle.
 */
export function followLinks(name: string): string {
  let path = resolve(name);
  for (let links = 0; ; links++) {
    try {
      return realpathSync(path);
    } catch (error) {
      if (systemCode(error) !== "ENOENT" || links === MOST_LINKS) throw error;
    }
    try {
      path = resolve(dirname(path), readlinkSync(path));
    } catch {
      return join(followLinksOfFolder(dirname(path)), basename(path));
    }
  }
}

/** A folder that is not there yet will be made where it is named. */
function followLinksOfFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
