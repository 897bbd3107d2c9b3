import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const source = join(root, "src");
/** As deep as the source, so that what a module looks for beside itself is found. */
const compiled = join(root, ".compiled");

/** These put something in the place of a module for those that load it, which works through Vite alone. */
const LOAD_SOURCE = [join(root, "test/catalogues.test.ts")];

/**
 * Tests load the source as JavaScript, by Node itself: file by file through Vite it takes four times as long,
 * and what it makes of calls between modules is slower. What has not changed is there from the last time.
 */
export async function compiledSource() {
  const names = readdirSync(source, { recursive: true, encoding: "utf8" });
  await compile(names.filter((name) => /(?<!\.d)\.tsx?$/.test(name) && isChanged(name)));
  return {
    name: "compiled source",
    enforce: "pre" as const,
    config: () => ({ test: { server: { deps: { external: [/[\\/]\.compiled[\\/]/] } } } }),
    resolveId(id: string, importer = "") {
      if (!id.startsWith(".") || LOAD_SOURCE.includes(importer) || importer.startsWith(source + sep)) return;
      const path = resolve(dirname(importer), id);
      return path.startsWith(source + sep) ? path.replace(source, compiled) : undefined;
    },
  };
}

const moduleOf = (name: string): string => name.replace(/\.tsx?$/, "");
const compiledFile = (name: string): string => join(compiled, `${moduleOf(name)}.js`);

function isChanged(name: string): boolean {
  const made = statSync(compiledFile(name), { throwIfNoEntry: false });
  return made === undefined || made.mtimeMs < statSync(join(source, name)).mtimeMs;
}

/** Made elsewhere and moved, so that tests that run at the same time find whole files. */
async function compile(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  mkdirSync(compiled, { recursive: true });
  const outDir = mkdtempSync(join(compiled, "new-"));
  const { build } = await import("tsup");
  await build({
    config: false,
    entry: Object.fromEntries(names.map((name) => [moduleOf(name), join(source, name)])),
    bundle: false,
    outDir,
    format: "esm",
    target: "es2022",
    sourcemap: "inline",
    silent: true,
    clean: false,
  });
  for (const name of names) {
    mkdirSync(dirname(compiledFile(name)), { recursive: true });
    renameSync(join(outDir, `${moduleOf(name)}.js`), compiledFile(name));
  }
  rmSync(outDir, { recursive: true });
}
