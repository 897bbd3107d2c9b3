import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../files/index.js";
import { artifactsPath } from "../node/index.js";
import type { Config } from "../records/index.js";
import type { ServedCollection } from "./collections/served-collection.js";

/** An overview as it was told last, and what it was made of. */
interface KeptOverview {
  readonly stamp: string;
  /** JSON. */
  readonly text: string;
}

/**
 * The overviews that were made last, in memory and beside the batches, so that the first screen is there at
 * once: comparing large batches takes seconds, and every new label asks for it again.
 */
export class KeptOverviews {
  readonly #version: string;
  /** Files are written, too. */
  readonly #isWritable: boolean;
  readonly #kept = new Map<string, KeptOverview>();

  constructor(version: string, isWritable: boolean) {
    this.#version = version;
    this.#isWritable = isWritable;
  }

  /** Changes with everything that an overview depends on. */
  stampOf(collection: ServedCollection, config: Config): string {
    const parts = [this.#version, collection.overviewStamp, config];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }

  /**
   * The overview that was made last, with whether what it was made of has changed since.
   *
   * @returns JSON; undefined where none was made.
   */
  latest(collection: ServedCollection, config: Config): string | undefined {
    const kept = this.#kept.get(collection.id) ?? this.#read(collection, config);
    if (kept === undefined) return undefined;
    const isOutdated = kept.stamp !== this.stampOf(collection, config);
    return `{"is_outdated":${isOutdated},${kept.text.slice(1)}`;
  }

  /** @param stamp as it was before the overview was made. */
  keep(collection: ServedCollection, config: Config, kept: KeptOverview): void {
    const isNew = this.#kept.get(collection.id)?.stamp !== kept.stamp;
    this.#kept.set(collection.id, kept);
    // A quick one need not be kept, and a folder that is only looked at stays as it is.
    if (isNew && this.#isWritable && !kept.text.includes('"verdict":null'))
      replaceFile(fileOf(collection, config), JSON.stringify({ version: this.#version, ...kept }));
  }

  #read(collection: ServedCollection, config: Config): KeptOverview | undefined {
    const path = fileOf(collection, config);
    if (!existsSync(path)) return undefined;
    try {
      const { version, stamp, text } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
      // One of another version may have another shape.
      if (version !== this.#version || typeof stamp !== "string" || typeof text !== "string")
        return undefined;
      this.#kept.set(collection.id, { stamp, text });
      return { stamp, text };
    } catch {
      // Cut short, or of another hand.
      return undefined;
    }
  }
}

function fileOf({ id }: ServedCollection, config: Config): string {
  return join(artifactsPath(config), "datasets", id, "overview.json");
}
