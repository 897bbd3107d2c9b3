// Compiles the script and the style of the HTML report into a module of two strings:
// `node scripts/html-page.js` writes it, a test compares it. The renderer takes them from there, so that it
// needs no file, no bundler and no Function.toString at run time.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiledPage } from "./compiled-page.js";

const folder = fileURLToPath(new URL("../src/report/html/", import.meta.url));

/** The generated module: its path, and its content. */
export async function generatedPage() {
  const { script, style } = await compiledPage(join(folder, "page/main.ts"), join(folder, "page/style.css"));
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
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, content } = await generatedPage();
  writeFileSync(path, content);
}
