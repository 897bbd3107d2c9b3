import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseGateRules } from "../../src/formats/index.js";
import { asGateRules, gateRuleKinds } from "../../src/gate/index.js";
import { unpadded } from "../support/unpadded.js";

const page = unpadded(readFileSync(fileURLToPath(new URL("../../docs/ci.md", import.meta.url)), "utf8"));
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "g"))].map(([, block]) => block ?? "");

describe("docs/ci.md", () => {
  it.each(
    gateRuleKinds.map(({ kind, written, meaning, examples }) => ({ kind, written, meaning, examples })),
  )("says of $kind what its card says", ({ written, meaning, examples }) => {
    expect(page).toContain(
      `| ${written
        .split(", ")
        .map((way) => `\`${way}\``)
        .join(", ")} | ${meaning} |\n`,
    );
    for (const example of examples) expect(page).toContain(`\`${example}\``);
  });
  it("has rules that can be read", () => {
    const [file = ""] = blocks("text");
    const list = blocks("yaml").find((text) => text.startsWith("gates:")) ?? "";
    expect(asGateRules(parseGateRules(file, "gates.txt")).length).toBe(5);
    expect(asGateRules(parseGateRules(list, "rankproof.yaml")).length).toBe(2);
  });
  it("has a workflow that is YAML", () => {
    const workflow = parse(blocks("yaml")[0] ?? "") as { jobs: { compare: { steps: { run?: string }[] } } };
    expect(workflow.jobs.compare.steps.map(({ run }) => run ?? "").join("\n")).toContain(
      "npx rankproof compare base.jsonl head.jsonl -g eval/golden.yaml",
    );
  });
});
