import { describe, expect, it } from "vitest";
import { parseGateRules } from "../../src/formats/index.js";
import { gate } from "../../src/gate/index.js";
import { anEvaluation } from "../support/gated-results.js";

const rules = (text: string | Uint8Array, file?: string) =>
  parseGateRules(text, file).map(({ text: rule, where }) => [rule, where]);

describe("the rules of a gate in a file", () => {
  it("stand one a line, with comments", () => {
    const text = "\ufeff# floors\r\nnDCG@10 >= 0.45\r\n\r\n  RR >= 0.5   # as in May\r\nhit@5 > 0#1\n#end";
    // A `#` inside a word is part of it.
    expect(rules(text, "gates.txt")).toEqual([
      ["nDCG@10 >= 0.45", "gates.txt:2"],
      ["RR >= 0.5", "gates.txt:4"],
      ["hit@5 > 0#1", "gates.txt:5"],
    ]);
    expect(rules(new TextEncoder().encode("RR >= 1"), "gates.txt")).toEqual([["RR >= 1", "gates.txt:1"]]);
  });
  it("are the list `gates` of a configuration, whose other keys are somebody else's", () => {
    const yaml =
      'golden: golden.yaml\ngates:\n  - nDCG@10 >= 0.45 # floor\n  - "no significant loss of ' +
      'nDCG@10"\nother: { gates: 1 }\n';
    expect(rules(yaml, "rankproof.yaml")).toEqual([
      ["nDCG@10 >= 0.45", "rankproof.yaml:3:5"],
      ["no significant loss of nDCG@10", "rankproof.yaml:4:5"],
    ]);
    expect(rules(yaml)).toEqual([
      ["nDCG@10 >= 0.45", "gate rules:3:5"],
      ["no significant loss of nDCG@10", "gate rules:4:5"],
    ]);
    expect(rules('{"gates": ["RR >= 1"]}', "rankproof.json")).toEqual([["RR >= 1", "rankproof.json:1:12"]]);
    expect(rules("- RR >= 1\n- RR <= 2\n", "gates.yml")).toEqual([
      ["RR >= 1", "gates.yml:1:3"],
      ["RR <= 2", "gates.yml:2:3"],
    ]);
  });
  it.each([
    [
      "gates.txt",
      "# nothing\n",
      "gates.txt: has no rules, and a gate without rules would pass everything; write one a line, " +
        "such as `nDCG@10 >= 0.45`",
    ],
    ["gates.yaml", "gates: []", "gates.yaml: has no rules"],
    ["gates.yaml", "golden: x", "gates.yaml: has no `gates`; write a list of rules there"],
    ["gates.yaml", "", "gates.yaml: has no `gates`"],
    [
      "gates.yaml",
      "gates: nDCG@10 >= 0.45",
      "gates.yaml:1:8: gates must be a list of rules, got `nDCG@10 >= 0.45`; begin each with `-`",
    ],
    [
      "gates.yaml",
      "gates:\n  - RR >= 1\n  - 17\n  - a: b\n",
      "gates.yaml:3:5: gates[1] must be a rule, got `17`; write it in quotes\ngates.yaml:4:5: " +
        'gates[2] must be a rule, got `{"a":"b"}`; write it in quotes',
    ],
    ["gates.yaml", "gates: [", "gates.yaml:1:"],
  ])("%s %j: %s", (file, text, message) => {
    expect(() => parseGateRules(text, file)).toThrow(
      expect.objectContaining({
        code: "GATE_RULE",
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
  });
  it("are named with their line when the gate cannot read them", () => {
    expect(() => gate(anEvaluation(), parseGateRules("RR >= 0.5\n\nRR is good\n", "gates.txt"))).toThrow(
      "gates.txt:3: cannot be read as a rule, got `RR is good`",
    );
    expect(gate(anEvaluation(), parseGateRules("RR >= 0.5", "gates.txt")).passed).toBe(true);
  });
});
