import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../src/stats/", import.meta.url));
/** `expression // => value` in a doc comment, with the file that it stands in. */
const examples = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) =>
    [...readFileSync(folder + file, "utf8").matchAll(/^ \* `(.+) \/\/ => (.+)`\.?$/gm)].map(
      ([, expression = "", value = ""]) => ({ file, expression, value }),
    ),
  );

describe("the examples of the statistics", () => {
  it.each(examples)("$file: $expression", async ({ file, expression, value }) => {
    const functions = (await import(
      new URL(`../../src/stats/${file.replace(/\.ts$/, ".js")}`, import.meta.url).href
    )) as Record<string, unknown>;
    const compute = (code: string): unknown =>
      new Function(...Object.keys(functions), `return (${code});`)(...Object.values(functions)) as unknown;
    const [got, expected] = [compute(expression), compute(value)];
    if (typeof expected === "number") expect(got).toBeCloseTo(expected, 12);
    else expect(got).toEqual(expected);
  });
  it("are there", () => expect(examples.length).toBeGreaterThan(15));
});
