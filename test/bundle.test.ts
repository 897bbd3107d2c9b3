import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { present } from "./support/present.js";

const folder = fileURLToPath(new URL("../dist/cli/", import.meta.url));
/** A sign, a hash of eight, and `.js`. */
const HASH = 12;
const files = readdirSync(folder);

/** What files of the built command line load before they do anything, and the packages that they name. */
function loadedBy(...names: readonly string[]): { text: string; packages: string[] } {
  const loaded = new Set<string>();
  const packages: string[] = [];
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, from] of readFileSync(folder + file, "utf8").matchAll(
      /(?:^|;)(?:import|export)(?:[^"'`;()]*from)?["'`]([^"'`]+)["'`]/g,
    ))
      if (present(from).startsWith("./")) load(present(from).slice(2));
      else packages.push(present(from));
  };
  for (const name of names)
    load(
      present(
        files.find(
          (file) =>
            file === `${name}.js` || (file.startsWith(`${name}-`) && file.length === name.length + HASH),
        ),
      ),
    );
  return { text: [...loaded].map((file) => readFileSync(folder + file, "utf8")).join("\n"), packages };
}

const JSON_SCHEMAS = "ZodError";
const YAML = "YAMLParseError";

describe("the built command line", () => {
  it("compares runs of TREC without readers of JSON and YAML, stores and stemmers", () => {
    const { text, packages } = loadedBy("all-commands", "compare", "config-flags", "compared-files");
    expect(text).toContain("compare runs");
    expect(text).not.toContain(JSON_SCHEMAS);
    expect(text).not.toContain(YAML);
    expect(packages.filter((name) => !/^node:|page-source\.js$/.test(name))).toEqual([]);
  });
  it("reads golden sets without stores and stemmers", () => {
    const { text, packages } = loadedBy("compare", "config-flags", "sources");
    expect(text).toContain(JSON_SCHEMAS);
    expect(text).toContain(YAML);
    expect(packages.filter((name) => !/^node:|page-source\.js$/.test(name))).toEqual([]);
  });
  it("scores files with nothing but itself", () => {
    const { packages } = loadedBy("evaluate-alone");
    expect(packages.filter((name) => !name.startsWith("node:"))).toEqual([]);
  });
  it("starts without what Commander loads for programs of their own", () => {
    expect(loadedBy("evaluate-alone").text).not.toContain("node:child_process");
    expect(loadedBy("all-commands", "config-flags").text).not.toContain("node:child_process");
  });
});
