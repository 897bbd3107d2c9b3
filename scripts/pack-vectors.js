// Packs the collection of the `conformance` command into dist/vectors, so that the package has room for it:
// part of `npm run build:js`.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const target = fileURLToPath(new URL("../dist/vectors", import.meta.url));
cpSync(new URL("../fixtures/oracles/synthetic", import.meta.url), target, { recursive: true });
for (const file of readdirSync(target, { recursive: true })) {
  const path = join(target, file);
  if (!/\.(?:run|tsv|txt)$/.test(file)) continue;
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  rmSync(path);
}
