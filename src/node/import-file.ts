import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * What a module of the user's exports; it is none of what a bundler finds.
 *
 * @param version part of its address: Node reads a module once for each.
 */
export function importFile(path: string, version = ""): Promise<Readonly<Record<string, unknown>>> {
  const { href } = pathToFileURL(resolve(path));
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ href + version);
}
