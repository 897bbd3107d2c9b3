import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asGateRules,
  gate,
  gateRuleKinds,
  parseGateRule,
  printGateRule,
  type GateRule,
} from "../../src/gate/index.js";
import { isRankproofError } from "../../src/index.js";
import { LAW_RUNS } from "../support/arbitraries.js";
import { anAggregate, anEvaluation, aReport, aScoreComparison } from "../support/gated-results.js";

const metric = fc.constantFrom(
  "nDCG@10",
  "RBP(p=0.8)",
  "hit@5",
  "doc recall@5",
  "latency_ms.p95",
  "метрика",
  "__proto__",
  "a.b.c",
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });
const rule: fc.Arbitrary<GateRule> = fc.oneof(
  fc.record({
    kind: fc.constant("bound" as const),
    metric,
    operator: fc.constantFrom(">=", "<=", "==", ">", "<"),
    bound: fc.double({ noNaN: true, noDefaultInfinity: true }).map((bound) => bound + 0),
  }),
  fc.record({ kind: fc.constant("loss" as const), metric, allowed: number }),
  fc.record({ kind: fc.constant("not worse by" as const), metric, allowed: number }),
  fc.record({ kind: fc.constant("significant loss" as const), metric }),
  fc.record({ kind: fc.constant("within" as const), metric, distance: number }),
  fc.record({
    kind: fc.constant("count" as const),
    of: fc.constantFrom("regressions", "losses", "worse answers"),
    most: fc.nat(),
  }),
  fc.record({
    kind: fc.constant("worse share" as const),
    metric,
    percent: fc.double({ noNaN: true, min: 0, max: 100 }),
  }),
  fc.record({
    kind: fc.constant("verdict" as const),
    verdicts: fc.uniqueArray(fc.constantFrom("better", "worse", "equivalent", "inconclusive"), {
      minLength: 1,
    }),
    negated: fc.boolean(),
  }),
  fc.constant<GateRule>({ kind: "slices" }),
  fc.constant<GateRule>({ kind: "unjudged" }),
  fc.constant<GateRule>({ kind: "audited" }),
);
const results = [
  anAggregate(),
  anEvaluation(),
  aScoreComparison(),
  aReport(),
  aReport({ statistics: aScoreComparison() }),
];

describe("the laws of rules", () => {
  it("what is printed is read as the same rule", () => {
    fc.assert(
      fc.property(rule, (each) => void expect(parseGateRule(printGateRule(each))).toEqual(each)),
      LAW_RUNS,
    );
  });
  it("all kinds are tried here", () => {
    const seen = new Set(fc.sample(rule, 500).map(({ kind }) => kind));
    expect([...seen].sort()).toEqual(gateRuleKinds.map(({ kind }) => kind).sort());
  });
  it("what can be written can be given as an object, in any case and with any white space", () => {
    fc.assert(
      fc.property(
        rule,
        (each) =>
          void expect(asGateRules([each, `\t${printGateRule(each).replaceAll(" ", " \n ")} `])).toEqual([
            each,
            each,
          ]),
      ),
      LAW_RUNS,
    );
  });
  it("any text is a rule that prints as itself, or an error of ours", () => {
    const words = fc
      .array(
        fc.constantFrom(
          "no",
          "loss",
          "of",
          "at",
          "most",
          "significant",
          "verdict",
          "is",
          "not",
          "better",
          "or",
          ">=",
          "<",
          "==",
          "0.5",
          "10%",
          "worse",
          "queries",
          "within",
          "baseline",
          "the",
          "regressions",
          "nDCG@10",
        ),
        { maxLength: 8 },
      )
      .map((list) => list.join(" "));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), words), (text) => {
        try {
          const printed = printGateRule(parseGateRule(text));
          expect(gateRuleKinds.filter((kind) => kind.parse(printed) !== null).length).toBe(1);
          expect(printGateRule(parseGateRule(printed))).toBe(printed);
        } catch (error) {
          expect(isRankproofError(error) && error.code).toBe("GATE_RULE");
        }
      }),
      LAW_RUNS,
    );
  });
  it("what has no value does not pass, whatever the rule and the result", () => {
    fc.assert(
      fc.property(rule, fc.constantFrom(...results), (each, result) => {
        const report = gate(result, [each]);
        for (const { value, passed } of report.rules) if (value === null) expect(passed).toBe(false);
        expect(report.passed).toBe(report.rules.every(({ passed }) => passed));
      }),
      LAW_RUNS,
    );
  });
  it("a lower floor passes whatever a higher one does", () => {
    const bound = (metricName: string, value: number): GateRule => ({
      kind: "bound",
      metric: metricName,
      operator: ">=",
      bound: value,
    });
    fc.assert(
      fc.property(fc.constantFrom("nDCG@10", "mrr", "hit@5"), number, number, (name, x, y) => {
        const [low, high] = [Math.min(x, y), Math.max(x, y)];
        if (gate(anAggregate(), [bound(name, high)]).passed)
          expect(gate(anAggregate(), [bound(name, low)]).passed).toBe(true);
      }),
      LAW_RUNS,
    );
  });
});
