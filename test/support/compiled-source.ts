import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
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

/** In milliseconds, which every file system keeps. */
const changedAt = (path: string): number | undefined =>
  statSync(path, { throwIfNoEntry: false })?.mtime.getTime();

/** The compiled one has the time of its source: what is moved here may be older than the one before. */
const isChanged = (name: string): boolean => changedAt(compiledFile(name)) !== changedAt(join(source, name));

/** Made elsewhere and moved, so that tests that run at the same time find whole files. */
async function compile(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  mkdirSync(compiled, { recursive: true });
  const outDir = mkdtempSync(join(compiled, "new-"));
  const times = names.map((name) => (changedAt(join(source, name)) ?? 0) / 1000);
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
  for (const [at, name] of names.entries()) {
    const made = join(outDir, `${moduleOf(name)}.js`);
    utimesSync(made, times[at] ?? 0, times[at] ?? 0);
    mkdirSync(dirname(compiledFile(name)), { recursive: true });
    renameSync(made, compiledFile(name));
  }
  rmSync(outDir, { recursive: true });
}
