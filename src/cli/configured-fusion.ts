import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { editedConfig } from "../formats/index.js";
import { InputError } from "../index.js";
import { findConfig, readConfig } from "../node/index.js";
import { replaceFile } from "../node/evaluate/index.js";

/** A way to fuse, as configurations have it. */
export interface ConfiguredFusion {
  readonly method: string;
  readonly normalize?: string | undefined;
}

const NEW_FILE = "rankproof.config.yaml";

function configPath(): string | undefined {
  return process.env["RANKPROOF_CONFIG"] ?? findConfig(process.cwd());
}

/** How the project's configuration fuses; null where it does not say. */
export async function configuredFusion(): Promise<ConfiguredFusion | null> {
  const path = configPath();
  return path === undefined ? null : ((await readConfig(path)).fusion ?? null);
}

/**
 * Writes a way to fuse into the project's configuration, or into a new one where there is none.
 *
 * @returns the file.
 * @throws InputError `CONFIG` for one that is a program.
 */
export async function applyFusion(fusion: ConfiguredFusion): Promise<string> {
  const path = configPath() ?? NEW_FILE;
  if (!/\.(?:json|ya?ml)$/i.test(path))
    throw new InputError(
      "CONFIG",
      `${path}: is a program, which cannot be edited; put this into it: fusion: ${JSON.stringify(fusion)}`,
    );
  // What is wrong in it is said before anything is changed.
  if (existsSync(path)) await readConfig(path);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  replaceFile(path, editedConfig(text, path, "fusion", fusion));
  return relative(process.cwd(), path);
}
