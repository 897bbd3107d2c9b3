import { dirname, resolve } from "node:path";
import type { Surroundings } from "../files/index.js";

/** Where the project of the user may be: the folder and those above it, and that of a configuration. */
export function projectFolders({ env, cwd }: Surroundings): string[] {
  const config = env["RANKPROOF_CONFIG"];
  return [cwd, ...(config === undefined || config === "" ? [] : [dirname(resolve(cwd, config))])];
}
