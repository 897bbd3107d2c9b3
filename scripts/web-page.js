// Builds the page of the workbench: one script and one style, which the server holds in memory.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

const root = fileURLToPath(new URL("../", import.meta.url));
const out = mkdtempSync(join(tmpdir(), "rankproof-web-"));
try {
  await build({
    config: false,
    entry: { page: join(root, "src/web/index.ts"), style: join(root, "src/web/workbench.css") },
    outDir: out,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    silent: true,
    dts: false,
    clean: false,
    splitting: false,
    noExternal: [/./],
    esbuildOptions(options) {
      options.jsx = "automatic";
      options.jsxImportSource = "preact";
      options.charset = "ascii";
    },
  });
  const compiled = (ending) =>
    readFileSync(join(out, readdirSync(out).find((name) => name.endsWith(ending)) ?? ""), "utf8").trim();
  const [script, style] = [compiled(".js"), compiled(".css")];
  // Neither may end the element that it stands in, and both must have the same bytes in every encoding: their
  // hashes are in the policy.
  for (const text of [script, style])
    if (/<\/(script|style)|<!--|[^\x09\x20-\x7e\n]/i.test(text))
      throw new Error("the page's script or style has what cannot stand in an HTML file");
  mkdirSync(join(root, "dist/web"), { recursive: true });
  writeFileSync(join(root, "dist/web/workbench.js"), script);
  writeFileSync(join(root, "dist/web/workbench.css"), style);
} finally {
  rmSync(out, { recursive: true });
}
