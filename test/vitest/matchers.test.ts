import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { evaluate } from "../../src/index.js";
import { type ScoreExpectation } from "../../src/vitest/index.js";
import {
  anAggregate,
  anEvaluation,
  aReport,
  aRunComparison,
  aScoreComparison,
  aVerdict,
} from "../support/gated-results.js";

/** The message of what an assertion throws. */
function messageOf(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  return "passed";
}

describe("toScore without a bound", () => {
  it.fails("fails the test", () => {
    expect(anAggregate()).toScore("nDCG@10");
  });
  it.concurrent("with one passes where tests run beside each other", async (test) => {
    await Promise.resolve();
    test.expect(anAggregate()).toScore("nDCG@10").atLeast(0.4);
  });
});

describe("toScore", () => {
  it("says what to write in place of a poll, which could not ask again", async () => {
    const polled = expect.poll(() => anAggregate(), { timeout: 50 }).toScore("nDCG@10");
    await expect(polled as unknown as Promise<unknown>).rejects.toThrow("toPassGate([");
  });
});

it("toPassGate neither passes nor fails runs that are not comparable", () => {
  const comparison = aScoreComparison({
    comparisons: [aRunComparison("after", { verdict: aVerdict({ kind: "not_comparable" }) })],
  });
  const said = "the rules hold, but the runs are not comparable";
  expect(messageOf(() => expect(comparison).toPassGate(["nDCG@10 >= 0"]))).toBe(said);
  expect(messageOf(() => expect(comparison).not.toPassGate(["nDCG@10 >= 0"]))).toBe(said);
});

describe("toScore", () => {
  it("holds a score against a bound", () => {
    expect(anAggregate()).toScore("nDCG@10").atLeast(0.45);
    expect(anAggregate()).toScore("hit@5").above(0.79);
    expect(anAggregate()).toScore("empty_result_rate").atMost(0.02);
    expect(anAggregate()).toScore("latency_ms.p95").below(200);
    expect(evaluate(new Map([["q", ["a"]]]), new Map([["q", new Map([["a", 1]])]]), ["RR"]))
      .toScore("RR")
      .atLeast(1);
  });
  it("says what was found", () => {
    expect(messageOf(() => expect(anAggregate()).toScore("nDCG@10").atLeast(0.46))).toBe(
      "expected every rule to pass, but 1 of 1 did not:\n  ✗ nDCG@10 >= 0.46: nDCG@10 is 0.45, not " +
        "at least 0.46",
    );
    expect(messageOf(() => expect(anEvaluation()).toScore("RR").below(0.6))).toContain(
      "✗ RR < 0.6 (`bm25`): RR is 0.6, not below 0.6",
    );
    expect(messageOf(() => expect(anEvaluation(), "the new index").toScore("RR").above(0.6))).toMatch(
      /^the new index: expected every rule/,
    );
  });
  it("with not, needs a score that was measured", () => {
    expect(anAggregate()).not.toScore("nDCG@10").atLeast(0.46);
    expect(messageOf(() => expect(anAggregate()).not.toScore("nDCG@10").atLeast(0.45))).toBe(
      "expected the gate to fail because of a measured value:\n  ✓ nDCG@10 >= 0.45: nDCG@10 is " +
        "0.45, at least 0.45",
    );
    expect(messageOf(() => expect(anAggregate()).not.toScore("citation_coverage").atLeast(0.45))).toContain(
      "✗ citation_coverage >= 0.45: `citation_coverage` was not measured",
    );
  });
  it("fails for what was not measured", () =>
    expect(messageOf(() => expect(anAggregate()).toScore("citation_coverage").atLeast(0))).toContain(
      "`citation_coverage` was not measured",
    ));
  it("refuses bounds that are no numbers", () =>
    expect(messageOf(() => expect(anAggregate()).toScore("RR").atLeast(NaN))).toContain(
      "has a value that no rule has",
    ));
});

describe("toPassGate", () => {
  it("holds rules against any result", () => {
    expect(aScoreComparison()).toPassGate([
      "nDCG@10 >= 0.45",
      "no loss of RR",
      { kind: "count", of: "losses", most: 2 },
    ]);
    expect(aReport()).toPassGate(["at most 1 regression"]);
    expect({ report: aReport() }).toEqual({ report: expect.toPassGate(["at most 1 regression"]) });
  });
  it("lists the rules that failed, with their runs", () => {
    expect(
      messageOf(() =>
        expect(aScoreComparison()).toPassGate(["RR >= 0.5", "nDCG@10 >= 0.5", "verdict is better"]),
      ),
    ).toBe(
      "expected every rule to pass, but 2 of 3 did not:\n  ✗ nDCG@10 >= 0.5 (`after`): nDCG@10 is " +
        "0.45, not at least 0.5\n  ✗ verdict is better (`after`): the verdict is worse: after is " +
        "worse than before in nDCG@10",
    );
  });
  it("with not, wants a rule that fails because of a value", () => {
    expect(aScoreComparison()).not.toPassGate(["RR >= 0.5", "verdict is better"]);
    expect(messageOf(() => expect(anAggregate()).not.toPassGate(["verdict is better"]))).toContain(
      "needs a baseline",
    );
  });
  it("refuses rules that cannot be read", () =>
    expect(messageOf(() => expect(anAggregate()).toPassGate(["good"]))).toContain(
      "rules[0]: cannot be read as a rule, got `good`",
    ));
  it("waits with poll", async () => {
    let polls = 0;
    await expect
      .poll(() => anEvaluation({ metrics: { RR: ++polls / 10 } }), { interval: 1 })
      .toPassGate(["RR >= 0.3"]);
    expect(polls).toBe(3);
  });
});

it("both are typed", () => {
  expectTypeOf(expect(anAggregate()).toScore).parameters.toEqualTypeOf<[metric: string]>();
  expectTypeOf<ScoreExpectation["atLeast"]>().toEqualTypeOf<(bound: number) => void>();
  // @ts-expect-error -- a bound is a number; the line is never run
  const wrong = () => expect(anAggregate()).toScore("RR").atLeast("0.5");
  expect(wrong).toBeTypeOf("function");
});

describe("toScore where Vitest knows no current test", () => {
  const evaluation = evaluate(new Map([["q", ["a"]]]), new Map([["q", new Map([["a", 1]])]]), ["RR"]);
  it.concurrent("holds after a concurrent test has waited", async ({ expect }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(evaluation).toScore("RR").atLeast(0.2);
  });
  it.concurrent("while another one waits", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
  });
  it.concurrent.fails("blames the test whose expect it is", async ({ expect }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(evaluation).toScore("RR");
  });
  it("hears of a bound that comes later, in every repetition", { repeats: 1 }, async ({ expect }) => {
    const scored = expect(evaluation).toScore("RR");
    await new Promise((resolve) => setTimeout(resolve, 5));
    scored.atLeast(0.2);
  });
  it.concurrent("and not one that ends after it", async ({ expect }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(evaluation).toScore("RR").atLeast(0.2);
  });
  beforeAll(() => expect(evaluation).toScore("RR").atLeast(0.2));
});
