import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, type Options } from "tsup";

const bundledPackages = JSON.parse(readFileSync("scripts/bundled-packages.json", "utf8")) as string[];

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

const common = { format: "esm", target: "es2022", sourcemap: false, dts: false } as const;

const smaller = (options: { minify?: boolean }): void => void (options.minify = true);

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
    entry: { index: "src/server/index.ts" },
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
]);
