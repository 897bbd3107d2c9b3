// Makes declarations take less room in the package: part of `npm run build:types`. Those that no entry
// reaches are removed, the others indented by tabs, their comments not wrapped, and schemas of what is
// written, which nobody extends, are declared by the types of their results, which are there in full.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../", import.meta.url));
const { exports, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Schemas of what rankproof writes, by their files; people write golden sets, runs, configurations. */
const WRITTEN = new Set([
  "aggregate",
  "audit-report",
  "audit-sample",
  "backend-tuning",
  "batch",
  "bench",
  "compared-query",
  "comparison",
  "evaluation",
  "gate",
  "label-trust",
  "paraphrases",
  "ranking-agreement",
  "run-report",
  "score-comparison",
  "tuning",
]);

/** What users of an entry have: `rankproof/vitest` extends Vitest. */
const HAD = new Set([...Object.keys(dependencies), "vitest"]);

const reached = new Set();
const open = Object.values(exports).flatMap(({ types }) =>
  types === undefined ? [] : [resolve(root, types)],
);
for (const file of open) {
  if (reached.has(file)) continue;
  reached.add(file);
  const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"));
  const names = importedFiles.map(({ fileName }) => fileName);
  const own = names.filter((name) => name.startsWith("."));
  const foreign = names.find((name) => !name.startsWith(".") && !HAD.has(name));
  if (foreign !== undefined) throw new Error(`${file} needs the types of ${foreign}`);
  open.push(...own.map((name) => resolve(dirname(file), name.replace(/\.js$/, ".d.ts"))));
}
for (const name of readdirSync(join(root, "dist"), { recursive: true })) {
  const file = resolve(root, "dist", name);
  if (!name.endsWith(".d.ts")) continue;
  if (reached.has(file)) writeFileSync(file, shortened(name, readFileSync(file, "utf8")));
  else rmSync(file);
}

function shortened(name, source) {
  const [, schema] = /^records[\\/]schema[\\/](.*)\.d\.ts$/.exec(name) ?? [];
  const declared = WRITTEN.has(schema) ? byTheirTypes(source) : source;
  return declared.replace(/^(?: {4})+/gm, tabs).replace(/\/\*\*[^]*?\*\//g, flowing);
}

/** A comment whose sentences are not wrapped: tags, lists and code keep their lines. */
function flowing(comment) {
  if (comment.includes("```")) return comment;
  return comment
    .replace(/(?<=[^*\s]) *\n\s*\* (?=[^\s@*-])/g, " ")
    .replace(/^\/\*\*\s*\* ([^\n@]+)\n\s*\*\/$/, "/** $1 */");
}

/** Every schema as one of its type. */
function byTheirTypes(source) {
  const file = ts.createSourceFile("schema.d.ts", source, ts.ScriptTarget.Latest, true);
  const edits = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .map(({ name, type }) => ({ from: type.getStart(), to: type.end, schema: name.text }));
  const short = edits.reduceRight((text, { from, to, schema }) => {
    const typeName = `${schema[0].toUpperCase()}${schema.slice(1, -"Schema".length)}`;
    return `${text.slice(0, from)}z.ZodType<types.${typeName}>${text.slice(to)}`;
  }, source);
  return `import type * as types from "../types/index.js";\n${short}`;
}

function tabs(spaces) {
  return "\t".repeat(spaces.length / 4);
}
