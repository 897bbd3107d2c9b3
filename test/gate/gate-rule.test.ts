import { describe, expect, it } from "vitest";
import {
  asGateRules,
  gate,
  gateRuleKinds,
  parseGateRule,
  printGateRule,
  type GateRule,
} from "../../src/gate/index.js";
import { InputError } from "../../src/index.js";
import { anEvaluation } from "../support/gated-results.js";
import { pattern } from "../support/pattern.js";

describe("a rule as text", () => {
  it.each(gateRuleKinds.flatMap(({ kind, examples }) => examples.map((example) => [example, kind] as const)))(
    "%s is read as a rule of its kind and printed as it was",
    (example, kind) => {
      expect(parseGateRule(example).kind).toBe(kind);
      expect(printGateRule(parseGateRule(example))).toBe(example);
    },
  );
  it.each<[string, GateRule]>([
    ["  nDCG@10>=.45  ", { kind: "bound", metric: "nDCG@10", operator: ">=", bound: 0.45 }],
    ["doc  recall@5 > 1e-3", { kind: "bound", metric: "doc recall@5", operator: ">", bound: 0.001 }],
    ["RBP(p=0.8) == -1", { kind: "bound", metric: "RBP(p=0.8)", operator: "==", bound: -1 }],
    ["No Significant Loss of nDCG@10", { kind: "significant loss", metric: "nDCG@10" }],
    ["nDCG@10 NOT worse by 2e-2", { kind: "not worse by", metric: "nDCG@10", allowed: 0.02 }],
    ["doc recall@5 not worse by 0", { kind: "not worse by", metric: "doc recall@5", allowed: 0 }],
    ["no loss of no loss", { kind: "loss", metric: "no loss", allowed: 0 }],
    ["nDCG@10 within 0.01 of baseline", { kind: "within", metric: "nDCG@10", distance: 0.01 }],
    ["at most 10 % worse queries of RR", { kind: "worse share", metric: "RR", percent: 10 }],
    ["at most 1 losses", { kind: "count", of: "losses", most: 1 }],
    ["Verdict is not Worse", { kind: "verdict", verdicts: ["worse"], negated: true }],
  ])("%s", (text, rule) => expect(parseGateRule(text)).toEqual(rule));

  it.each([
    "",
    "nDCG@10",
    "nDCG@10 => 0.45",
    "nDCG@10 = 0.45",
    "nDCG@10 != 0.45",
    "nDCG@10 === 0.45",
    "nDCG@10 >= ",
    ">= 0.45",
    "nDCG@10 >= high",
    "nDCG@10 >= 0x1",
    "nDCG@10 >= NaN",
    "nDCG@10 >= 1e999",
    "nDCG@10 >= 0.45, RR >= 0.3",
    "0.4 <= nDCG@10 <= 0.5",
    "no loss of nDCG@10 >= 0.45",
    "no loss",
    "at most 1.5 regressions",
    "at most -1 regressions",
    "at most -0.1 loss of RR",
    "at most 101% worse queries of RR",
    "verdict is good",
    "verdict is",
    "verdict is not_comparable",
    "verdict is better and equivalent",
    "no slice worse than ever",
    "nDCG@10 within -1 of the baseline",
    "nDCG@10 not worse by -0.02",
    "nDCG@10 not worse by",
    "nDCG@10 not worse",
  ])("%j is none", (text) => expect(() => parseGateRule(text)).toThrow(InputError));
  it("that cannot be read is answered with the ways to write one", () => {
    expect(() => parseGateRule("ndcg should be good")).toThrow(
      "gate rule: cannot be read as a rule, got `ndcg should be good`; rules are written `nDCG@10 " +
        ">= 0.45`, `nDCG@10 not worse by 0.02`, `no loss of nDCG@10`, `no significant loss of " +
        "nDCG@10`, `nDCG@10 within 0.01 of " +
        "the baseline`, `at most 2 regressions`, `at most 10% worse queries of nDCG@10`, `verdict is " +
        "better`, `no slice worse`, `unjudged cannot overturn`",
    );
    expect(() => parseGateRule("x")).toThrow(expect.objectContaining({ code: "GATE_RULE" }) as Error);
  });
});

describe("a rule that is nearly one", () => {
  it.each([
    ["at most 2 regresions", "at most 2 regressions"],
    ["MRR@10 not worse then 0.02", "nDCG@10 not worse by 0.02"],
    ["no lose of MRR@10", "no loss of nDCG@10"],
    ["verdict better", "verdict is better"],
    ["no slices worse", "no slice worse"],
    ["nDCG@10 => 0.4", "nDCG@10 >= 0.45"],
    ["nDCG@10 >= 0,4", "nDCG@10 >= 0.45"],
    ["nDCG@10 >= 45%", "nDCG@10 >= 0.45"],
  ])("%s is answered with %s", (text, near) => {
    expect(() => parseGateRule(text)).toThrow(
      `cannot be read as a rule, got \`${text}\`; a rule like it is written \`${near}\``,
    );
  });
});

describe("the rules of a gate", () => {
  it("are given as texts, as objects and as lines of a file", () => {
    const bound: GateRule = { kind: "bound", metric: "RR", operator: ">=", bound: 0.5 };
    expect(asGateRules(["RR >= 0.5", bound, { text: "RR >= 0.5", where: "gates.txt:3", line: 3 }])).toEqual([
      bound,
      bound,
      bound,
    ]);
    expect(gate(anEvaluation(), [bound]).rules[0]?.rule).toBe("RR >= 0.5");
  });
  it("given as an object without what its kind has is none", () => {
    for (const kind of ["verdict", "bound"])
      expect(() => asGateRules([{ kind } as GateRule])).toThrow(
        expect.objectContaining({ code: "GATE_RULE" }) as Error,
      );
  });
  it("that cannot be read are all told, each with its place", () => {
    const lines = [
      { text: "bad", where: "gates.txt:1", line: 1 },
      { text: "RR >= 1", where: "gates.txt:2", line: 2 },
      { text: "worse", where: "gates.txt:7", line: 7 },
    ];
    expect(() => asGateRules(lines)).toThrow(
      pattern(
        /^gates\.txt:1: cannot be read as a rule, got `bad`; .*\n/,
        /gates\.txt:7: cannot be read as a rule, got `worse`$/,
      ),
    );
    expect(() => asGateRules(["RR >= 1", "worse"])).toThrow(/^rules\[1\]: /);
  });
  it.each<object>([
    { kind: "bound", metric: "RR", operator: ">=", bound: NaN },
    { kind: "bound", metric: "RR", operator: "~", bound: 1 },
    { kind: "bound", metric: "", operator: ">=", bound: 1 },
    { kind: "bound", metric: "no loss of RR", operator: ">=", bound: 1 },
    { kind: "bound", metric: "a\nb", operator: ">=", bound: 1 },
    { kind: "count", of: "regressions", most: 1.5 },
    { kind: "verdict", verdicts: [], negated: false },
    { kind: "loss", metric: "RR", allowed: -1 },
  ])("as objects must be such as could be written: %j", (rule) =>
    expect(() => asGateRules([rule as GateRule])).toThrow("rules[0]: has a value that no rule has"),
  );
  it("of an unknown kind are an error", () =>
    expect(() => asGateRules([{ kind: "constructor" } as unknown as GateRule])).toThrow(
      "kind of a rule must be one of `bound`, ",
    ));
  it("must be there: a gate without rules would pass everything", () =>
    expect(() => gate(anEvaluation(), [])).toThrow("a gate needs at least one rule; rules are written"));
});
