import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the README shows what the demo prints today (else: npm run docs:pages)", async () => {
  const { readme } = (await import(new URL("../scripts/pages.js", import.meta.url).href)) as {
    readme: () => Promise<string>;
  };
  expect(readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8")).toBe(await readme());
});
