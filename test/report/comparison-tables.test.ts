import { describe, expect, it } from "vitest";
import { renderComparisonCsv, renderComparisonJsonl, renderReportMd } from "../../src/report/index.js";
import { aDifference, aQuery, aRunComparison, aScoreComparison, aSlice } from "../support/gated-results.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";

/** The records of a CSV text as RFC 4180 has them. */
function csvRecords(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const row = rows[rows.length - 1] as string[];
    const [field = "", quoted] = /^(?:"((?:[^"]|"")*)"|[^",\r\n]*)/.exec(text.slice(at)) ?? [];
    row.push(quoted === undefined ? field : quoted.replaceAll('""', '"'));
    at += field.length;
    if (text[at] === ",") at++;
    else if (text.startsWith("\r\n", at)) {
      at += 2;
      if (at < text.length) rows.push([]);
    } else
      throw new Error(`neither a comma nor a line end at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
  }
  return rows;
}

const labelled = aScoreComparison({
  per_query: [
    aQuery(
      "a",
      [
        [0.5, -1],
        [null, 1],
      ],
      { labels: { lang: "ko", type: "how_to" } },
    ),
    aQuery(
      "b",
      [
        [0, 0],
        [0.25, 0],
      ],
      { query: null, labels: { lang: "en" } },
    ),
  ],
});

describe("the queries of a comparison as CSV", () => {
  it("have their labels and a column for each run and metric", () => {
    expect(renderComparisonCsv(labelled)).toBe(
      "query_id,query,labels.lang,labels.type,before: nDCG@10,before: RR,after: nDCG@10,after: " +
        "RR\r\na,text of a,ko,how_to,0.5,-1,,1\r\nb,,en,,0,0,0.25,0\r\n",
    );
  });
  it.each(HOSTILE_TEXTS)("keep %j in its cell, and from being a formula", (text) => {
    const labels = Object.fromEntries([[text, text]]);
    const rows = csvRecords(
      renderComparisonCsv(
        aScoreComparison({
          runs: [{ run: text, means: {}, queries: 1, latency_ms: null }],
          metrics: [text],
          per_query: [aQuery(text, [[1]], { query: text, labels })],
        }),
      ),
    );
    const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
    expect(rows.length).toBe(2);
    expect(rows[1]).toEqual([safe, safe, safe, "1"]);
    expect(rows[0]).toEqual([
      "query_id",
      "query",
      `labels.${text}`,
      /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}: ${text}` : `${text}: ${text}`,
    ]);
  });
});

describe("the queries of a comparison as JSONL", () => {
  it("stand alone, a line each", () => {
    const expected = [
      {
        id: "d1",
        grade: 2,
        runs: [
          { rank: 1, channels: {}, fate: "found" as const },
          { rank: null, channels: { lexical: 3 }, fate: "lost_by_fusion" as const },
        ],
      },
    ];
    const rankings = [[{ id: "d1", grade: 2 }], []];
    const [line = ""] = renderComparisonJsonl(
      aScoreComparison({
        per_query: [
          aQuery(
            "a",
            [
              [0.5, 1],
              [null, 0],
            ],
            { labels: { lang: "ko" }, rankings, expected },
          ),
        ],
      }),
    ).split("\n");
    expect(JSON.parse(line)).toEqual({
      query_id: "a",
      query: "text of a",
      labels: { lang: "ko" },
      runs: [
        { run: "before", scores: { "nDCG@10": 0.5, RR: 1 }, ranking: [{ id: "d1", grade: 2 }] },
        { run: "after", scores: { "nDCG@10": null, RR: 0 }, ranking: [] },
      ],
      expected: [
        {
          id: "d1",
          grade: 2,
          runs: [
            { run: "before", rank: 1, channels: {}, fate: "found" },
            { run: "after", rank: null, channels: { lexical: 3 }, fate: "lost_by_fusion" },
          ],
        },
      ],
    });
  });
  it.each(HOSTILE_TEXTS)("stay one line each with %j", (text) => {
    const jsonl = renderComparisonJsonl(
      aScoreComparison({
        metrics: [text],
        per_query: [aQuery(text, [[1], [0]], { query: text }), aQuery("q", [[1], [0]])],
      }),
    );
    const lines = jsonl.split(/[\n\r\u0085\u2028\u2029]/);
    expect(lines.length).toBe(3);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      query_id: text,
      query: text,
      runs: [{ scores: Object.fromEntries([[text, 1]]) as object }, {}],
    });
  });
});

describe("orders in Markdown", () => {
  const rows = (text: string, pattern: RegExp): (string | undefined)[] =>
    [...text.matchAll(pattern)].map(([, name]) => name);
  it.each([
    [true, ["down", "up", "none", "nothing"]],
    [false, ["up", "down", "none", "nothing"]],
  ])(
    "slices stand worst first, those without a difference last: higher is better %s",
    (higher_is_better, expected) => {
      const slices = (
        [
          ["none", null],
          ["up", 0.1],
          ["nothing", null],
          ["down", -0.1],
        ] as const
      ).map(([value, difference]) => aSlice("part", value, { difference }));
      const text = renderReportMd(
        aScoreComparison({
          metric_cards: { "nDCG@10": { higher_is_better, range: [0, 1] } },
          comparisons: [aRunComparison("after", { slices })],
        }),
      );
      expect(rows(text, /^\| part = (\w+) /gm)).toEqual(expected);
    },
  );
  it.each([
    [true, ["high", "before", "low", "none", "nothing"]],
    [false, ["low", "before", "high", "none", "nothing"]],
  ])(
    "runs stand best first, those without a mean last: higher is better %s",
    (higher_is_better, expected) => {
      const comparisons = (
        [
          ["none", null],
          ["low", 0.1],
          ["nothing", null],
          ["high", 0.9],
        ] as const
      ).map(([run, mean_b]) =>
        aRunComparison(run, { metrics: [aDifference("nDCG@10", { mean_a: 0.5, mean_b })] }),
      );
      const runs = ["before", ...comparisons.map(({ run }) => run)].map((run) => ({
        run,
        means: {},
        queries: 40,
        latency_ms: null,
      }));
      const text = renderReportMd(
        aScoreComparison({
          metric_cards: { "nDCG@10": { higher_is_better, range: [0, 1] } },
          runs,
          comparisons,
        }),
      );
      expect(
        rows(text.slice(0, text.indexOf("## Verdict")), /^\| (before|low|high|none|nothing) /gm),
      ).toEqual(expected);
    },
  );
});
