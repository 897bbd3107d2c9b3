// Packs the collection of the `conformance` command into dist/vectors, and the large files of the examples
// and the pages that the demo searches into dist/examples, so that the package has room for them: part of
// `npm run build:js`.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { parse } from "yaml";

const target = fileURLToPath(new URL("../dist/vectors", import.meta.url));
cpSync(new URL("../fixtures/oracles/synthetic", import.meta.url), target, { recursive: true });
for (const file of readdirSync(target, { recursive: true })) {
  const path = join(target, file);
  if (!/\.(?:run|tsv|txt)$/.test(file)) continue;
  writeFileSync(`${path}.gz`, packed(path));
  rmSync(path);
}

const examples = fileURLToPath(new URL("../dist/examples", import.meta.url));
mkdirSync(examples, { recursive: true });
for (const file of ["bench/papers.json", "demo/golden.yaml", "shop/grades.csv", "shop/products.jsonl"])
  writeFileSync(
    join(examples, `${basename(file)}.gz`),
    packed(new URL(`../fixtures/${file}`, import.meta.url)),
  );

const { queries } = parse(readFileSync(new URL("../fixtures/demo/golden.yaml", import.meta.url), "utf8"));
const names = new Set(queries.flatMap(({ expected_doc_ids = [] }) => expected_doc_ids));
const pages = [...names]
  .sort()
  .map((name) => [name, readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8")]);
writeFileSync(join(examples, "pages.json.br"), brotliCompressSync(JSON.stringify(pages)));

function packed(path) {
  return gzipSync(readFileSync(path), { level: 9 });
}
