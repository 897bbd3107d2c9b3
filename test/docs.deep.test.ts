import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readGolden } from "../src/node/index.js";
import { findStaleIds } from "../src/runs/index.js";
import { memoryStore } from "../src/storage/index.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the documentation", () => {
  it("prints what the benchmark prints, but for the latencies", () => {
    const withoutTimes = (printed: string): string =>
      printed
        .replace(/ +\d[\d.]* ms/g, " ms")
        .replace(/ +mean +p95/, " mean p95")
        .trim();
    const [, shown = ""] =
      /<!-- bench:begin -->\n\n```text\n([^]*?)```/.exec(text("docs/benchmark.md")) ?? [];
    const { stdout } = spawnSync(
      process.execPath,
      ["bin/rankproof.js", "bench", "fixtures/bench/papers.json", "--no-store"],
      { cwd: root, encoding: "utf8" },
    );
    expect(withoutTimes(shown)).toBe(withoutTimes(stdout));
  });
  it("has examples that type-check, but for names that are the reader's", () => {
    const folder = mkdtempSync(join(tmpdir(), "rankproof-examples-"));
    const examples: string[] = [];
    const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
    for (const page of ["README.md", ...pages.map((name) => `docs/${name}`)])
      for (const { 1: code = "", index } of text(page).matchAll(/```(?:js|ts)\n([^]*?)```/g)) {
        if (!/^(import|export) /m.test(code)) continue;
        examples.push(code);
        const lines = text(page).slice(0, index).split("\n").length;
        writeFileSync(join(folder, `${basename(page, ".md")}-${lines}.ts`), "\n".repeat(lines) + code);
      }
    const { exports } = JSON.parse(text("package.json")) as {
      exports: Record<string, { default?: string }>;
    };
    const sources = Object.entries(exports).flatMap(([entry, { default: built }]) =>
      built === undefined
        ? []
        : [[`rankproof${entry.slice(1)}`, [join(root, built.replace("dist", "src").replace(/js$/, "ts"))]]],
    );
    const compilerOptions = {
      noImplicitAny: false,
      noUncheckedIndexedAccess: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
      noPropertyAccessFromIndexSignature: false,
      moduleDetection: "force",
      paths: Object.fromEntries(sources) as Record<string, string[]>,
    };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [compiler, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    const said = stdout.split("\n").filter((line) => /^[\w-]+\.ts\(/.test(line));
    const imports = examples.flatMap((code) => [...code.matchAll(/^import (?:type )?\{([^}]*)\}/gm)]);
    const ours = new Set(imports.flatMap(([, names = ""]) => names.match(/\w+/g) ?? []));
    const isTheReaders = (line: string): boolean => {
      const [, name] = /TS(?:2304|2552): Cannot find name '(\w+)'/.exec(line) ?? [];
      return name === undefined ? /TS2307.*'\.\/my-/.test(line) : !ours.has(name);
    };
    expect(said.some(isTheReaders)).toBe(true);
    expect(said.filter((line) => !isTheReaders(line))).toEqual([]);
  });

  it("has the tour that shows what the demo prints today (else: npm run docs:pages)", async () => {
    const { tour } = (await import(new URL("../scripts/pages.js", import.meta.url).href)) as {
      tour: () => Promise<string>;
    };
    expect(text("docs/tour.md")).toBe(await tour());
  });
});

describe("the demo's golden set", () => {
  it("names chunks and documents that the documentation has today", async () => {
    const { pages: docs } = (await import(new URL("../fixtures/demo/demo.js", import.meta.url).href)) as {
      pages: () => unknown;
    };
    const { sections } = (await import(new URL("../fixtures/demo/chunkers.js", import.meta.url).href)) as {
      sections: (pages: unknown) => { chunk_id: string; doc_id: string }[];
    };
    const store = memoryStore();
    await store.saveChunks(sections(docs()));
    expect(await findStaleIds(store, await readGolden(join(root, "fixtures/demo/golden.yaml")))).toEqual([]);
  });
});
