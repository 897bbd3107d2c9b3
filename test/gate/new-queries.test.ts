import { describe, expect, it } from "vitest";
import { compareRuns, compareSeveralRuns, compareSystems, gate } from "../../src/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import { renderCompareText, renderReportHtml } from "../../src/report/index.js";
import { aRun, hit, query, result } from "../support/records.js";
import type { EvalRun, QueryResult } from "../../src/records/index.js";
import { present } from "../support/present.js";

const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const [OLD, NEW] = [ids("old", 30), ids("new", 30)];
const golden = [...OLD, ...NEW].map((id) => query(id, { expected_chunk_ids: [id], expected_doc_ids: [id] }));
/** A run that finds what it is asked, but for some of the queries. */
const finding = (run_id: string, asked: readonly string[], missed: readonly string[] = []) =>
  aRun({
    run_id,
    results: asked.map((id) => result(id, [hit(missed.includes(id) ? "other" : id)])),
  });
const baseline = finding("baseline", OLD);

describe("queries that came into the golden set after the baseline was recorded", () => {
  const RULES = [
    "verdict is not worse",
    "MRR@10 not worse by 0.02",
    "no significant loss of MRR@10",
    "no loss of MRR@10",
    "at most 0.1 loss of MRR@10",
  ];
  const worse = finding("worse", [...OLD, ...NEW], OLD.slice(0, 10));

  it("hide no loss in those that the baseline was asked", () => {
    const report = compareRuns(baseline, worse, golden);
    const comparison = present(report.statistics?.comparisons[0]);
    expect(comparison.metrics.find(({ metric }) => metric === "MRR@10")?.difference).toBe(0.3333);
    expect(comparison.answered_by_both?.metrics.find(({ metric }) => metric === "MRR@10")).toMatchObject({
      difference: -0.3333,
      pairs: 30,
    });
    expect(comparison.verdict).toMatchObject({
      kind: "worse",
      headline: expect.stringMatching(
        /^Over the 30 queries that the baseline answered: MRR@10 fell by 0\.3333 /,
      ) as string,
      reasons: expect.arrayContaining([
        expect.stringMatching(
          /^With 30 queries more, not asked or failed in the baseline, which the tables count as 0 there: /,
        ),
      ]) as string[],
    });
    expect(renderCompareText(report)).toContain("WORSE  Over the 30 queries");
    expect(comparison.answered_by_both?.decides).toBe(true);
    // The large numbers are those that the verdict speaks of.
    expect(renderReportHtml(report)).toMatch(/Difference<\/dt>\s*<dd[^>]*>[^<]*0\.3333/);
    expect(renderReportHtml(report)).toContain("−0.3333");
    const { rules } = gate(report, RULES);
    expect(rules.map(({ passed }) => passed)).toEqual(RULES.map(() => false));
    expect(rules[3]?.why).toBe(
      "over the queries that the baseline answered, MRR@10 differs by -0.3333, a loss",
    );
    const [ofSeveral] = compareSeveralRuns([baseline, worse, finding("other", OLD)], golden).comparisons;
    expect(ofSeveral?.verdict.kind).toBe("worse");
  });

  it("are no evidence that runs are alike", () => {
    // Of 30 queries the baseline was asked 5, and the other finds nothing but those.
    const few = finding("few", OLD.slice(0, 5));
    const collapsed = finding("collapsed", OLD, OLD.slice(5));
    const report = compareRuns(few, collapsed, golden.slice(0, 30));
    expect(report.statistics?.comparisons[0]).toMatchObject({
      verdict: {
        kind: "equivalent",
        headline: expect.stringMatching(
          /^Over the 5 queries that the baseline answered: Every one of the 5 queries has the same MRR@10 /,
        ) as string,
      },
      answered_by_both: { queries: 5, decides: true },
    });
    expect(gate(report, ["MRR@10 not worse by 0.02"]).rules[0]?.why).toMatch(
      /; over the queries that the baseline answered, .*5 queries/,
    );
  });

  it("are like those that failed in the baseline", () => {
    const broken = {
      ...baseline,
      results: [...baseline.results, ...NEW.map((id) => result(id, [], { error: "status 500" }))],
    };
    const report = compareRuns(broken, worse, golden, { statistics: { maxFailedShare: 0.6 } });
    expect(report.statistics?.comparisons[0]).toMatchObject({
      verdict: { kind: "worse" },
      answered_by_both: { queries: 30, decides: true },
    });
    expect(gate(report, RULES).rules.map(({ passed }) => passed)).toEqual(RULES.map(() => false));
    const [ofSystems] = compareSystems(
      [broken, worse].map((run) => ({ name: run.run_id, run })),
      new Map([...OLD, ...NEW].map((id) => [id, new Map([[id, 1]])])),
      ["RR"],
      { maxFailedShare: 0.6 },
    ).comparisons;
    expect(ofSystems?.verdict.kind).toBe("worse");
  });

  it("do not thin out a difference that is not decided, where neither was asked", () => {
    const few = finding("baseline", OLD.slice(0, 20));
    const same = {
      ...few,
      run_id: "same",
      results: few.results.map((each, at) =>
        at < 5 ? { ...each, hits_top_k: [hit("other"), ...each.hits_top_k] } : each,
      ),
    };
    const all = [...golden, ...ids("more", 940).map((id) => query(id, { expected_chunk_ids: [id] }))];
    const kinds = [golden.slice(0, 20), all].map(
      (set) => compareRuns(few, same, set).statistics?.comparisons[0]?.verdict.kind,
    );
    expect(kinds).toEqual(["inconclusive", "inconclusive"]);
  });

  it("hide no kind of query that got worse", () => {
    const sliced = golden.map((each, at) => ({ ...each, lang: at < 12 || at >= 30 ? "de" : "en" }));
    const poor = finding("baseline", OLD, OLD.slice(12, 24));
    const mixed = finding("mixed", [...OLD, ...NEW], OLD.slice(0, 9));
    const report = compareRuns(poor, mixed, sliced);
    expect(gate(report, ["no slice worse"]).rules[0]).toMatchObject({
      passed: false,
      why: expect.stringMatching(/`lang de`.*, over the queries that the baseline answered$/) as string,
    });
  });

  it("are tested as one family with the other runs", () => {
    const runs = ["a", "b", "c"].map((id) => finding(id, [...OLD, ...NEW], OLD.slice(0, 7)));
    for (const { answered_by_both } of compareSeveralRuns([baseline, ...runs], golden).comparisons) {
      const tested = answered_by_both?.metrics.find(({ metric }) => metric === "MRR@10");
      expect(tested?.p_adjusted).toBeCloseTo(3 * (tested?.p ?? NaN), 10);
    }
  });

  it("are no gain by themselves, and take none away", () => {
    const same = compareRuns(baseline, finding("same", [...OLD, ...NEW]), golden);
    expect(same.statistics?.comparisons[0]?.verdict.kind).toBe("equivalent");
    const poor = finding("poor", OLD, OLD.slice(0, 15));
    const better = compareRuns(poor, finding("better", [...OLD, ...NEW]), golden);
    expect(better.statistics?.comparisons[0]?.verdict).toMatchObject({ kind: "better" });
    expect(gate(better, RULES).passed).toBe(true);
  });

  it("pass no rule about a metric that the baseline answered no query of", () => {
    const refusals = ids("no", 5).map((id) => query(id, { expected_refusal: true }));
    const asked = finding("baseline", ids("no", 5));
    const report = compareRuns(asked, finding("run", [...ids("no", 5), ...NEW]), [
      ...refusals,
      ...golden.slice(30),
    ]);
    expect(gate(report, ["MRR@10 not worse by 0.02"]).rules[0]).toMatchObject({
      passed: false,
      why: "`MRR@10` was measured on no query that the baseline answered",
    });
  });

  it("decide nothing where the baseline was asked hardly anything else", () => {
    const report = compareRuns(finding("baseline", OLD.slice(0, 3)), worse, golden.slice(0, 33));
    expect(report.statistics?.comparisons[0]?.verdict.kind).toBe("inconclusive");
  });

  it("change nothing where nothing is new, or what both were asked is all that counts", () => {
    const answered = (report: ReturnType<typeof compareRuns>): unknown =>
      present(report.statistics?.comparisons[0]).answered_by_both;
    expect(answered(compareRuns(worse, baseline, golden))).toBeUndefined();
    expect(answered(compareRuns(baseline, worse, golden, { missingQueries: "skip" }))).toBeUndefined();
  });
});

describe("queries that judgments are of and the baseline was never asked", () => {
  const judged = new Map([...OLD, ...NEW].map((id) => [id, new Map([[id, 1]])]));
  const worse = finding("worse", [...OLD, ...NEW], OLD.slice(0, 10));
  const systems = [baseline, worse].map((run) => ({ name: run.run_id, run }));

  it("hide no loss of a recorded run", () => {
    const comparison = compareSystems(systems, judged, ["RR"]);
    expect(comparison.comparisons[0]).toMatchObject({
      verdict: { kind: "worse" },
      answered_by_both: { queries: 30, decides: true, metrics: [{ difference: -0.3333, pairs: 30 }] },
    });
    expect(gate(comparison, ["no loss of RR"]).passed).toBe(false);
    const left = compareSystems(systems, judged, ["RR"], { queries: "intersection" });
    expect(left.comparisons[0]).toMatchObject({
      verdict: { kind: "worse" },
      answered_by_both: { queries: 30 },
    });
  });

  it("may have been asked where a run is but lines of hits", () => {
    const lines = systems.map(({ name, run }) => ({
      name,
      run: new Map(
        run.results.map(({ query_id, hits_top_k }) => [query_id, hits_top_k.map(({ doc_id }) => doc_id)]),
      ),
    }));
    const [compared] = compareSystems(lines, judged, ["RR"]).comparisons;
    expect(compared?.verdict.kind).toBe("better");
    expect(compared?.answered_by_both).toBeUndefined();
  });
});

describe("systems that were asked for other numbers of hits", () => {
  const asked = (eval_k: number) => ({ ...finding(`k${eval_k}`, OLD), config_snapshot: { eval_k } });
  const verdictOf = (a: number, b: number, primary?: string) =>
    compareRuns(asked(a), asked(b), golden.slice(0, 30), { statistics: { primary } }).statistics
      ?.comparisons[0]?.verdict;

  it("are told apart by no metric that looks deeper than one of them was asked", () => {
    expect(verdictOf(5, 10)).toMatchObject({
      kind: "inconclusive",
      headline: expect.stringMatching(
        /^MRR@10 sees more of one run .*: the baseline has up to 5 hits a query, this run up to 10 \(/,
      ) as string,
    });
    expect(verdictOf(10, 5)?.kind).toBe("inconclusive");
    // Who finds less among more hits is worse, however many are asked for.
    const poor = { ...finding("poor", OLD, OLD.slice(0, 15)), config_snapshot: { eval_k: 10 } };
    const kindOf = (a: typeof poor, b: typeof poor): string | undefined =>
      compareRuns(a, b, golden.slice(0, 30)).statistics?.comparisons[0]?.verdict.kind;
    expect([kindOf(asked(5), poor), kindOf(poor, asked(5))]).toEqual(["worse", "better"]);
    expect(verdictOf(5, 10, "hit@5")?.kind).toBe("equivalent");
    expect(verdictOf(10, 20)?.kind).toBe("equivalent");
    expect(verdictOf(5, 5)?.kind).toBe("equivalent");
  });

  it("are no more alike for a limit that one of them does not keep", () => {
    const deep = (count: number) => {
      const run = asked(10);
      return {
        ...run,
        run_id: `of ${count}`,
        results: run.results.map((each) => ({
          ...each,
          hits_top_k: ids("x", count - 1)
            .map((id) => hit(id))
            .concat(hit(each.query_id)),
        })),
      };
    };
    const verdictOf = (...runs: readonly [EvalRun, EvalRun]) =>
      compareRuns(...runs, golden.slice(0, 30), {
        metrics: [parseMetric("R@100")],
        statistics: { primary: "R@100" },
      }).statistics?.comparisons[0]?.verdict;
    const verdict = verdictOf(deep(10), deep(60));
    expect(verdict).toMatchObject({
      kind: "inconclusive",
      headline:
        "R@100 sees more of one run than of the other: the baseline has up to 10 hits a query, this run up " +
        "to 60 (`eval_k`, --limit), and more hits alone make it better. Cut both at one limit, or decide " +
        "by a metric at 10.",
    });
    expect(verdictOf(deep(60), { ...deep(60), run_id: "other" })?.kind).toBe("equivalent");
    // What fewer hits have lost is lost, and what else was asked is beside the point.
    const cut = deep(60).results.map((each) => ({ ...each, hits_top_k: each.hits_top_k.slice(0, 10) }));
    expect(verdictOf(deep(60), { ...deep(10), results: cut })?.kind).toBe("worse");
    const [other] = deep(99).results.map((each) => ({ ...each, query_id: "other" }));
    const beside = { ...deep(10), results: [...deep(10).results, other as QueryResult] };
    expect(verdictOf(beside, { ...deep(10), run_id: "other" })?.kind).toBe("equivalent");
  });

  it("pass no rule about such a metric by having more of them", () => {
    const rules = ["MRR@10 not worse by 0.02", "no loss of MRR@10", "no significant loss of MRR@10"];
    const set = golden.slice(0, 30).map((each, at) => ({ ...each, lang: at % 2 === 0 ? "de" : "en" }));
    const of = (a: number, b: number, wanted: readonly string[]): (boolean | string)[] =>
      gate(compareRuns(asked(a), asked(b), set), wanted).rules.map(({ passed }) => passed);
    expect(of(5, 10, [...rules, "no slice worse"])).toEqual([false, false, false, false]);
    expect(gate(compareRuns(asked(5), asked(10), set), rules).rules[0]?.why).toMatch(/^MRR@10 sees more of /);
    // What finds as much among fewer hits is no worse.
    expect(of(10, 5, rules)).toEqual([true, true, true]);
    expect(of(5, 10, ["no loss of hit@5"])).toEqual([true]);
    // What counts the hits that came back falls by more of them, and rises by fewer.
    const judged = new Map(OLD.map((id) => [id, new Map([[id, 1]])]));
    const padded = (run: ReturnType<typeof asked>, count: number) => ({
      name: run.run_id,
      run: {
        ...run,
        results: OLD.map((id) =>
          result(
            id,
            [id, ...ids("x", count - 1)].map((each) => hit(each)),
          ),
        ),
      },
    });
    for (const systems of [
      [padded(asked(5), 5), padded(asked(10), 10)],
      [padded(asked(10), 10), padded(asked(5), 5)],
    ])
      expect(compareSystems(systems, judged, ["SetP"]).comparisons[0]?.verdict.kind).toBe("inconclusive");
  });

  it("hold no guard and hide no loss by such a metric", () => {
    const of = (a: number, b: number) =>
      compareRuns(asked(a), asked(b), golden.slice(0, 30), {
        statistics: { primary: "hit@5", guards: ["MRR@10"] },
      }).statistics?.comparisons[0]?.verdict;
    expect(of(5, 10)?.guards[0]).toMatchObject({
      is_held: false,
      why: expect.stringMatching(
        /^The guard MRR@10 is not shown to hold: MRR@10 sees more of one run/,
      ) as string,
    });
    expect(of(10, 5)?.guards[0]?.is_held).toBe(true);
  });

  it("are as far apart by judgments", () => {
    const judged = new Map(OLD.map((id) => [id, new Map([[id, 1]])]));
    const compared = (name: string) =>
      compareSystems(
        [asked(5), asked(10)].map((run) => ({ name: run.run_id, run })),
        judged,
        [name],
      );
    expect(compared("RR@10").comparisons[0]?.verdict.kind).toBe("inconclusive");
    expect(gate(compared("RR@10"), ["no loss of RR@10"]).passed).toBe(false);
    expect(compared("RR@5").comparisons[0]?.verdict.kind).toBe("equivalent");
  });
});
