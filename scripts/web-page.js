// Builds the page of the workbench: one script and one style, which the server holds in memory.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compiledPage } from "./compiled-page.js";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const { script, style } = await compiledPage(at("src/web/index.ts"), at("src/web/workbench.css"));
mkdirSync(at("dist/web"), { recursive: true });
writeFileSync(at("dist/web/workbench.js"), script);
writeFileSync(at("dist/web/workbench.css"), style);
