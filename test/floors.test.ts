import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { ESLint, type Linter } from "eslint";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import {
  circles,
  ENTRIES,
  FLOORS,
  leaks,
  ROOMS,
  roomOf,
  sealedPatterns,
  sideDoors,
  upwardImports,
  type Import,
} from "./house.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const { default: config } = (await import(new URL("../eslint.config.js", import.meta.url).href)) as {
  default: Linter.Config[];
};
const src = join(root, "src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
/** The source behind an import, which names what it is compiled to. */
const sourceOf = (path: string): string =>
  [".ts", ".tsx"].map((ending) => path.replace(/\.js$/, ending)).find((name) => files.includes(name)) ??
  path.replace(/\.js$/, ".ts");
const textOf = (file: string): string => readFileSync(join(src, file), "utf8");
const jsonAt = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Every import as the compiler reads it: static, dynamic, for effects, of types, and in `export from`. */
function specifiersIn(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

function importsOf(file: string, text: string): Import[] {
  return specifiersIn(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({
      file,
      target: sourceOf(posix.join(posix.dirname(file), specifier)),
    }));
}

const imports = files.flatMap((file) => importsOf(file, textOf(file)));

const loads = new Map<string, readonly string[]>();

/** Imports of values that are loaded at once. */
function loadsOf(file: string): readonly string[] {
  const known = loads.get(file) ?? readLoads(file);
  loads.set(file, known);
  return known;
}

function readLoads(file: string): string[] {
  const { statements } = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly !== true;
    const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly;
    const specifier = isImport || isExport ? statement.moduleSpecifier : undefined;
    return specifier !== undefined && ts.isStringLiteral(specifier) ? [specifier.text] : [];
  });
}

/** The files that are loaded with one of them. */
function loadedWith(entry: string): string[] {
  const reached = new Set<string>();
  const pending = [entry];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const specifier of loadsOf(file))
      if (specifier.startsWith("."))
        pending.push(posix.join(posix.dirname(file), specifier).replace(/\.js$/, ".ts"));
  }
  return [...reached];
}

function packagesOf(loaded: readonly string[]): string[] {
  return loaded.flatMap((file) =>
    loadsOf(file)
      .filter((specifier) => !specifier.startsWith("."))
      .map((name) => `${file} loads ${name}`),
  );
}

describe("the house", () => {
  it("has every room on a floor, and no floor for a room that is not there", () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(ROOMS).sort());
  });
  it("has nothing but the index at its top", () => {
    expect(files.filter((file) => !file.includes("/"))).toEqual(["index.ts"]);
  });
  it("every room has an index", () => {
    const rooms = Object.keys(ROOMS).filter((room) => !room.endsWith(".ts") && room !== "foundation");
    for (const room of rooms) expect(files).toContain(`${room}/index.ts`);
  });
  it.each(FLOORS.map(({ rooms, reason }) => ({ names: Object.keys(rooms).join(", "), rooms, reason })))(
    "$names: $reason",
    ({ rooms }) => {
      expect(upwardImports(imports.filter(({ file }) => Object.hasOwn(rooms, roomOf(file))))).toEqual([]);
    },
  );
  it("no files import each other in a circle, not even for their types", () => {
    expect(circles(imports)).toEqual([]);
  });
  it("rooms are entered by their doors, or by those of a part", () => {
    expect(sideDoors(imports)).toEqual([]);
  });
  it("sealed rooms import sealed rooms only", () => {
    expect(leaks(imports)).toEqual([]);
  });
  it("the core loads no zod, no yaml, no WebAssembly and nothing of Node", () => {
    const reached = loadedWith("index.ts");
    expect(packagesOf(reached)).toEqual([]);
    expect(reached.length).toBeGreaterThan(20);
  });
  it("the help and what is about TREC's files load no readers of JSON, YAML and text", () => {
    const commands = ["agree", "compare", "conformance", "evaluate", "init", "metrics", "power"];
    const light = ["program", "compared-files", ...commands.map((name) => `commands/${name}`)];
    const packages = light.flatMap((name) => packagesOf(loadedWith(`cli/${name}.ts`)));
    expect(packages.filter((line) => !/ loads (?:node:|commander$)/.test(line))).toEqual([]);
  });
});

it("no line of code is longer than 110 columns", () => {
  const code = ["src", "test", "scripts", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const written = code.filter(
    // The page's script is made by a program.
    (file) => /\.(?:[cm]?js|tsx?|css|html)$/.test(file) && file !== "src/report/html/page-source.ts",
  );
  const long = written.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => ([...line].length > 110 ? [`${file}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

describe("the rules of the house", () => {
  it("see imports for their effects, and dynamic ones", () => {
    const fooled = 'import "../cli/program.js";\nexport const run = () => import("../cli/index.js");\n';
    expect(upwardImports(importsOf("stats/fool-a.ts", fooled))).toEqual([
      "stats/fool-a.ts imports cli/program.ts",
      "stats/fool-a.ts imports cli/index.ts",
    ]);
  });
  it("see a circle of three files", () => {
    const round = [
      { file: "gate/a.ts", target: "gate/b.ts" },
      { file: "gate/b.ts", target: "gate/c.ts" },
      { file: "gate/c.ts", target: "gate/a.ts" },
      { file: "gate/d.ts", target: "gate/a.ts" },
    ];
    expect(circles(round)).toEqual(["gate/a.ts, gate/b.ts, gate/c.ts"]);
    expect(circles(round.slice(1))).toEqual([]);
  });
  it("see imports without a semicolon", () => {
    const fooled = 'import { a } from "../metrics/index.js"\nexport { b } from "../cli/index.js"\n';
    expect(upwardImports(importsOf("records/fool-c.ts", fooled))).toHaveLength(2);
  });
  it("let a sealed room have no Node, no chance, no timer, no clock and no network", async () => {
    const sealed = config.filter(({ name }) => name === "sealed rooms");
    const parser = { languageOptions: { parser: (await import("typescript-eslint")).parser } };
    const linter = new ESLint({
      cwd: root,
      overrideConfigFile: true,
      overrideConfig: [{ files: ["**/*.ts"], ...parser }, ...sealed],
    });
    const broken = async (line: string): Promise<number> => {
      const [result] = await linter.lintText(`${line}\n`, { filePath: join(src, "metrics/fool-b.ts") });
      return result?.errorCount ?? 0;
    };
    const lines = [
      'await import("node:fs");',
      'import "node:fs";',
      'import { readFileSync } from "fs";',
      "crypto.randomUUID();",
      "setTimeout(() => 0, 1);",
      'globalThis["fetch"]("http://x");',
      'fetch("http://x");',
      "Math.random();",
      "Date.now();",
      "new Date();",
      "performance.now();",
      "process.exit();",
    ];
    for (const line of lines) expect([line, await broken(line)]).not.toEqual([line, 0]);
    expect(await broken("Math.max(1, 2);")).toBe(0);
  });
});

describe("what the house is shown as", () => {
  it("the linter seals the sealed rooms", () => {
    const [sealed] = config.filter(({ name }) => name === "sealed rooms");
    expect({ files: sealed?.files, ignores: sealed?.ignores }).toEqual(sealedPatterns());
  });
  it("the package exports the index of rooms, or of their parts, and nothing else", () => {
    const { exports } = jsonAt("package.json") as { exports: Record<string, unknown> };
    const expected = Object.entries(ENTRIES).map(([path, folder]) => {
      const index = posix.join("dist", folder, "index");
      return [path, { types: `./${index}.d.ts`, default: `./${index}.js` }];
    });
    expect(exports).toEqual({ ...Object.fromEntries(expected), "./package.json": "./package.json" });
    for (const folder of Object.values(ENTRIES)) expect(files).toContain(posix.join(folder, "index.ts"));
  });
  it("the pages of the API are those of the entries", async () => {
    const typedoc = (await import(new URL("../typedoc.config.js", import.meta.url).href)) as {
      default: { entryPoints: string[] };
    };
    const expected = Object.values(ENTRIES).map((folder) => posix.join("src", folder, "index.ts"));
    expect(typedoc.default.entryPoints.toSorted()).toEqual(expected.sort());
  });
  it("CONTRIBUTING.md has every room on its floor", () => {
    const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
    FLOORS.forEach(({ rooms }, floor) => {
      const row = new RegExp(`^\\| ${floor} +\\| (.*)$`, "m").exec(page)?.[1] ?? "";
      for (const room of Object.keys(rooms)) expect(row).toContain(`\`${room}\``);
    });
  });
  it("the command line imports what an entry shows, and what it shares with the workbench", () => {
    const entries = Object.values(ENTRIES).map((folder) => posix.join(folder, "index.ts"));
    const shown = [
      "node/internal.ts",
      ...entries,
      ...imports.filter(({ file }) => entries.includes(file)).map(({ target }) => target),
    ];
    const wrong = imports.filter(
      ({ file, target }) => roomOf(file) === "cli" && roomOf(target) !== "cli" && !shown.includes(target),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
});
