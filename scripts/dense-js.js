// Takes the spaces between words and the long names of local variables out of the files that mirror src, and
// what can be said shorter out of the bundles, so that they take less room in the package: part of
// `npm run build`. Of the former names of functions and classes stay, for stack traces, lines of a readable
// length, and the annotations that bundlers go by; where numbers come from all names, since one may step
// there.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { minify } from "terser";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
/** Minified once by the bundler. */
const BUNDLES = ["cli", "browser", "server", "storage/postgres"];
const NAMED = ["metrics", "stats"];
const FORMAT = {
  preserve_annotations: true,
  // What tells bundlers to leave an import alone.
  comments: /ignore(?:: true)?\s*$/i,
  max_line_len: 110,
  ecma: 2020,
};

for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith(".js")) continue;
  const file = join(dist, name);
  const isBundle = BUNDLES.some((folder) => name.startsWith(join(folder, "/")));
  const isNamed = NAMED.some((folder) => name.startsWith(join(folder, "/")));
  const { code } = await minify(readFileSync(file, "utf8"), {
    module: true,
    ...(isBundle
      ? { compress: { passes: 2, ecma: 2022 }, mangle: true }
      : {
          // Declarations that follow each other become one.
          compress: { defaults: false, join_vars: true, ecma: 2020 },
          mangle: isNamed ? false : { keep_fnames: true, keep_classnames: true },
          format: FORMAT,
        }),
  });
  // Where a line was broken behind it, an annotation is of nothing, and bundlers warn of it.
  writeFileSync(file, code.replaceAll(/\/\* @__PURE__ \*\/\n(?=return\b)/g, "\n"));
}
