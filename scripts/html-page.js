// Compiles the script and the style of the HTML report into a module of two strings:
// `node scripts/html-page.js` writes it, a test compares it. The renderer takes them from there, so that it
// needs no file, no bundler and no Function.toString at run time.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

const folder = fileURLToPath(new URL("../src/report/html/", import.meta.url));

/** The generated module: its path, and its content. */
export async function generatedPage() {
  const out = mkdtempSync(join(tmpdir(), "rankproof-page-"));
  try {
    await build({
      config: false,
      entry: { page: join(folder, "page/main.ts"), style: join(folder, "page/style.css") },
      outDir: out,
      format: "iife",
      platform: "browser",
      target: "es2022",
      minify: true,
      silent: true,
      dts: false,
      clean: false,
      splitting: false,
    });
    const compiled = (ending) =>
      readFileSync(join(out, readdirSync(out).find((name) => name.endsWith(ending)) ?? ""), "utf8").trim();
    const [script, style] = [compiled(".js"), compiled(".css")];
    // Neither may end the element that it stands in, and both must have the same bytes in every encoding:
    // their hashes are in the policy.
    for (const text of [script, style])
      if (/<\/(script|style)|<!--|[^\x20-\x7e\n]/i.test(text))
        throw new Error("the page's script or style has what cannot stand in an HTML file");
    const constant = (name, comment, text) =>
      `/** ${comment} */\nexport const ${name}: string = ${JSON.stringify(text)};\n`;
    const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
    const content = [
      "// Made from page/*.ts and page/style.css by scripts/html-page.js; change those and run it again.\n",
      constant("pageScript", "The script of an HTML report.", script),
      constant("pageScriptHash", "The script's hash, as a content security policy names it.", hash(script)),
      constant("pageStyle", "The style of an HTML report.", style),
      constant("pageStyleHash", "The style's hash, as a content security policy names it.", hash(style)),
    ];
    return { path: join(folder, "page-source.ts"), content: content.join("\n") };
  } finally {
    rmSync(out, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, content } = await generatedPage();
  writeFileSync(path, content);
}
