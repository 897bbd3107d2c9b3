import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as fusion from "../../src/fusion/index.js";
import { unpadded } from "../support/unpadded.js";

const folder = fileURLToPath(new URL("../../src/fusion/", import.meta.url));
const page = unpadded(readFileSync(fileURLToPath(new URL("../../docs/fusion.md", import.meta.url)), "utf8"));

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);
const examples = files.flatMap((file) =>
  [...readFileSync(folder + file, "utf8").matchAll(/`([^`\n]+) \/\/ => ([^`\n]+)`/g)].map(
    ([, expression = "", value = ""]) => ({ file, expression, value }),
  ),
);

describe("examples in the comments", () => {
  it.each(examples)("$expression is $value", ({ expression, value }) => {
    const evaluate = (code: string): unknown =>
      new Function(...Object.keys(fusion), `return ${code}`)(...Object.values(fusion)) as unknown;
    expect(evaluate(expression)).toEqual(evaluate(value));
  });
  it("there is one for each method and normalizer", () => {
    expect(examples.length).toBeGreaterThanOrEqual(
      [...fusion.fusionCatalog, ...fusion.trainedFusionCatalog, ...fusion.normalizerCatalog].length,
    );
  });
});

describe("the page about fusion", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("|"));

  it.each(
    [...fusion.fusionCatalog, ...fusion.trainedFusionCatalog].map(({ definition }) => ({ ...definition })),
  )("has $name with what it reads, its parameters and its paper", ({ name, reads, parameters, paper }) => {
    const row = rows.find((line) => line.split("|")[1]?.includes(`\`${name}\``)) ?? "";
    expect(row.split("|")[2]?.trim()).toBe(reads);
    for (const [parameter, card] of Object.entries(parameters))
      expect(row).toContain("perRun" in card ? `\`${parameter}\`` : `\`${parameter}\` (${card.default})`);
    const [, label = ""] = /\[([a-z]+)\] \|$/.exec(row) ?? [];
    const [, link] = new RegExp(`^\\[${label}\\]: (.*)$`, "m").exec(page) ?? [];
    expect(paper.endsWith(link ?? "no link")).toBe(true);
  });
  it("has every normalizer", () => {
    for (const { name } of fusion.normalizerCatalog)
      expect(
        rows.some((line) => line.startsWith(`| \`${name}\` |`)),
        name,
      ).toBe(true);
  });
});
