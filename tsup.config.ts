import { defineConfig } from "tsup";

const common = { format: "esm", target: "es2022", sourcemap: true, dts: false } as const;

export default defineConfig([
  // The script of the HTML report is a string in `page-source.ts` (see scripts/html-page.js).
  // `bundle: false`: dist mirrors src, so an unused metric costs a bundler nothing and stack traces name real files.
  { ...common, entry: ["src/**/*.ts", "!src/cli/**", "!src/report/html/page/**"], platform: "neutral", bundle: false },
  // The command line starts in two thirds of the time when Node need not open a hundred small files; commands are loaded when called.
  { ...common, entry: ["src/cli/index.ts"], outDir: "dist/cli", platform: "node", bundle: true, splitting: true },
]);
