// Removes the declarations that no entry of the package reaches, and indents the others by tabs, so that they take less
// room in it: part of `npm run build:types`.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const reached = new Set();
const open = Object.values(exports).flatMap(({ types }) =>
  types === undefined ? [] : [resolve(root, types)],
);
for (const file of open) {
  if (reached.has(file)) continue;
  reached.add(file);
  const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"));
  const own = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith("."));
  open.push(...own.map((name) => resolve(dirname(file), name.replace(/\.js$/, ".d.ts"))));
}
for (const name of readdirSync(join(root, "dist"), { recursive: true })) {
  const file = resolve(root, "dist", name);
  if (!name.endsWith(".d.ts")) continue;
  if (reached.has(file)) writeFileSync(file, readFileSync(file, "utf8").replace(/^(?: {4})+/gm, tabs));
  else rmSync(file);
}

function tabs(spaces) {
  return "\t".repeat(spaces.length / 4);
}
