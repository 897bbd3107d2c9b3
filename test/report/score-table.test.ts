import { describe, expect, it } from "vitest";
import { compareScores, evaluate, leaderboardOf, tableOfEvaluation } from "../../src/index.js";
import {
  boardOfComparison,
  boardOfEvaluations,
  renderReportHtml,
  renderScoreTable,
} from "../../src/report/index.js";
import { rankRows } from "../../src/report/score-board.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { gainOf, type ScoreComparison } from "../../src/records/index.js";

const card = { higher_is_better: true, range: [0, 1] as [number, number] };
const FAST = { permutations: 2000, resamples: 500 };

/** Runs over 60 queries whose scores lie around a mean; the same noise for all, and a little of their own. */
function boardOf(means: readonly number[], names: readonly string[], lower = false): ScoreComparison {
  const shared = seededRandom(1);
  const noise = Array.from({ length: 60 }, () => shared() * 0.2);
  return compareScores(
    means.map((mean, run) => {
      const own = seededRandom(run + 2);
      return {
        run: names[run] as string,
        metrics: [{ name: "nDCG@10", card: { ...card, higher_is_better: !lower } }],
        queryIds: noise.map((_, query) => `q${query}`),
        columns: [noise.map((value) => mean + value + own() * 0.02)],
      };
    }),
    FAST,
  );
}

describe("several runs beside each other", () => {
  const comparison = boardOf([0.3, 0.5, 0.501, 0.1], ["base", "one", "two", "last"]);

  it("have letters: two runs share one exactly where all pairs say that they do not differ", () => {
    const letters = new Map(
      boardOfComparison(comparison).rows.map(({ run, scores }) => [run, scores[0]?.groups ?? ""]),
    );
    expect(letters.get("one")).toBe("a");
    for (const { run_a, run_b, p_adjusted } of comparison.all_pairs ?? [])
      expect([...(letters.get(run_a) ?? "")].some((letter) => letters.get(run_b)?.includes(letter))).toBe(
        (p_adjusted as number) >= comparison.settings.alpha,
      );
  });
  it("have intervals that hold their means", () => {
    for (const { scores } of comparison.leaderboard ?? [])
      for (const { mean, interval } of scores) {
        expect(interval?.low).toBeLessThan(mean as number);
        expect(interval?.high).toBeGreaterThan(mean as number);
      }
  });
  it("stand with the best first and marked, by the direction of the metric", () => {
    const order = (board: ScoreComparison): string[] =>
      rankRows(boardOfComparison(board), "nDCG@10", gainOf(board, "nDCG@10")).map(({ row }) => row.run);
    expect(order(comparison)).toEqual(["two", "one", "base", "last"]);
    const lower = boardOf([0.3, 0.5, 0.1], ["base", "one", "two"], true);
    expect(order(lower)).toEqual(["two", "base", "one"]);
    expect(boardOfComparison(lower).rows.map(({ scores }) => scores[0]?.isBest)).toEqual([
      false,
      false,
      true,
    ]);
  });
  it(
    "of two have two letters where the comparison found a difference, and none of a metric that " +
      "was not tested",
    () => {
      const groups = (means: readonly number[]): (string | undefined)[] =>
        boardOfComparison(boardOf(means, ["a", "b"])).rows.map(({ scores }) => scores[0]?.groups);
      expect(groups([0.3, 0.5])).toEqual(["b", "a"]);
      expect(groups([0.5, 0.3])).toEqual(["a", "b"]);
      const same = compareScores(
        ["a", "b"].map((run) => ({
          run,
          metrics: [{ name: "m", card }],
          queryIds: ["1", "2", "3", "4", "5"],
          columns: [[0, 1, 0, 1, 0]],
        })),
        FAST,
      );
      expect(boardOfComparison(same).rows.map(({ scores }) => scores[0]?.groups)).toEqual(["a", "a"]);
      expect(boardOfComparison(same).rows.map(({ scores }) => scores[0]?.isBest)).toEqual([true, true]);
    },
  );
  it("have the same letters by metrics of the same scores, whatever their number", () => {
    const random = seededRandom(7);
    const tables = Array.from({ length: 34 }, (_, run) => {
      const scores = Array.from({ length: 60 }, () => random() * 0.1 + (run < 2 ? 0.9 - 0.3 * run : 0));
      return {
        run: `r${run}`,
        metrics: ["one", "two"].map((name) => ({ name, card })),
        queryIds: scores.map((__, query) => `q${query}`),
        columns: [scores, scores],
      };
    });
    for (const { scores } of leaderboardOf(tables)) expect(scores[0]?.groups).toEqual(scores[1]?.groups);
    const [first, second, third] = leaderboardOf(tables).map(({ scores }) => scores[0]?.groups);
    expect([first, second, third]).toEqual([["a"], ["b"], ["c"]]);
  });
  it("go by the card of the first run, whatever a later one says", () => {
    const tables = [0.2, 0.9, 0.1].map((score, run) => ({
      run: `r${run}`,
      metrics: [{ name: "one", card: { ...card, higher_is_better: run < 2 } }],
      queryIds: Array.from({ length: 12 }, (_, query) => `q${query}`),
      columns: [Array.from({ length: 12 }, (_, query) => score + query / 1000)],
    }));
    const [b, c] = compareScores(tables).comparisons;
    expect([b?.verdict.kind, c?.verdict.kind]).toEqual(["better", "not_comparable"]);
  });
  it("are decided by what the baseline has, where the others share another metric", () => {
    const tables = ["x", "y", "y"].map((name, run) => ({
      run: `r${run}`,
      metrics: [{ name, card }],
      queryIds: Array.from({ length: 12 }, (_, query) => `q${query}`),
      columns: [new Array<number>(12).fill(run / 10)],
    }));
    expect(compareScores(tables).settings.primary).toBe("x");
  });
  it("tell apart runs of which all queries differ by the same, which Student's t cannot test", () => {
    const tables = [1, 0.5, 0.5].map((score, run) => ({
      run: `r${run}`,
      metrics: [{ name: "one", card }],
      queryIds: Array.from({ length: 8 }, (_, query) => `q${query}`),
      columns: [new Array<number>(8).fill(score)],
    }));
    expect(leaderboardOf(tables).map(({ scores }) => scores[0]?.groups)).toEqual([["a"], ["b"], ["b"]]);
    const compared = compareScores(tables, { test: "t" }).leaderboard;
    expect(compared?.map(({ scores }) => scores[0]?.groups)).toEqual([["a"], ["b"], ["b"]]);
    // With 2 / 2^5, over two pairs that differ, that can be chance.
    const few = tables.map((table) => ({
      ...table,
      queryIds: table.queryIds.slice(0, 5),
      columns: table.columns.map((column) => column.slice(0, 5)),
    }));
    expect(leaderboardOf(few).map(({ scores }) => scores[0]?.groups)).toEqual([["a"], ["a"], ["a"]]);
  });
  it("begin the page", () => {
    const page = renderReportHtml(comparison);
    expect([...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)[0]).toBe("leaderboard");
    expect(renderReportHtml(boardOf([0.3, 0.5], ["a", "b"]))).not.toContain('id="leaderboard"');
  });
});

describe("a table of scores", () => {
  const qrels = new Map([
    ["q1", new Map([["a", 1]])],
    ["q2", new Map([["b", 1]])],
  ]);
  const runOf = (first: string): Map<string, Map<string, number>> =>
    new Map([
      [
        "q1",
        new Map([
          [first, 2],
          ["a", 1],
        ]),
      ],
      ["q2", new Map([["b", 1]])],
    ]);
  const evaluations = [runOf("a"), runOf("x")].map((run, at) => ({
    name: ["R&D_1", "<b>|{2}"][at] as string,
    evaluation: evaluate(run, qrels, ["RR", "num_rel_ret"]),
  }));
  const board = boardOfEvaluations(
    evaluations.map(({ name, evaluation }) => ({ name, record: evaluation.record() })),
    {
      leaderboard: leaderboardOf(
        evaluations.map(({ name, evaluation }) => tableOfEvaluation(evaluation, name)),
      ),
      settings: { correction: "holm", alpha: 0.05 },
    },
  );

  it("in Markdown", () => {
    expect(renderScoreTable(board, "md").split("\n").slice(0, 4)).toEqual([
      "| run | RR | NumRelRet |",
      "| --- | ---: | ---: |",
      "| R&#38;D_1 | **1.0000** a | **2** |",
      "| &#60;b&#62;&#124;{2} | 0.7500 a | **2** |",
    ]);
  });
  it("in LaTeX, where no name is a command", () => {
    expect(renderScoreTable(board, "latex").split("\n").slice(1, 8)).toEqual([
      "\\begin{tabular}{lrr}",
      "\\toprule",
      "run & RR & NumRelRet \\\\",
      "\\midrule",
      "{}R\\&D\\_1 & \\textbf{1.0000}\\textsuperscript{a} & \\textbf{2} \\\\",
      "{}\\textless{}b\\textgreater{}\\textbar{}\\{2\\} & 0.7500\\textsuperscript{a} & \\textbf{2} \\\\",
      "\\bottomrule",
    ]);
  });
  it("in LaTeX, where no hyphens become a dash", () => {
    const [row] = board.rows;
    const dashed = { ...board, rows: [{ ...row, run: "x---y--z-" }] } as typeof board;
    expect(renderScoreTable(dashed, "latex")).toContain("{}x-{}-{}-y-{}-z- &");
  });
  it("in HTML, where no name is an element", () => {
    const table = renderScoreTable(board, "html");
    expect(table).toContain("<td><b>1.0000</b><sup>a</sup></td>");
    expect(table).toContain('<th scope="row">&lt;b&gt;|{2}</th>');
    expect(table).toContain("<p>In a column, runs that share a letter are not shown to differ");
  });
  it("of one run has neither letters nor a best", () => {
    const alone = boardOfEvaluations(
      evaluations.slice(0, 1).map(({ name, evaluation }) => ({ name, record: evaluation.record() })),
      null,
    );
    expect(renderScoreTable(alone, "md")).toBe(
      "| run | RR | NumRelRet |\n| --- | ---: | ---: |\n| R&#38;D_1 | 1.0000 | 2 |\n",
    );
  });
});
