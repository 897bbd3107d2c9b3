import { dirname, resolve } from "node:path";

/** Where the project of the user may be: the folder and those above it, and that of a configuration. */
export function projectFolders(): string[] {
  const config = process.env["RANKPROOF_CONFIG"];
  return [process.cwd(), ...(config === undefined ? [] : [dirname(resolve(config))])];
}
