import { describe, expect, it } from "vitest";
import { compareScores, gate } from "../../src/index.js";
import { renderGateText, renderGithubAnnotations } from "../../src/report/index.js";
import type { GatedRule } from "../../src/records/index.js";
import { aScoreComparison } from "../support/gated-results.js";
import { pattern } from "../support/pattern.js";

/** The rule held against a run whose queries differ from a baseline of 0.5 by these. */
function held(
  rule: string,
  differences: readonly number[],
  {
    higherIsBetter = true,
    ...options
  }: { higherIsBetter?: boolean; test?: "randomization" | "t"; tolerance?: number } = {},
): GatedRule {
  const table = (run: string, scores: readonly number[]) => ({
    run,
    metrics: [{ name: "RR", card: { higher_is_better: higherIsBetter, range: [0, 1] as [number, number] } }],
    queryIds: scores.map((_, at) => `q${at}`),
    columns: [scores],
  });
  const comparison = compareScores(
    [
      table(
        "a",
        differences.map(() => 0.5),
      ),
      table(
        "b",
        differences.map((difference) => 0.5 + difference),
      ),
    ],
    options,
  );
  return gate(comparison, [rule]).rules[0] as GatedRule;
}
const times = (count: number, difference: number): number[] => new Array<number>(count).fill(difference);
/** Differences around a mean, as different as those of search. */
const spread = (count: number, middle: number): number[] =>
  Array.from({ length: count }, (_, at) => middle + (at % 2 === 0 ? 0.05 : -0.05));

describe("METRIC not worse by NUMBER", () => {
  it("passes only where the interval excludes a larger loss", () => {
    expect(held("RR not worse by 0.02", spread(400, 0))).toMatchObject({
      passed: true,
      value: 0,
      why: expect.stringMatching(
        /^RR differs by 0\.0000, interval -0\.0049 to \+0\.0050: a loss of more than 0\.02 is ruled out$/,
      ) as string,
    });
    expect(held("RR not worse by 0.02", spread(400, -0.01)).passed).toBe(true);
    expect(held("RR not worse by 0", spread(400, 0.01)).passed).toBe(true);
    expect(held("RR not worse by 0.02", spread(400, -0.03))).toMatchObject({
      passed: false,
      why: expect.stringMatching(/: all of the interval is a loss of more than 0\.02$/) as string,
    });
  });
  it.each([0, 0.4])("fails with fewer than five queries that have no interval, by %d each", (difference) => {
    expect(held("RR not worse by 0.02", times(4, difference))).toMatchObject({ passed: false });
    const table = (run: string, of: readonly number[], other: readonly number[]) => ({
      run,
      metrics: ["P", "RR"].map((name) => ({
        name,
        card: { higher_is_better: true, range: [0, 1] as [number, number] },
      })),
      queryIds: of.map((_, at) => `q${at}`),
      columns: [of, other],
    });
    const few = (score: number): number[] => Array.from({ length: 30 }, (_, at) => (at < 3 ? score : NaN));
    const comparison = compareScores([
      table("a", spread(30, 0.5), few(0.5)),
      table("b", spread(30, 0.6), few(0.5 + difference)),
    ]);
    expect(gate(comparison, ["RR not worse by 0.02"]).rules[0]).toMatchObject({
      passed: false,
      why: expect.stringMatching(/over 3 queries; at least 5 are needed$/) as string,
    });
  });
  it("passes with a word where queries that nobody asked could hold such a loss", () => {
    // 0.942^50 = 0.05: of 100 samples of 50 five hold none of the 5.8 % that could lose all they have.
    const share =
      /: a loss of more than 0\.02 is ruled out; 50 queries can miss what changes in 5\.8 % of all$/;
    expect(held("RR not worse by 0.02", spread(50, 0.01)).why).toMatch(share);
    expect(held("RR not worse by 0.06", spread(50, 0.01)).why).toMatch(/ruled out$/);
    // 200 queries can miss 1.5 %: 0.985 x 0.01 + 0.015 x 1 is more than 0.02, and 0.015 x 1 is not.
    expect(held("RR not worse by 0.02", spread(200, -0.01)).why).toMatch(
      /ruled out; 200 queries can miss what /,
    );
    expect(held("RR not worse by 0.02", spread(200, 0)).why).toMatch(/ruled out$/);
    expect(held("RR not worse by 0.02", times(20, 0.25)).why).toMatch(/differ by the same can tell$/);
  });
  it("fails where it cannot tell, and says how many queries are needed: 5 of 20 lost", () => {
    const lost = [...times(5, -0.5), ...times(15, 0)];
    const { passed, why } = held("RR not worse by 0.02", lost);
    expect(passed).toBe(false);
    expect(why).toBe(
      "RR differs by -0.1250, interval -0.2290 to -0.0210: all of the interval is a loss of more than 0.02",
    );
    expect(held("RR not worse by 0.02", [...times(3, -0.5), ...times(17, 0)]).why).toMatch(
      pattern(
        /cannot tell whether the loss is more than 0\.02; with a /,
        /difference like this one no number of queries rules it out$/,
      ),
    );
    // No loss in the mean, and still an interval that reaches far below.
    const even = [...times(5, -0.3), ...times(5, 0.3), ...times(10, 0)];
    expect(held("RR not worse by 0.02", even).why).toMatch(
      pattern(
        /^RR differs by 0\.0000, interval -0\.\d{4} to \+0\.\d{4}: cannot tell /,
        /whether the loss is more than 0\.02; about (\d+) queries needed, there are 20$/,
      ),
    );
  });
  it("so many queries of the same kind do tell, in most samples", () => {
    const even = [...times(5, -0.3), ...times(5, 0.3), ...times(10, 0)];
    const needed = Number(/about (\d+)/.exec(held("RR not worse by 0.02", even).why)?.[1]);
    // sd = 0.2176, margin 0.02: ((1.96 + 0.84) * sd / 0.02)^2 = 929 of the normal distribution.
    expect(needed).toBeGreaterThan(920);
    expect(needed).toBeLessThan(940);
    const repeats = Math.ceil(needed / 20);
    expect(held("RR not worse by 0.02", Array.from({ length: repeats }, () => even).flat()).passed).toBe(
      true,
    );
  });
  it("takes the direction of the metric", () => {
    expect(held("RR not worse by 0.02", spread(400, 0.03), { higherIsBetter: false }).passed).toBe(false);
    expect(held("RR not worse by 0.02", spread(400, -0.03), { higherIsBetter: false }).passed).toBe(true);
    expect(held("RR not worse by 0.02", spread(40, 0.01), { higherIsBetter: false }).why).toMatch(
      /cannot tell .* about \d+ queries needed, there are 40$/,
    );
  });
  it("runs that are the same pass; runs that differ by the same everywhere are taken at their word", () => {
    expect(held("RR not worse by 0", times(20, 0))).toMatchObject({
      passed: true,
      why:
        "RR differs by 0.0000 on every query: no loss of more than 0, as far as queries that all differ " +
        "by the same can tell; 20 queries can miss what changes in 14 % of all",
    });
    expect(held("RR not worse by 0.02", times(20, -0.01)).passed).toBe(true);
    expect(held("RR not worse by 0.02", times(20, -0.03)).passed).toBe(false);
  });
  it("too few queries, no statistics and no such metric fail", () => {
    expect(held("RR not worse by 0.02", times(4, 0))).toMatchObject({ passed: false, value: null });
    expect(held("nDCG not worse by 0.02", times(20, 0))).toMatchObject({ passed: false, value: null });
  });
});

describe("no significant loss", () => {
  it("warns where it could not have failed: 5 of 20 lost", () => {
    const rule = held("no significant loss of RR", [...times(5, -0.5), ...times(15, 0)]);
    expect(rule).toMatchObject({
      passed: true,
      warning:
        "could not have failed: with 5 queries that differ no p value is below 0.05; " +
        "`RR not worse by 0.02` can",
    });
    const report = { schema_version: 1 as const, passed: true, rules: [rule] };
    expect(renderGateText(report)).toContain(". Warning: could not have failed");
    expect(renderGithubAnnotations({ gate: report })).toContain("::warning title=no significant loss of RR");
  });
  it("warns where it could not have failed for the tests beside it", () => {
    const lost = [...times(7, -0.5), ...times(13, 0)];
    const table = (run: string, scores: readonly number[]) => ({
      run,
      metrics: ["RR", "AP", "P@1", "P@3", "P@5", "P@10"].map((name) => ({
        name,
        card: { higher_is_better: true, range: [0, 1] as [number, number] },
      })),
      queryIds: scores.map((_, at) => `q${at}`),
      columns: new Array(6).fill(scores),
    });
    const [a, b] = [
      table("a", times(20, 0.5)),
      table(
        "b",
        lost.map((each) => 0.5 + each),
      ),
    ];
    b.columns = b.columns.map((column, at) => (at < 2 ? column : (a as typeof b).columns[0]));
    const ruleFor = (correction: "holm" | "none") =>
      gate(compareScores([a, b], { primary: "RR", correction }), ["no significant loss of AP"]).rules[0];
    expect(ruleFor("holm")).toMatchObject({
      passed: true,
      warning:
        "could not have failed: with 7 queries that differ, among 5 tests, no p value is below 0.05; " +
        "`AP not worse by 0.02` can",
    });
    expect(ruleFor("none")).toMatchObject({ passed: false });
  });
  it("does not warn of a rule that failed, whatever the tolerance calls equal", () => {
    const small = [...times(4, -0.5), ...times(8, -0.01)];
    const rule = held("no significant loss of RR", small, { tolerance: 0.3 });
    expect(rule.passed).toBe(false);
    expect(rule).not.toHaveProperty("warning");
  });
  it("does not warn where it could have failed, or where nothing was lost", () => {
    expect(held("no significant loss of RR", [...times(6, -0.5), ...times(15, 0)])).toMatchObject({
      passed: false,
    });
    for (const [differences, test] of [
      [[...times(6, -0.5), ...times(15, 0)], "randomization"],
      [[...times(5, 0.5), ...times(15, 0)], "randomization"],
      [times(20, 0), "randomization"],
      [[...times(5, -0.5), ...times(15, 0)], "t"],
    ] as const)
      expect(held("no significant loss of RR", differences, { test })).not.toHaveProperty("warning");
    expect(gate(aScoreComparison(), ["no significant loss of nDCG@10"]).rules[0]).not.toHaveProperty(
      "warning",
    );
  });
});
