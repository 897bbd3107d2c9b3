import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";
import { withDirectImports } from "./scripts/direct-imports.js";
import { withoutDescriptions } from "./scripts/without-descriptions.js";

// The command line. It starts in half of the time when Node need not open hundreds of small files; commands
// are loaded when called.

const bundledPackages = JSON.parse(readFileSync("scripts/bundled-packages.json", "utf8")) as string[];

/**
 * What is in the package already, and is loaded from there when it is wanted: the script and the styles of
 * pages, and stores in PostgreSQL.
 */
const SHARED = ["report/html/page-source.js", "storage/postgres/index.js"];

const shared: Plugin = {
  name: "shared",
  resolveId(id) {
    const there = SHARED.find((file) => id.endsWith(`/${file}`));
    return there === undefined ? null : { id: `../${there}`, external: true };
  },
};

/** What `evaluate` loads only where it is asked for: files of their own, shared with the other commands. */
const loadedLater = {
  "config-flags": "src/cli/config-flags.ts",
  "evaluated-report": "src/cli/evaluated-report.ts",
  "exit-code": "src/cli/exit-code.ts",
  formats: "src/formats/index.ts",
  "open-gate": "src/cli/open-gate.ts",
  parquet: "src/node/evaluate/parquet.ts",
  "partial-writer": "src/cli/partial-writer.ts",
  "score-rows": "src/cli/score-rows.ts",
  "score-table": "src/cli/score-table.ts",
  sources: "src/cli/sources.ts",
  unrestored: "src/cli/unrestored.ts",
};

/** Imports that wait for their use lead to the files of `loadedLater`, so that one file has all the rest. */
const importsLater: Plugin = {
  name: "imports later",
  resolveDynamicImport(id, importer) {
    if (typeof id !== "string" || !id.startsWith(".") || importer === undefined) return null;
    const source = relative(".", join(importer, "..", id)).replace(/\.js$/, ".ts");
    const later = Object.entries(loadedLater).find(([, file]) => file === source);
    if (later === undefined) throw new Error(`${source} has to stand in \`loadedLater\``);
    return { id: `./${later[0]}.js`, external: true };
  },
};

/** Whether it is what Commander runs programs with. */
const ofCommander = (id: string, importer = ""): boolean =>
  id === "node:child_process" && /[\\/]commander[\\/]/.test(importer);

/**
 * Commander loads `node:child_process`, for commands that are programs of their own, of which there are none:
 * 2 ms of every start.
 */
const noChildren: Plugin = {
  name: "no children",
  resolveId: (id, importer) => (ofCommander(id, importer) ? "\0no-children" : null),
  load: (id) => (id === "\0no-children" ? "export default {};" : null),
};

const sources: Plugin = {
  name: "sources",
  transform: {
    filter: { id: /[\\/]src[\\/].+\.ts$/ },
    handler: (text, id) =>
      withDirectImports(
        id,
        /[\\/]records[\\/]schema[\\/]/.test(id) ? withoutDescriptions(id, text) : text,
        (door: string) => SHARED.some((file) => door.endsWith(file.replace(/\.js$/, ".ts"))),
      ),
  },
};

const packageOf = (id: string): string =>
  id
    .split("/")
    .slice(0, id.startsWith("@") ? 2 : 1)
    .join("/");

const commandLine: RolldownOptions = {
  platform: "node",
  logLevel: "warn",
  external: (id: string, importer?: string) =>
    /^[a-z@]/.test(id) && !bundledPackages.includes(packageOf(id)) && !ofCommander(id, importer),
  plugins: [shared, noChildren, sources],
  // Its modules for browsers, of which only what is used comes along; those for Node are one piece.
  resolve: { alias: { yaml: join(import.meta.dirname, "node_modules/yaml/browser/dist/index.js") } },
  transform: { target: "es2022" },
  treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/]/, sideEffects: false }] },
};

const output = { dir: "dist/cli", format: "esm", minify: true } as const;

export default defineConfig([
  {
    ...commandLine,
    input: { index: "src/cli/index.ts" },
    external: [/^node:/, "./evaluate-alone.js", "./all-commands.js"],
    output,
  },
  {
    ...commandLine,
    input: { "evaluate-alone": "src/cli/evaluate-alone.ts" },
    plugins: [importsLater, commandLine.plugins],
    output,
  },
  // Together, so that they share what they load.
  {
    ...commandLine,
    input: {
      "all-commands": "src/cli/all-commands.ts",
      ...loadedLater,
      // A process and a thread of their own, which the commands start.
      "restore-guard": "src/node/tuning/restore-guard.ts",
      "thread-work": "src/server/thread-work.ts",
    },
    // Files that come in parts of one or two functions may stand together.
    preserveEntrySignatures: "allow-extension",
    output: {
      ...output,
      chunkFileNames: "[name]-[hash].js",
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            name: "base",
            test: /src[\\/](?:foundation|files|records[\\/][a-z-]*\.ts)|[\\/]commander[\\/]|no-children/,
            minShareCount: 3,
          },
          {
            name: "scores",
            test: /src[\\/](?:stats|metrics|evaluate|compare|golden|matching|formats[\\/]trec)/,
            minShareCount: 3,
          },
          { name: "reports", test: /src[\\/](?:gate|report[\\/][a-z-]*\.ts)/, minShareCount: 4 },
          { name: "pages", test: /src[\\/]report[\\/]html/, minShareCount: 4 },
        ],
      },
    },
  },
]);
