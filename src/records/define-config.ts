import type { Config } from "./types/index.js";

/**
 * A configuration as it is, with its type checked: `export default defineConfig({ golden: "golden.yaml" })`.
 */
export function defineConfig(config: Config): Config {
  return config;
}
