// Builds the page of the workbench: one script and one style, which the server holds in memory, and the
// script that computes where there is no server. They are packed, since nothing but the server reads them.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { compiledPage } from "./compiled-page.js";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const DENSE = { isDense: true };
const { script, style } = await compiledPage(at("src/web/index.ts"), at("src/web/workbench.css"), DENSE);
const { script: first } = await compiledPage(at("src/web/first.ts"), at("src/web/workbench.css"), DENSE);
const { script: offline } = await compiledPage(
  at("src/web/offline/index.ts"),
  at("src/web/workbench.css"),
  // Its own script stands before, as the package has it.
  { ...DENSE, alias: { "sql.js": at("src/web/offline/sql-js.ts") } },
);
mkdirSync(at("dist/web"), { recursive: true });
for (const [name, text] of Object.entries({
  "first.js": first,
  "workbench.js": script,
  "workbench.css": style,
  "offline.js": offline,
}))
  writeFileSync(
    at(`dist/web/${name}.br`),
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }),
  );
