import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { sqljsStore } from "../../src/storage/sqljs/index.js";

const path = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm-browser.wasm");

it("an sql.js that cannot be loaded is an error, and the next one is loaded all the same", async () => {
  // sql.js itself would reject once more where nobody hears it, and never load another file.
  for (const [wasm, why] of [
    ["/nonexistent.wasm", "ENOENT"],
    [new URL("file:///nonexistent.wasm"), "ENOENT"],
    [new TextEncoder().encode("<!doctype html>"), "expected magic word"],
    [{}, "`[object Object]`"],
  ] as const)
    await expect(sqljsStore({ wasm: wasm as never })).rejects.toMatchObject({
      code: "ARGUMENT",
      message: expect.stringMatching(
        new RegExp(`^sqljsStore cannot load \`wasm\`.*${why.replace(/[[\]]/g, ".")}`),
      ) as string,
    });
  await expect(sqljsStore({ wasm: "http://127.0.0.1:9/a.wasm" })).rejects.toMatchObject({ code: "ARGUMENT" });
  const compiled = await WebAssembly.compile(readFileSync(path));
  for (const wasm of [compiled, path, pathToFileURL(path), readFileSync(path), undefined])
    expect(await (await sqljsStore({ wasm })).listRuns()).toEqual([]);
});
