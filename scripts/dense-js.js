// Takes the spaces between words out of the files that mirror src, so that they take less room in the package: part of
// `npm run build`. Names, lines of a readable length and the annotations that bundlers go by stay.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { minify } from "terser";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
/** What is small already. */
const BUNDLES = ["cli", "browser"];
const FORMAT = { preserve_annotations: true, max_line_len: 110, ecma: 2020 };

for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith(".js") || BUNDLES.includes(name.split(/[\\/]/)[0])) continue;
  const file = join(dist, name);
  const { code } = await minify(readFileSync(file, "utf8"), {
    module: true,
    compress: false,
    mangle: false,
    format: FORMAT,
  });
  writeFileSync(file, code);
}
