// Compiles the script and the style of a page into two texts that can stand in an HTML file.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";

/** Script and style of a page, each from the file that it begins with. */
export async function compiledPage(page, style) {
  const out = mkdtempSync(join(tmpdir(), "rankproof-page-"));
  try {
    await build({
      config: false,
      entry: { page, style },
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
      },
    });
    const compiled = (ending) =>
      readFileSync(join(out, readdirSync(out).find((name) => name.endsWith(ending)) ?? ""), "utf8").trim();
    const [script, styles] = [compiled(".js"), compiled(".css")];
    // Neither may end the element that it stands in, and both must have the same bytes in every encoding:
    // their hashes are in the policy.
    for (const text of [script, styles])
      if (/<\/(script|style)|<!--|[^\x20-\x7e\n]/i.test(text))
        throw new Error("the page's script or style has what cannot stand in an HTML file");
    return { script, style: styles };
  } finally {
    rmSync(out, { recursive: true });
  }
}
