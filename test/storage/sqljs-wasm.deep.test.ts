import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { expect, it } from "vitest";

const path = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm-browser.wasm");

/** What a process of its own prints that tries one after the other: sql.js begins once. */
function tried(...wasm: readonly string[]): readonly string[] {
  const script = `
    import { readFileSync } from "node:fs";
    import { pathToFileURL } from "node:url";
    import { sqljsStore } from "./dist/storage/sqljs/index.js";
    const path = ${JSON.stringify(path)};
    for (const wasm of [${wasm.join()}])
      try {
        console.log((await (await sqljsStore({ wasm })).listRuns()).length);
      } catch ({ code, message }) {
        console.log(code, message.replaceAll(/\`wasm\`, .*?: /g, ""));
      }`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.trim().split("\n");
}

it("an sql.js that cannot be loaded is an error that ends nothing, and the next one is loaded", () => {
  const [missing, file, text, none, network, ...loaded] = tried(
    ...['"/nonexistent.wasm"', 'new URL("file:///nonexistent.wasm")', 'new TextEncoder().encode("<html>")'],
    ...["{}", '"http://127.0.0.1:9/a.wasm"', "path", "undefined", "pathToFileURL(path)"],
  );
  for (const each of [missing, file]) expect(each).toMatch(/^ARGUMENT sqljsStore cannot load ENOENT/);
  expect(text).toContain("expected magic word");
  expect(none).toContain("`wasm` must be a path, a URL, bytes or a WebAssembly.Module, got `{}`");
  expect(network).toMatch(/^ARGUMENT sqljsStore cannot load /);
  expect(loaded).toEqual(["0", "0", "0"]);
});

it.each([
  ["its bytes", "readFileSync(path)", ["0"]],
  ["what was compiled of them", "await WebAssembly.compile(readFileSync(path))", ["0"]],
])("sql.js begins with %s", (_, wasm, printed) => expect(tried(wasm)).toEqual(printed));

it("a program of something else is an error, too", () => {
  const [other, own] = tried("Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)", "path");
  expect(other).toMatch(/^ARGUMENT sqljsStore cannot load /);
  expect(own).toBe("0");
});
