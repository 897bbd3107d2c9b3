import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, type Options } from "tsup";
import ts from "typescript";

const bundledPackages = JSON.parse(readFileSync("scripts/bundled-packages.json", "utf8")) as string[];

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

const common = { format: "esm", target: "es2022", sourcemap: false, dts: false } as const;

// Packages that are not modules of ECMAScript ask for Node's own modules by `require`.
const banner = {
  js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
};

/**
 * What is in the package already, and is loaded from there when it is wanted: the script and the styles of
 * pages, the server of the workbench, and stores in PostgreSQL.
 */
const shared: Plugin = {
  name: "shared",
  setup(build) {
    build.onResolve({ filter: /\/page-source\.js$/ }, () => ({
      path: "../report/html/page-source.js",
      external: true,
    }));
    for (const folder of ["server", "storage/postgres"])
      build.onResolve({ filter: new RegExp(`/${folder}/index\\.js$`) }, () => ({
        path: `../${folder}/index.js`,
        external: true,
      }));
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
  "score-table": "src/cli/score-table.ts",
  sources: "src/cli/sources.ts",
  unrestored: "src/cli/unrestored.ts",
};

/** Imports that wait for their use lead to the files of `loadedLater`, so that one file has all the rest. */
const importsLater: Plugin = {
  name: "imports later",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const source = relative(".", join(resolveDir, path)).replace(/\.js$/, ".ts");
      const later = Object.entries(loadedLater).find(([, file]) => file === source);
      if (later === undefined) throw new Error(`${source} has to stand in \`loadedLater\``);
      return { path: `./${later[0]}.js`, external: true };
    });
  },
};

/**
 * Commander loads `node:child_process`, for commands that are programs of their own, of which there are none:
 * 2 ms of every start.
 */
const noChildren: Plugin = {
  name: "no children",
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: "none", namespace: "no-children" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "no-children" }, () => ({ contents: "module.exports = {};" }));
  },
};

/**
 * What schemas say of their fields is for those who read `rankproof/schema` and the JSON schemas; the command
 * line only checks by them.
 */
const withoutDescriptions: Plugin = {
  name: "without descriptions",
  setup(build) {
    build.onLoad({ filter: /[\\/]records[\\/]schema[\\/][^\\/]+\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const calls: { readonly from: number; readonly to: number }[] = [];
      const visit = (node: ts.Node): void => {
        if (
          ts.isCallExpression(node) &&
          ts.isPropertyAccessExpression(node.expression) &&
          node.expression.name.text === "describe"
        )
          calls.push({ from: node.expression.expression.end, to: node.end });
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
      const contents = calls
        .sort((a, b) => b.from - a.from)
        .reduce((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text);
      return { contents, loader: "ts" };
    });
  },
};

const smaller = (options: { minify?: boolean }): void => void (options.minify = true);

const commandLine = {
  ...common,
  outDir: "dist/cli",
  platform: "node",
  bundle: true,
  splitting: true,
  // Modules of Node that are named as such and not used are left out; others might do something when loaded.
  removeNodeProtocol: false,
  // Names stay, so that a stack trace says where something happened.
  esbuildOptions: smaller,
  noExternal: bundledPackages,
  esbuildPlugins: [shared, noChildren, withoutDescriptions] as Plugin[],
  banner,
} as const;

/** The server has one package of its own in it; what it needs of other rooms is where it always is. */
const outside = (folder: string): Plugin => ({
  name: "other rooms",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const room = join(import.meta.dirname, "src", folder);
      const target = join(resolveDir, path);
      return !resolveDir.startsWith(room) || target.startsWith(room)
        ? undefined
        : { path: relative(room, target), external: true };
    });
  },
});

export default defineConfig([
  // The script of the HTML report is a string in `page-source.ts` (see scripts/html-page.js).
  // `bundle: false`: dist mirrors src, so an unused metric costs a bundler nothing and stack traces name real
  // files.
  {
    ...common,
    entry: [
      "src/**/*.ts",
      ...["cli", "report/html/page", "web", "server", "storage/postgres"].map((room) => `!src/${room}/**`),
    ],
    platform: "neutral",
    bundle: false,
  },
  // The workbench's server, with the packages that nobody else needs.
  {
    ...common,
    // The program of its threads beside it, so that they share what they load.
    entry: { index: "src/server/index.ts", "thread-work": "src/server/thread-work.ts" },
    outDir: "dist/server",
    platform: "node",
    bundle: true,
    splitting: true,
    noExternal: bundledPackages,
    esbuildPlugins: [outside("server")],
  },
  // A file or two, which take less room.
  {
    ...common,
    entry: { index: "src/storage/postgres/index.ts", internal: "src/storage/postgres/internal.ts" },
    outDir: "dist/storage/postgres",
    platform: "node",
    bundle: true,
    splitting: true,
    esbuildOptions: smaller,
    esbuildPlugins: [outside("storage/postgres")],
  },
  // For pages without a bundler: what `rankproof` exports, in one file.
  {
    ...common,
    entry: { rankproof: "src/index.ts" },
    outDir: "dist/browser",
    platform: "browser",
    bundle: true,
    splitting: false,
    noExternal: [/./],
    esbuildOptions: smaller,
  },
  // The command line starts in half of the time when Node need not open hundreds of small files; commands are
  // loaded when called.
  {
    ...commandLine,
    entry: ["src/cli/index.ts"],
    splitting: false,
    esbuildOptions: (options) => {
      smaller(options);
      options.external = ["./evaluate-alone.js", "./all-commands.js"];
    },
  },
  {
    ...commandLine,
    entry: ["src/cli/evaluate-alone.ts"],
    splitting: false,
    esbuildPlugins: [...commandLine.esbuildPlugins, importsLater],
  },
  // Together, so that they share what they load.
  {
    ...commandLine,
    entry: {
      "all-commands": "src/cli/all-commands.ts",
      ...loadedLater,
      // A process of its own, which the commands start.
      "restore-guard": "src/node/tuning/restore-guard.ts",
    },
  },
]);
