import { describe, expect, it } from "vitest";
import {
  compareRuns,
  compareScores,
  compareSeveralRuns,
  gate,
  reportRun,
  type Golden,
  type GoldenQuery,
} from "../../src/index.js";
import type { StatisticsOptions } from "../../src/compare/index.js";
import { differenceIntervals, randomizationTest } from "../../src/stats/index.js";
import { renderCompareText } from "../../src/report/index.js";
import { present } from "../support/present.js";
import { aRun, hit, query, result } from "../support/records.js";

/** So many intents of as many wordings each, the first few of which find the document one rank higher. */
function compared(intents: number, wordings: number, improved: number) {
  const ids = Array.from({ length: intents * wordings }, (_, at) => `q${at}`);
  const golden: Golden = ids.map((id, at) =>
    query(id, { expected_chunk_ids: [id], group: `intent ${Math.floor(at / wordings)}` }),
  );
  const run = (run_id: string, found: (intent: number) => readonly string[]) =>
    aRun({
      run_id,
      results: ids.map((id, at) =>
        result(
          id,
          [...found(Math.floor(at / wordings)), id].map((each) => hit(each)),
        ),
      ),
    });
  const [a, b] = [run("a", () => ["other"]), run("b", (intent) => (intent < improved ? [] : ["other"]))];
  return { a, b, golden };
}
const withoutGroups = (golden: readonly GoldenQuery[]): GoldenQuery[] =>
  golden.map((each) => ({ ...each, group: null }));

/** Queries that stand alone, of another language. */
const alone = (lang: string, count: number): GoldenQuery[] =>
  Array.from({ length: count }, (_, at) => ({
    ...query(`${lang}${at}`, { expected_chunk_ids: ["x"] }),
    lang,
  }));

/** A baseline of zeros, and what is so far from it, by query, each of a group. */
function ofDifferences(
  groups: readonly number[],
  differences: readonly number[],
  options: StatisticsOptions = {},
) {
  const card = { description: "", range: [-1, 1], higher_is_better: true } as never;
  const queryIds = groups.map((_, at) => `q${at}`);
  const table = (run: string, scores: readonly number[]) => ({
    run,
    metrics: [{ name: "m", card }],
    queryIds,
    columns: [scores],
  });
  const known = new Map(queryIds.map((id, at) => [id, { group: `g${groups[at] as number}` }]));
  const zeros = differences.map(() => 0);
  return compareScores([table("a", zeros), table("b", differences)], { ...options, known });
}

const rowOf = (report: ReturnType<typeof compareRuns>) =>
  present(present(report.statistics?.comparisons[0]).metrics.find(({ metric }) => metric === "MRR@10"));

describe("queries that are wordings of one intent", () => {
  it("are no queries of their own for a verdict", () => {
    const { a, b, golden } = compared(8, 5, 3);
    const report = compareRuns(a, b, golden);
    const row = rowOf(report);
    expect(row.by_query?.p).toBeLessThan(0.001);
    // Three sums of eight, of which every flip is as likely: 2 of 8.
    expect(row.by_group).toMatchObject({ groups: 8, p: 0.25 });
    expect(row).toMatchObject({ p: 0.25, p_adjusted: 0.25 });
    const { verdict } = present(report.statistics?.comparisons[0]);
    expect(verdict).toMatchObject({ kind: "inconclusive", queries_needed: null });
    expect(verdict.headline).toMatch(/^MRR@10 rose by 0\.1875 \(interval .*, p < 0\.0001\), but the 40 /);
    expect(verdict.headline).toMatch(
      / 40 queries are wordings of 8 intents \(`group`\), by which it is not decided \(.*, p = 0\.25/,
    );
    expect(renderCompareText(report)).toContain("INCONCLUSIVE  MRR@10 rose by 0.1875");
    const alone = withoutGroups(golden);
    expect(compareRuns(a, b, alone).statistics?.comparisons[0]?.verdict.kind).toBe("better");
    expect(rowOf(compareRuns(a, b, alone)).by_group).toBeUndefined();
  });

  it("decide together where the intents do", () => {
    const { a, b, golden } = compared(12, 3, 11);
    const report = compareRuns(a, b, golden);
    expect(report.statistics?.comparisons[0]?.verdict.kind).toBe("better");
    expect(rowOf(report).by_group?.p).toBeCloseTo(2 / 2 ** 11, 10);
  });

  it.each(["sign", "wilcoxon"] as const)(
    "decide nothing where the %s test of intents points elsewhere",
    (test) => {
      const sizes = [...Array.from({ length: 5 }, () => 8), ...Array.from({ length: 14 }, () => 1)];
      const groups = sizes.flatMap((size, group) => Array.from({ length: size }, () => group));
      const found = ofDifferences(
        groups,
        groups.map((group) => (group < 5 ? 0.5 : -0.3 - group / 1000)),
        { test },
      );
      expect(found.comparisons[0]?.metrics[0]?.by_group).toMatchObject({ groups: 19, is_opposed: true });
      expect(found.comparisons[0]?.verdict.kind).toBe("inconclusive");
      expect(found.comparisons[0]?.verdict.headline).toContain("by which the test points the other way");
    },
  );

  it("are too few below five intents, whatever the test", () => {
    const groups = Array.from({ length: 60 }, (_, at) => at % 3);
    const of = (size: number, options: StatisticsOptions) =>
      ofDifferences(
        groups,
        groups.map((group, at) => size * (10 + group + (at % 7) / 10)),
        options,
      ).comparisons[0]?.verdict;
    expect(of(0.01, { test: "t" })?.kind).toBe("inconclusive");
    expect(of(0.01, { test: "t" })?.headline).toContain(
      "wordings of 3 intents (`group`); at least 5 are needed",
    );
    expect(of(0.0001, { margin: 0.02 })?.kind).toBe("inconclusive");
  });

  it("break no guard, tell no slice and no pair of several runs apart that intents do not", () => {
    const { a, b, golden } = compared(8, 5, 3);
    const sliced = golden.map((each) => ({ ...each, lang: "en" }));
    const report = compareRuns(b, a, [...sliced, ...alone("de", 8)], { statistics: { guards: ["hit@1"] } });
    const { verdict, slices } = present(report.statistics?.comparisons[0]);
    expect(verdict.kind).toBe("inconclusive");
    expect(verdict.guards[0]?.is_held).toBe(true);
    expect(
      slices.find(({ value }) => value === "en")?.metrics.find(({ metric }) => metric === "MRR@10"),
    ).toMatchObject({ p: 0.25, pairs: 40 });
    expect(gate(report, ["no significant loss of MRR@10"]).passed).toBe(true);
    const several = compareSeveralRuns([a, b, { ...a, run_id: "c" }], golden);
    const [pair] = several.all_pairs ?? [];
    expect(pair).toMatchObject({ run_a: "a", run_b: "b", p: 0.25 });
    const letters = several.leaderboard?.map(
      ({ scores }) => scores.find(({ metric }) => metric === "hit@1")?.groups,
    );
    expect(new Set(letters?.flat())).toEqual(new Set(["a"]));
  });

  it("pass nothing where they are too few, or tell nothing by the test", () => {
    const { a, b, golden } = compared(3, 20, 3);
    const loss = compareRuns(b, a, golden, { statistics: { guards: ["hit@1"] } });
    expect(
      gate(loss, ["no significant loss of MRR@10", "MRR@10 not worse by 0.02"]).rules.map(
        ({ passed }) => passed,
      ),
    ).toEqual([false, false]);
    expect(loss.statistics?.comparisons[0]?.verdict.guards[0]?.is_held).toBe(false);
    // All five of five lost are two of 32 flips.
    const five = compared(5, 20, 5);
    expect(
      gate(compareRuns(five.b, five.a, five.golden), ["no significant loss of MRR@10"]).rules[0],
    ).toMatchObject({
      passed: true,
      warning: expect.stringMatching(
        /^could not have failed: with 5 intents that differ no p value is below 0\.05/,
      ) as string,
    });
    // Every intent loses by the same, of which Student's t says nothing.
    const groups = Array.from({ length: 60 }, (_, at) => Math.floor(at / 3));
    const same = ofDifferences(
      groups,
      groups.map((_, at) => -0.1 - (at % 3) / 10),
      { test: "t" },
    );
    expect(gate(same, ["no significant loss of m"]).passed).toBe(false);
    // Half of the wordings gain what the others lose, in every intent.
    const torn = ofDifferences(
      groups,
      groups.map((_, at) => [0.3, -0.3, 0][at % 3] as number),
    );
    expect(gate(torn, ["m not worse by 0.02"]).passed).toBe(false);
    expect(torn.comparisons[0]?.metrics[0]?.interval).toEqual(
      torn.comparisons[0]?.metrics[0]?.by_query?.interval,
    );
  });

  it("leave a guard unbroken that queries would not break, and Holm its own words", () => {
    const groups = Array.from({ length: 60 }, (_, at) => at % 4);
    const noise = groups.map((_, at) => ((at * 7) % 11) / 100 - 0.0505);
    const verdictOf = (differences: readonly number[]) =>
      ofDifferences(groups, differences, { guards: ["m"] }).comparisons[0]?.verdict;
    expect(verdictOf(noise)).toMatchObject({ kind: "inconclusive", guards: [{ is_held: true }] });
    expect(verdictOf(noise)?.headline).toContain("wordings of 4 intents (`group`); at least 5 are needed");
    const lost = verdictOf(noise.map((each) => each - 0.3));
    expect(lost?.guards[0]?.is_held).toBe(false);
    expect(lost?.guards[0]?.why).toContain("over wordings of 4 intents; at least 5 are needed");
    // By queries within the margin, by intents surely beyond 0: decided, and not said to be undecided.
    const twelve = Array.from({ length: 48 }, (_, at) => at % 12);
    const moved = twelve.map((group, at) => 0.0168 + (group % 2 === 0 ? 0.011 : -0.011) + (at % 4) / 1000);
    const decided = ofDifferences(twelve, moved, { margin: 0.01 }).comparisons[0]?.verdict;
    expect(decided?.headline).not.toMatch(decided?.kind === "inconclusive" ? /^$/ : /not decided/);
  });

  it("make no p value smaller than that of the queries, in pairs of runs and slices either", () => {
    const groups = Array.from({ length: 60 }, (_, at) => at % 30);
    // What one wording gains the other loses, but for a little.
    const differences = groups.map((group, at) => (at < 30 ? 0.3 : -0.3) + 0.01 + group / 10_000);
    const { comparisons } = ofDifferences(groups, differences);
    const [row] = comparisons[0]?.metrics ?? [];
    expect(row?.by_group?.p).toBeLessThan(0.001);
    expect(row?.p).toBe(row?.by_query?.p);
    expect(row?.p).toBeGreaterThan(0.1);
    // So many as queries would need, whose differences vary more.
    expect(row?.queries_needed).toBeGreaterThan(1000);
  });

  it("are all there is within a slice of one intent", () => {
    const { a, golden } = compared(5, 10, 5);
    const report = compareRuns(a, { ...a, run_id: "same" }, golden);
    expect(gate(report, ["no slice worse"]).rules[0]).toMatchObject({
      passed: true,
      why: "none of 5 slices has a significant loss of MRR@10",
    });
  });

  it("make an interval wider that rules a loss out", () => {
    const { a, b, golden } = compared(12, 5, 1);
    const loss = compareRuns(b, a, golden);
    const { interval, by_query } = rowOf(loss);
    expect(interval?.low).toBeLessThan(present(by_query?.interval).low);
    const between = -(present(interval).low + present(by_query?.interval).low) / 2;
    const rule = `MRR@10 not worse by ${between.toFixed(4)}`;
    expect(gate(loss, [rule]).passed).toBe(false);
    const alone = withoutGroups(golden);
    expect(gate(compareRuns(b, a, alone), [rule]).passed).toBe(true);
    const few = compared(3, 10, 0);
    expect(gate(compareRuns(few.a, few.b, few.golden), ["MRR@10 not worse by 0.02"]).rules[0]?.why).toBe(
      "MRR@10 differs by 0.0000 over wordings of 3 intents; at least 5 are needed",
    );
  });

  it("are tested by their sums, and have the interval of the jackknife by group", () => {
    const sizes = [1, 1, 2, 3, 1, 4, 2];
    const groups = sizes.flatMap((size, group) => Array.from({ length: size }, () => group));
    const differences = groups.map((group, at) => Math.round(100 * Math.sin(3 * group + at)) / 200);
    const { comparisons } = ofDifferences(groups, differences);
    const found = present(comparisons[0]?.metrics[0]?.by_group);
    const sums = sizes.map((_, group) =>
      differences.filter((__, at) => groups[at] === group).reduce((sum, each) => sum + each, 0),
    );
    expect(found.groups).toBe(7);
    expect(found.p).toBeCloseTo(randomizationTest(sums).p, 12);
    const all = differences.reduce((sum, each) => sum + each, 0) / differences.length;
    const without = sums.map(
      (sum, at) => (all * differences.length - sum) / (differences.length - (sizes[at] as number)),
    );
    const middle = without.reduce((sum, each) => sum + each, 0) / 7;
    const shares = without.map((each) => all - 6 * (each - middle));
    // 14 queries in groups of these sizes say as much as 14 ** 2 / 36 groups of one size.
    expect(found.effective).toBe(5.4444);
    const [wanted] = differenceIntervals([shares], { seed: 1, degrees: [196 / 36 - 1] });
    expect(found.interval?.low).toBeCloseTo(present(wanted?.interval).low, 3);
    expect(found.interval?.high).toBeCloseTo(present(wanted?.interval).high, 3);
  });

  it("are too few where one intent has most of the wordings, however many there are", () => {
    const sizes = [40, 2, 2, 2, 2, 2];
    const groups = sizes.flatMap((size, group) => Array.from({ length: size }, () => group));
    const { comparisons } = ofDifferences(
      groups,
      groups.map((group, at) => 0.2 + group / 100 + (at % 7) / 1000),
    );
    const [row] = present(comparisons[0]).metrics;
    expect(row).toMatchObject({ p: null, interval: null, by_group: { groups: 6, effective: 1.5432 } });
    expect(comparisons[0]?.verdict).toMatchObject({ kind: "inconclusive" });
    expect(comparisons[0]?.verdict.headline).toContain(
      "wordings of 6 intents of such unequal sizes that they say as much as 1.5 of one size (`group`); " +
        "at least 5 are needed",
    );
  });

  it("count once in the intervals of means, of a run alone and of several", () => {
    const { a, b, golden } = compared(12, 5, 5);
    const scored = golden.map((each) => ({ ...each, lang: "en" }));
    const widthOf = (interval: { low: number; high: number } | null | undefined): number =>
      present(interval).high - present(interval).low;
    const ofRun = (given: Golden) => {
      const report = reportRun(b, given);
      return report.metrics.find(({ metric }) => metric === "MRR@10")?.interval;
    };
    const ofThree = (given: Golden) => {
      const several = compareSeveralRuns([a, b, { ...b, run_id: "c" }], given);
      return several.leaderboard?.[1]?.scores.find(({ metric }) => metric === "MRR@10")?.interval;
    };
    // 12 intents say what 12 queries say, not 60.
    const [alone12] = differenceIntervals([Array.from({ length: 12 }, (_, at) => (at < 5 ? 1 : 0.5))], {
      least: [0],
      most: [1],
    });
    for (const intervalOf of [ofRun, ofThree]) {
      expect(widthOf(intervalOf(scored))).toBeCloseTo(widthOf(alone12?.interval), 2);
      expect(widthOf(intervalOf(withoutGroups(scored)))).toBeLessThan(widthOf(alone12?.interval) / 2);
    }
    const few = compared(4, 5, 2);
    expect(reportRun(few.b, few.golden).metrics.every(({ interval }) => interval === null)).toBe(true);
  });
});
