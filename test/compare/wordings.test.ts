import { describe, expect, it } from "vitest";
import { compareRuns, compareScores, gate, type Golden } from "../../src/index.js";
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
const rowOf = (report: ReturnType<typeof compareRuns>) =>
  present(present(report.statistics?.comparisons[0]).metrics.find(({ metric }) => metric === "MRR@10"));

describe("queries that are wordings of one intent", () => {
  it("are no queries of their own for a verdict", () => {
    const { a, b, golden } = compared(8, 5, 3);
    const report = compareRuns(a, b, golden);
    const row = rowOf(report);
    expect(row.p).toBeLessThan(0.001);
    // Three sums of eight, of which every flip is as likely: 2 of 8.
    expect(row.by_group).toMatchObject({ groups: 8, p: 0.25, p_adjusted: 0.25 });
    const { verdict } = present(report.statistics?.comparisons[0]);
    expect(verdict).toMatchObject({ kind: "inconclusive", queries_needed: null });
    expect(verdict.headline).toMatch(/^MRR@10 rose by 0\.1875 \(interval .*, p < 0\.0001\), but the 40 /);
    expect(verdict.headline).toMatch(
      / 40 queries are wordings of 8 intents \(`group`\), which do not decide it \(interval .*, p = 0\.25/,
    );
    expect(renderCompareText(report)).toContain("INCONCLUSIVE  MRR@10 rose by 0.1875");
    const alone = golden.map(({ group: _, ...each }) => each);
    expect(compareRuns(a, b, alone).statistics?.comparisons[0]?.verdict.kind).toBe("better");
    expect(rowOf(compareRuns(a, b, alone)).by_group).toBeUndefined();
  });

  it("decide together where the intents do", () => {
    const { a, b, golden } = compared(12, 3, 11);
    const report = compareRuns(a, b, golden);
    expect(report.statistics?.comparisons[0]?.verdict.kind).toBe("better");
    expect(rowOf(report).by_group?.p).toBeCloseTo(2 / 2 ** 11, 10);
  });

  it("make an interval wider that rules a loss out", () => {
    const { a, b, golden } = compared(12, 5, 1);
    const loss = compareRuns(b, a, golden);
    const { interval, by_group } = rowOf(loss);
    expect(by_group?.interval?.low).toBeLessThan(present(interval).low);
    const between = -(present(interval).low + present(by_group?.interval).low) / 2;
    const rule = `MRR@10 not worse by ${between.toFixed(4)}`;
    expect(gate(loss, [rule]).passed).toBe(false);
    const alone = golden.map(({ group: _, ...each }) => each);
    expect(gate(compareRuns(b, a, alone), [rule]).passed).toBe(true);
    const few = compared(3, 10, 0);
    expect(gate(compareRuns(few.a, few.b, few.golden), ["MRR@10 not worse by 0.02"]).rules[0]?.why).toBe(
      "MRR@10 differs by 0.0000 over wordings of 3 intents; at least 5 are needed",
    );
  });

  it("are tested by their sums, and have the interval of what each adds to the mean", () => {
    const sizes = [1, 1, 2, 3, 1, 4, 2];
    const groups = sizes.flatMap((size, group) => Array.from({ length: size }, () => group));
    const differences = groups.map((group, at) => Math.round(100 * Math.sin(3 * group + at)) / 200);
    const ids = groups.map((_, at) => `q${at}`);
    const card = { description: "", range: [-1, 1], higher_is_better: true } as never;
    const table = (run: string, scores: readonly number[]) => ({
      run,
      metrics: [{ name: "m", card }],
      queryIds: ids,
      columns: [scores],
    });
    const known = new Map(ids.map((id, at) => [id, { group: `g${groups[at] as number}` }]));
    const { comparisons } = compareScores(
      [
        table(
          "a",
          ids.map(() => 0),
        ),
        table("b", differences),
      ],
      { known },
    );
    const found = present(comparisons[0]?.metrics[0]?.by_group);
    const sums = sizes.map((_, group) =>
      differences.filter((__, at) => groups[at] === group).reduce((sum, each) => sum + each, 0),
    );
    expect(found.groups).toBe(7);
    expect(found.p).toBeCloseTo(randomizationTest(sums).p, 12);
    const all = differences.reduce((sum, each) => sum + each, 0) / differences.length;
    const shares = sums.map(
      (sum, at) => all + (7 / differences.length) * (sum - (sizes[at] as number) * all),
    );
    const [wanted] = differenceIntervals([shares], { seed: 1 });
    expect(found.interval?.low).toBeCloseTo(present(wanted?.interval).low, 3);
    expect(found.interval?.high).toBeCloseTo(present(wanted?.interval).high, 3);
  });
});
