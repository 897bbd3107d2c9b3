import { readFileSync } from "node:fs";
import { packageRoot } from "./package-root.js";

/** The version in package.json, which stands beside `dist`. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as { version: string })
    .version;
}
