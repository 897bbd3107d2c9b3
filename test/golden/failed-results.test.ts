import { describe, expect, it } from "vitest";
import { compareRuns, compareSeveralRuns, computeAggregate, renderReportMd } from "../../src/index.js";
import {
  renderAggregateText,
  renderCompareText,
  renderComparisonText,
  renderReportHtml,
} from "../../src/report/index.js";
import type { EvalRun } from "../../src/records/index.js";
import { aRun, hit, query, result } from "../support/records.js";

const ids = Array.from({ length: 20 }, (_, n) => `q${String(n).padStart(2, "0")}`);
const golden = ids.map((id) => query(id, { expected_chunk_ids: [`${id}#1`], expected_doc_ids: [id] }));

/** A run that finds everything, but for the queries that fail. */
function runThat(run_id: string, fails: (at: number) => string | null): EvalRun {
  return aRun({
    run_id,
    results: ids.map((id, at) => {
      const error = fails(at);
      return result(id, error === null ? [hit(`${id}#1`, 1)] : [], { error });
    }),
  });
}
const sound = runThat("sound", () => null);
const down = runThat("down", () => "connect ECONNREFUSED <b>127.0.0.1</b>:9200");
const shaky = runThat("shaky", (at) => (at < 3 ? "timeout" : at === 3 ? "bad *shape*" : null));

describe("results that failed", () => {
  it("are counted in an aggregate by what they say, the most frequent first", () => {
    const { failed_queries, failures } = computeAggregate(shaky, golden);
    expect(failed_queries).toBe(4);
    expect(failures).toEqual([
      { message: "timeout", count: 3, query_ids: ["q00", "q01", "q02"] },
      { message: "bad *shape*", count: 1, query_ids: ["q03"] },
    ]);
    expect(computeAggregate(sound, golden).failures).toEqual([]);
  });

  it("keep the ten most frequent messages, by id where they are as frequent", () => {
    const { failures } = computeAggregate(
      runThat("each its own", (at) => `no. ${at}`),
      golden,
    );
    expect(failures.map(({ message }) => message)).toEqual([
      "no. 0",
      "no. 1",
      "no. 10",
      "no. 11",
      "no. 12",
      "no. 13",
      "no. 14",
      "no. 15",
      "no. 16",
      "no. 17",
    ]);
  });

  it("are told in the terminal, Markdown and HTML: share, messages, queries", () => {
    const line = "4 of 20 results of shaky failed (20 %)";
    expect(renderAggregateText(computeAggregate(shaky, golden))).toContain(
      "4 of 20 results failed (20 %)\n  3 × timeout (q00, q01, q02)\n  1 × bad *shape* (q03)\n",
    );
    const report = compareRuns(sound, shaky, golden);
    expect(renderCompareText(report)).toContain(
      `${line}\n  3 × timeout (q00, q01, q02)\n  1 × bad *shape* (q03)\n`,
    );
    expect(renderReportMd(report)).toContain(
      `## Failed results\n\n${line}\n\n- 3 × timeout (q00, q01, q02)\n- 1 × bad &#42;shape&#42; (q03)\n`,
    );
    const page = renderReportHtml(compareRuns(sound, down, golden));
    expect(page).toContain("20 of 20 results of down failed (100 %)");
    expect(page).toContain("connect ECONNREFUSED &lt;b&gt;127.0.0.1&lt;/b&gt;:9200");
    const several = compareSeveralRuns([sound, shaky, down], golden);
    for (const text of [renderComparisonText(several), renderReportMd(several), renderReportHtml(several)]) {
      expect(text).toContain(line);
      expect(text).toContain("20 of 20 results of down failed (100 %)");
    }
    for (const render of [renderReportMd, renderReportHtml])
      expect(render(compareRuns(sound, { ...sound, run_id: "copy" }, golden))).not.toMatch(/results failed/);
  });

  it("make runs incomparable from more than 20 % on, in either run: a crash is no loss of quality", () => {
    const verdict = (a: EvalRun, b: EvalRun, maxFailedShare?: number) =>
      compareRuns(a, b, golden, { statistics: { maxFailedShare } }).statistics?.comparisons[0]?.verdict;
    expect(verdict(sound, down)).toMatchObject({
      kind: "not_comparable",
      headline:
        "20 of 20 results of down failed (100 %), 20 times with `connect ECONNREFUSED " +
        "<b>127.0.0.1</b>:9200`; with more than 20 % failed a run cannot be compared.",
    });
    expect(verdict(down, sound)?.kind).toBe("not_comparable");
    expect(verdict(sound, shaky)?.kind).not.toBe("not_comparable");
    expect(verdict(sound, shaky, 0.1)?.kind).toBe("not_comparable");
    expect(verdict(sound, down, 1)?.kind).toBe("worse");
    expect(
      compareSeveralRuns([sound, shaky, down], golden).comparisons.map((each) => each.verdict.kind),
    ).toEqual(["inconclusive", "not_comparable"]);
  });

  it(
    "count only where the golden set asks: what fails elsewhere is no reason, what works " +
      "elsewhere no excuse",
    () => {
      const others = Array.from({ length: 100 }, (_, at) => result(`other${at}`, [hit("x#1", 1)]));
      const failing = others.map((each) => ({ ...each, error: "down" }));
      const verdict = (b: EvalRun) => compareRuns(sound, b, golden).statistics?.comparisons[0]?.verdict.kind;
      expect(verdict({ ...down, results: [...down.results, ...others] })).toBe("not_comparable");
      expect(verdict({ ...sound, run_id: "b", results: [...sound.results, ...failing] })).toBe("equivalent");
    },
  );
});
