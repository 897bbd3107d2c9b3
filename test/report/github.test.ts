import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { gate } from "../../src/gate/index.js";
import { oneLine } from "../../src/foundation/text/index.js";
import {
  renderGateText,
  renderGithubAnnotations,
  renderReportHtml,
  renderStepSummary,
} from "../../src/report/index.js";
import type { GateReport, ScoreComparison } from "../../src/records/index.js";
import { aQuery, aReport, aRunComparison, aScoreComparison, aVerdict } from "../support/gated-results.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { present } from "../support/present.js";

/**
 * A workflow command as GitHub's runner reads it: the line must begin with `::`, properties end at the next
 * `::`.
 */
interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

const unescapeData = (text: string): string =>
  text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
const unescapeProperty = (text: string): string =>
  unescapeData(text.replaceAll("%3A", ":").replaceAll("%2C", ","));

function commands(text: string): Command[] {
  return text
    .split(/\r\n|[\n\r]/)
    .filter((line) => line !== "")
    .map((line) => {
      const [, name, properties = "", message = ""] = /^::(\w+)(?: (.*?))?::(.*)$/s.exec(line) ?? [];
      if (name === undefined) throw new Error(`not a command: ${line}`);
      return {
        name,
        message: unescapeData(message),
        properties: Object.fromEntries(
          properties
            .split(",")
            .map((pair) => [
              pair.slice(0, pair.indexOf("=")),
              unescapeProperty(pair.slice(pair.indexOf("=") + 1)),
            ]),
        ),
      };
    });
}

/** A comparison and a failed gate in which everything that is foreign says `text`. */
function allOf(text: string): { comparison: ScoreComparison; gate: GateReport } {
  return {
    comparison: aScoreComparison({
      runs: [
        { run: text, means: {}, queries: 1, latency_ms: null },
        { run: text, means: {}, queries: 1, latency_ms: null },
      ],
      comparisons: [aRunComparison(text, { verdict: aVerdict({ headline: text, reasons: [text] }) })],
      per_query: [aQuery(text, [[1], [0]], { query: text })],
      warnings: [{ code: "X", message: text }],
    }),
    gate: {
      schema_version: 1,
      passed: false,
      rules: [{ rule: text, run: text, value: text, passed: false, why: text }],
    },
  };
}

describe("notes on queries", () => {
  const findings = {
    comparison: aScoreComparison({
      per_query: [aQuery("q1", [[1], [0]], { query: "words" }), aQuery("q2", [[1], [0]], { query: "words" })],
    }),
  };
  const properties = (file?: string): unknown[] =>
    commands(
      renderGithubAnnotations(findings, {
        file,
        queries: { file: "eval/golden, 1.yaml", lines: new Map([["q1", 7]]) },
      }),
    ).map(({ properties: { title, ...place } }) => [title, place]);

  it("stand at the query's line, all others at the run or the file that is given", () => {
    expect(properties()).toContainEqual(["query q1 got worse", { file: "eval/golden, 1.yaml", line: "7" }]);
    expect(properties()).toContainEqual(["query q2 got worse", {}]);
    expect(properties("x.yaml")).toContainEqual(["query q2 got worse", { file: "x.yaml" }]);
    expect(properties("x.yaml")[0]).toEqual(["rankproof", { file: "x.yaml" }]);
  });
});

describe("annotations", () => {
  it("sum up, then tell failed rules, then what is worth a look", () => {
    const comparison = aScoreComparison({ warnings: [{ code: "X", message: "ids do not meet" }] });
    expect(
      commands(
        renderGithubAnnotations(
          { gate: gate(comparison, ["RR >= 0.5", "no loss of nDCG@10"]), comparison },
          { file: "eval/golden.yaml" },
        ),
      ),
    ).toEqual([
      {
        name: "notice",
        properties: { title: "rankproof", file: "eval/golden.yaml" },
        message:
          "The gate failed: 1 of 2 checks does not hold.\nafter against before: after is worse than " +
          "before in nDCG@10",
      },
      {
        name: "error",
        properties: { title: "no loss of nDCG@10 (after)", file: "eval/golden.yaml" },
        message: "nDCG@10 differs by -0.0500, a loss",
      },
      {
        name: "warning",
        properties: { title: "after against before", file: "eval/golden.yaml" },
        message: "after is worse than before in nDCG@10\nnDCG@10 fell by 0.05",
      },
      {
        name: "warning",
        properties: { title: "warning", file: "eval/golden.yaml" },
        message: "ids do not meet",
      },
      {
        name: "warning",
        properties: { title: "query lost got worse", file: "eval/golden.yaml" },
        message: "after against before: nDCG@10 0.8000→0.0000 (text of lost)",
      },
      {
        name: "warning",
        properties: { title: "query fell got worse", file: "eval/golden.yaml" },
        message: "after against before: nDCG@10 0.8000→0.5000 (text of fell)",
      },
    ]);
  });
  it("tell of answers that got worse, and of what speaks against a good verdict", () => {
    const [moved] = aReport().per_query;
    const query = { ...present(moved), kind: "draw" as const, note: null };
    const reasons = ["Significantly worse, too: text checks fell by 0.8000."];
    const statistics = aScoreComparison({
      comparisons: [
        aRunComparison("after", { verdict: aVerdict({ kind: "better", headline: "rose", reasons }) }),
      ],
    });
    const comparison = aReport({
      statistics,
      per_query: [
        { ...query, query_id: "told", query: "words", answer_lost: ["text", "citations"] },
        { ...query, query_id: "fell", kind: "loss", note: "rank 1→2", answer_lost: ["text"] },
        { ...query, query_id: "same", answer_lost: [] },
      ],
    });
    const found = commands(renderGithubAnnotations({ comparison }));
    const title = `${comparison.run_b} against ${comparison.run_a}`;
    expect(found[0]?.message).toMatch(`${title}: rose\n${reasons[0]}`);
    expect(found.filter(({ properties }) => properties["title"]?.startsWith("query"))).toMatchObject([
      { properties: { title: "query fell got worse" }, message: expect.stringContaining("rank 1→2") },
      {
        properties: { title: "query told got worse" },
        message: `${title}: answer: text checks, citations (words)`,
      },
    ]);
  });
  it("of answers stay out of what HTML lists by rank, which has a list of its own for them", () => {
    const [moved] = aReport().per_query;
    const query = { ...present(moved), note: "rank 1→2" };
    const html = renderReportHtml(
      aReport({
        per_query: [
          { ...query, query_id: "told", kind: "draw", answer_lost: ["text"] },
          { ...query, query_id: "fell", kind: "loss", answer_lost: [] },
        ],
      }),
    );
    const counted = [
      ...html.matchAll(/(Queries that got worse by rank|Answers that got worse)\s*\((\d+)\)/g),
    ];
    expect(counted.map(([, title, count]) => [title, count])).toEqual([
      ["Queries that got worse by rank", "1"],
      ["Answers that got worse", "1"],
    ]);
  });
  it("have an error for a verdict where no gate decides", () => {
    expect(
      commands(renderGithubAnnotations({ comparison: aScoreComparison() }))
        .filter(({ name }) => name === "error")
        .map(({ properties }) => properties["title"]),
    ).toEqual(["after against before"]);
  });
  it("are at most ten of each level, the last of which says what is left out", () => {
    const rules = Array.from({ length: 14 }, (_, index) => ({
      rule: `rule ${index}`,
      run: null,
      value: 0,
      passed: false,
      why: `why ${index}`,
    }));
    const comparison = aScoreComparison({
      per_query: Array.from({ length: 30 }, (_, index) => aQuery(`q${index}`, [[1], [index / 100]])),
    });
    const list = commands(
      renderGithubAnnotations({ gate: { schema_version: 1, passed: false, rules }, comparison }),
    );
    const of = (level: string) => list.filter(({ name }) => name === level);
    expect([of("notice").length, of("error").length, of("warning").length]).toEqual([1, 10, 10]);
    expect(of("error")[8]?.properties["title"]).toBe("rule 8");
    expect(of("error")[9]).toEqual({
      name: "error",
      properties: { title: "and 5 more" },
      message: "rule 9: why 9\nrule 10: why 10\nrule 11: why 11\nrule 12: why 12\nrule 13: why 13",
    });
    // The verdict first, then the query that fell most.
    expect(
      of("warning")
        .slice(0, 2)
        .map(({ properties }) => properties["title"]),
    ).toEqual(["after against before", "query q0 got worse"]);
    expect(of("warning")[9]?.properties["title"]).toBe("and 22 more");
  });
  it("of nothing are none", () => expect(renderGithubAnnotations({ gate: null })).toBe(""));
  it.each(HOSTILE_TEXTS)("are not broken by %j", (text) => {
    const list = commands(renderGithubAnnotations(allOf(text), { file: oneLine(text) }));
    const line = oneLine(text);
    expect(list.map(({ name }) => name)).toEqual(
      commands(renderGithubAnnotations(allOf("harmless"))).map(({ name }) => name),
    );
    expect(list[1]).toEqual({
      name: "error",
      properties: { title: `${line} (${line})`, file: line },
      message: line,
    });
  });
  it("are cut, not inside a character", () => {
    const message = commands(renderGithubAnnotations(allOf("🙂".repeat(5000))))[1]?.message ?? "";
    expect(message.length).toBeLessThanOrEqual(1001);
    expect(message.isWellFormed()).toBe(true);
  });
});

describe("the step summary", () => {
  it("tells the gate, the verdict, the metrics and the queries that got worse", () => {
    const comparison = aScoreComparison();
    expect(
      renderStepSummary({ gate: gate(comparison, ["nDCG@10 >= 0.45", "verdict is better"]), comparison }),
    ).toBe(
      `## Gate

**The gate failed: 1 of 2 checks does not hold.**

|  | rule | run | value | why |
| --- | --- | --- | ---: | --- |
| ✅ pass | nDCG@10 &#62;= 0.45 | after | 0.45 | nDCG@10 is 0.45, at least 0.45 |
| ❌ fail | verdict is better | after | worse | the verdict is worse: after is worse than before in nDCG@10 |

# Eval compare: before → after

## Verdict: worse

**after is worse than before in nDCG@10**

- nDCG@10 fell by 0.05

| metric | baseline | run | difference | 95 % interval | p, adjusted | better / equal / worse | detectable |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| nDCG@10 | 0.5000 | 0.4500 | -0.0500 | -0.0800 to -0.0200 | 0.0100 | 4 / 32 / 4 | 0.0200 |
| RR | 0.5000 | 0.5100 | +0.0100 | -0.0800 to -0.0200 | 0.5000 | 4 / 32 / 4 | 0.0200 |

## Queries that got worse (2)

| query id | query | what moved |
| --- | --- | --- |
| lost | text of lost | nDCG@10 0.8000→0.0000 |
| fell | text of fell | nDCG@10 0.8000→0.5000 |

## Queries that got better (1)

| query id | query | what moved |
| --- | --- | --- |
| rose | text of rose | nDCG@10 0.2000→0.5000 |

_Tested by the paired randomization test, up to 100000 sign flips, seed 1; 95 % intervals, BCa bootstrap, \
10000 resamples; p adjusted (Holm) in families: nDCG@10 by itself, the other metric by itself._
`,
    );
  });
  it("of a report has the whole report", () => {
    const report = aReport({ statistics: aScoreComparison() });
    const deltas = { ...report.deltas, metrics: { "nDCG@10": -0.05, "RBP(p=0.8)": 0 } };
    const text = renderStepSummary({ comparison: { ...report, deltas } });
    expect(text).toMatch(/^# Eval compare: before → after\n\n## Verdict: worse\n/);
    expect(text).toContain("| -0.0500 | worse | 40 | -0.0800 to -0.0200 | 0.0100 |");
  });
  it("is cut behind a line at its limit, and says so", () => {
    const ofQueries = (length: number): ScoreComparison =>
      aScoreComparison({
        per_query: Array.from({ length }, (_, index) => aQuery(`질의-${index}`, [[1], [0]])),
      });
    const bytes = (text: string): number => new TextEncoder().encode(text).length;
    const whole = renderStepSummary({ comparison: ofQueries(20_000) }, { maxRows: 20_000 });
    expect(bytes(whole)).toBeLessThanOrEqual(1024 * 1024);
    expect(bytes(whole)).toBeGreaterThan(1024 * 1024 - 200);
    const comparison = ofQueries(400);
    for (const maxBytes of [0, 100, 1000, 5000, 5001, 5002, 5003]) {
      const text = renderStepSummary({ comparison }, { maxRows: 100, maxBytes });
      expect(text).toMatch(
        /(?:^|\n)\n_Cut here: a step summary has no more room\. The report has everything\._\n$/,
      );
      if (maxBytes >= 100) expect(bytes(text)).toBeLessThanOrEqual(maxBytes);
      expect(text).not.toContain("\ufffd");
    }
    expect(renderStepSummary({ comparison }, { maxRows: 3 })).toContain(
      "\n\nand 397 more, all in the JSON report\n",
    );
  });
  it.each(HOSTILE_TEXTS)("is not broken by %j", (text) => {
    const html = (name: string): string =>
      micromark(renderStepSummary(allOf(name)), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    const elements = (name: string): string[] => html(name).match(/<[^>]*>/g) ?? [];
    expect(elements(text)).toEqual(elements("harmless"));
  });
});

describe("the gate for a terminal", () => {
  it("is the outcome and a line for each rule", () => {
    expect(renderGateText(gate(aScoreComparison(), ["nDCG@10 >= 0.45", "verdict is better"]))).toBe(
      "The gate failed: 1 of 2 checks does not hold.\npass  nDCG@10 >= 0.45 (after): nDCG@10 is " +
        "0.45, at least 0.45\nFAIL  verdict is better (after): the verdict is worse: after is worse " +
        "than before in nDCG@10\n",
    );
    expect(
      renderGateText(gate(aScoreComparison(), ["nDCG@10 >= 0.45"]), {
        paint: (text, as) => `<${as}>${text}`,
      }),
    ).toMatch(/^<strong>The gate passed: its one check holds\.\n<good>pass/);
  });
  it.each(HOSTILE_TEXTS)("stays on its lines with %j", (text) =>
    expect(renderGateText(allOf(text).gate).split(/[\n\r\u0085\u2028\u2029]/).length).toBe(3),
  );
});
