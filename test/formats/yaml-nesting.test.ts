import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lexer, stringify } from "yaml";
import { parseGateRules, parseGolden } from "../../src/formats/index.js";
import { nestingOfTokens } from "../../src/formats/yaml-nesting.js";

const golden = (text: string) => () => parseGolden(text, "golden.yaml");
const lines = (count: number, line: (depth: number) => string): string =>
  Array.from({ length: count }, (_, depth) => line(depth)).join("");

describe("YAML that is nested too deeply is an error with its place, before the parser follows it", () => {
  it.each<[string, string, string]>([
    [
      "lists in brackets",
      `- id: a\n  query: ${"[".repeat(200_000)}`,
      "golden.yaml:2:508: is nested deeper than 500 levels",
    ],
    ["mappings in braces", "{a: ".repeat(100_000), "golden.yaml:1:2001: is nested deeper than 500 levels"],
    ["lists in one line", "- ".repeat(100_000), "golden.yaml:1:1001: is nested deeper than 500 levels"],
    ["keys in one line", "? ".repeat(100_000), "golden.yaml:1:1001: is nested deeper than 500 levels"],
    [
      "keys by indentation",
      lines(3000, (depth) => `${" ".repeat(depth)}a:\n`),
      "golden.yaml:501:501: is nested deeper than 500 levels",
    ],
    [
      "lists under their keys, in the same column",
      lines(3000, (depth) => `${" ".repeat(2 * depth)}a:\n${" ".repeat(2 * depth)}- \n`),
      "golden.yaml:1001:1001: is nested deeper than 500 levels",
    ],
    [
      "never closed quotes after brackets",
      `${"[".repeat(100_000)}"`,
      "golden.yaml:1:501: is nested deeper than 500 levels",
    ],
  ])("%s", (_, text, message) => {
    expect(golden(text)).toThrow(expect.objectContaining({ code: "GOLDEN_SYNTAX", message }));
    expect(() => parseGateRules(text, "gate.yaml")).toThrow(expect.objectContaining({ code: "GATE_RULE" }));
  });

  it("as deep as it may be it is read", () => {
    const deep = `${"[".repeat(490)}${"]".repeat(490)}`;
    expect(golden(`- id: a\n  query: q\n  meta: {deep: ${deep}}`)().queries[0]?.meta).toMatchObject({
      deep: JSON.parse(deep) as unknown,
    });
    expect(
      golden(`- id: a\n  query: q\n  meta:\n${lines(480, (depth) => `${" ".repeat(4 + depth)}a:\n`)}`)()
        .queries,
    ).toHaveLength(1);
  });

  it("brackets in quotes, comments and blocks of text nest nothing", () => {
    const brackets = "[{".repeat(2000);
    expect(
      golden(
        `# ${brackets}\n- id: a\n  query: "${brackets}"\n  meta: {note: '${brackets}'}\n- id: b\n  ` +
          `query: |\n    ${brackets}\n    - - - x\n`,
      )().queries,
    ).toHaveLength(2);
  });

  it("many queries one after the other nest nothing", () => {
    expect(
      golden(
        lines(
          1200,
          (i) => `- id: q${i}\n  query: words\n  expected_doc_ids: [a, b]\n  must_contain:\n  - x\n`,
        ),
      )().queries,
    ).toHaveLength(1200);
  });
});

describe("the nesting of YAML", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  it("is never more than twice what is counted", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 8 }),
        fc.boolean(),
        fc.constantFrom(1, 2, 4),
        (value, indentSeq, indent) => {
          const text = stringify(value, { indentSeq, indent });
          const counted = Math.max(...Array.from(new Lexer().lex(text), nestingOfTokens()));
          expect(depthOf(value)).toBeLessThanOrEqual(2 * counted);
        },
      ),
    );
  });
});
