import type { Surroundings } from "../files/index.js";
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { editConfig } from "../formats/index.js";
import { InputError } from "../index.js";
import { configPath, readConfig } from "../node/index.js";
import { replaceFile } from "../node/evaluate/index.js";

/** A way to fuse, as configurations have it. */
export interface ConfiguredFusion {
  readonly method: string;
  readonly normalize?: string | undefined;
}

const NEW_FILE = "rankproof.config.yaml";

/** How the project's configuration fuses; null where it does not say. */
export async function findConfiguredFusion(around: Surroundings): Promise<ConfiguredFusion | null> {
  const path = configPath(around);
  return path === undefined ? null : ((await readConfig(path, around)).fusion ?? null);
}

/**
 * Whether the project's configuration can be written to, before a search takes its time.
 *
 * @throws InputError `CONFIG` for one that is a program, and for what is wrong in it.
 */
export async function checkApplicable(around: Surroundings): Promise<void> {
  const path = configPath(around);
  if (path === undefined) return;
  if (!/\.(?:json|ya?ml)$/i.test(path))
    throw new InputError(
      "CONFIG",
      `${path}: is a program, which cannot be edited; leave --apply out, and write what is chosen into it`,
    );
  await readConfig(path, around);
}

/**
 * Writes a way to fuse into the project's configuration, or into a new one where there is none.
 *
 * @returns the file.
 */
export function applyFusion(fusion: ConfiguredFusion, around: Surroundings): string {
  const path = configPath(around) ?? NEW_FILE;
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const { method, normalize } = fusion;
  replaceFile(path, editConfig(text, path, "fusion", { method, ...(normalize && { normalize }) }));
  return relative(around.cwd, path);
}
