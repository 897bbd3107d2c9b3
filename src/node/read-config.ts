import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checkedConfig, parseConfig } from "../formats/index.js";
import { InputError, messageOf } from "../foundation/errors/index.js";
import type { Config } from "../records/schema/index.js";

const NAMES = ["mjs", "js", "ts", "json", "yaml", "yml"].map((extension) => `rankproof.config.${extension}`);
const PATHS = ["golden", "store", "system"] as const;

/** The configuration of the nearest folder upwards that has one; undefined where none has. */
export function findConfig(folder: string): string | undefined {
  const here = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  const above = dirname(folder);
  return here ?? (above === folder ? undefined : findConfig(above));
}

/**
 * Reads a configuration of any kind. Its paths come out as they lead from the working folder.
 *
 * @throws InputError `FILE_NOT_FOUND`, `CONFIG`
 */
export async function readConfig(path: string): Promise<Config> {
  if (!existsSync(path)) throw new InputError("FILE_NOT_FOUND", `${path}: no such file`, { path });
  const config = /\.(?:json|ya?ml)$/i.test(path)
    ? parseConfig(readFileSync(path), path, process.env)
    : checkedConfig(await exportedFrom(path), path, process.env);
  const folder = dirname(path);
  return {
    ...config,
    ...Object.fromEntries(
      PATHS.flatMap((name) => {
        const given = config[name];
        return given === undefined ? [] : [[name, folder === process.cwd() ? given : resolve(folder, given)]];
      }),
    ),
  };
}

async function exportedFrom(path: string): Promise<unknown> {
  try {
    return ((await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown }).default;
  } catch (cause) {
    throw new InputError("CONFIG", `${path}: cannot be imported: ${messageOf(cause)}`, { path }, cause);
  }
}
