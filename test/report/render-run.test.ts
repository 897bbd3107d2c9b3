import { describe, expect, it } from "vitest";
import { compareRuns, gate, reportRun, reportSystem } from "../../src/index.js";
import {
  renderReportHtml,
  renderRunHtml,
  renderRunReportMd,
  renderRunReportText,
  reportTexts,
} from "../../src/report/index.js";
import { pageAnswer } from "../../src/report/html/page-answer.js";
import type { PageData } from "../../src/report/html/page-model.js";
import type { EvalRun, RunReport } from "../../src/records/index.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { answer, aRun, hit, query, result } from "../support/records.js";

const golden = [
  ...[0, 1, 2, 3, 4, 5].map((n) =>
    query(`q${n}`, { expected_chunk_ids: [`d${n}#good`], lang: n < 3 ? "ko" : "en" }),
  ),
  query("say", { must_contain: ["rotate", "key"], forbidden: ["password"] }),
];
const run = aRun({
  run_id: "mine",
  commit_hash: "0123456789abcdef0123456789abcdef01234567",
  results: [
    ...[0, 1, 2, 3].map((n) =>
      result(`q${n}`, [
        hit(`d${n}#x`),
        hit(`d${n}#good`, undefined, { title: "Good", text: `what ${n} says` }),
      ]),
    ),
    result("q4", [hit("d4#x")]),
    result("q5", [], { error: "timeout" }),
    result("say", [hit("d#1")], {
      answer: answer("Run rotate [1], never a Password or password.", {
        citations: [{ marker: "1", citation: { chunk_id: "d#1" } }],
      }),
    }),
  ],
});
const report = reportRun(run, golden, { statistics: { resamples: 500 } });
const dataOf = (page: string): PageData => JSON.parse(/id="data">([^<]*)</.exec(page)?.[1] ?? "") as PageData;

describe("one run for a terminal", () => {
  it("says what it comes to, its scores, where first hits stand, what was missed and what is wrong", () => {
    expect(renderRunReportText(report)).toMatchInlineSnapshot(`
      "mine  2026-05-01 09:00 UTC, commit 0123456789

      MRR@10 is 0.3333 over 6 queries (95 % interval 0.0624 to 0.6043).
      2 of 6 queries with a known relevant item found nothing relevant among the first 10 hits.
      1 of 1 checked answers do not say what they must.

      1 of 7 results failed (14.29 %)
        1 × timeout (q5)

      metric          score     95 % interval  n
      hit@1          0.0000                 —  6
      hit@3          0.6667  0.1247 to 1.0000  6
      hit@5          0.6667  0.1247 to 1.0000  6
      hit@10         0.6667  0.1247 to 1.0000  6
      MRR@10         0.3333  0.0624 to 0.6043  6
      precision@1    0.0000                 —  6
      precision@3    0.2222  0.0416 to 0.4029  6
      precision@5    0.1333  0.0249 to 0.2417  6
      precision@10   0.0667  0.0125 to 0.1209  6
      text checks    0.0000                 —  1
      empty results  0.1429  0.0000 to 0.5714  7
      latency ms: mean 1, p50 1, p95 1, max 1

      first relevant hit at  queries    share
      1                            0      0 %
      2                            4  66.67 %  ██████████████████████████████
      not found                    2  33.33 %  ███████████████

      missed  q4  not found  text of q4
      missed  q5  failed  text of q5
      wrong   say  text checks  text of say

      slice      MRR@10  95 % interval  n
      lang = en  0.1667              —  3
      lang = ko  0.5000              —  3
      "
    `);
  });
  it("counts what it leaves out", () => {
    expect(renderRunReportText(report, { maxRows: 1 })).toContain("and 1 more");
  });
});

describe("one run in Markdown", () => {
  it("has the same in tables, a gate first", () => {
    const md = renderRunReportMd(report, { gate: gate(report, ["MRR@10 >= 0.9"]) });
    expect(md).toMatch(/^## Gate\n\n\*\*The gate failed/);
    expect(md).toContain("| MRR@10 | 0.3333 |");
    expect(md).toContain("## Missed (2)");
    expect(md).toContain("| q5 | text of q5 | failed | 0.0000 |");
    expect(md).toContain("## Wrong answers (1)\n");
    expect(md).toContain("Recorded 2026-05-01 09:00 UTC, commit 0123456789.");
    expect(renderRunReportMd(report, { maxRows: 1 })).toContain("and 1 more, all in the JSON report");
  });
});

describe("one run as a page", () => {
  const texts = reportTexts({ runs: [run], golden });
  it("has its sections, and shows the figures without a script", () => {
    const page = renderRunHtml(report, { texts });
    expect([...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      "summary",
      "failed",
      "scores",
      "missed",
      "slices",
      "queries",
      "settings",
      "warnings",
    ]);
    expect(page).toContain(
      "2 of 6 queries with a known relevant item found nothing relevant among the first",
    );
    expect(page).toContain('<option value="missed">');
    expect(page).toContain('<option value="answer-wrong">');
    expect(page).toContain('<option value="failed">');
    expect(page).not.toContain('<option value="improved">');
    expect(page).not.toContain('id="chart"');
  });
  it("says what was missed where no metric decides", () => {
    const qrels = new Map(["q1", "q2", "q3"].map((id) => [id, new Map([["a", 1]])]));
    const undecided = reportSystem(
      {
        name: "mine",
        run: new Map([
          ["q1", ["a"]],
          ["q2", ["b"]],
        ]),
      },
      qrels,
      ["RR"],
      {
        primary: null,
      },
    );
    const page = renderRunHtml(undecided, {});
    expect(page).toContain("2 of 3 queries found nothing relevant");
    expect(page).toContain("The run has no result for 1 query.");
  });
  it("has texts only where they are given", () => {
    const [without, shown] = [dataOf(renderRunHtml(report)), dataOf(renderRunHtml(report, { texts }))];
    expect(without.passages).toBeNull();
    expect(without.queries.every(({ answers }) => answers === null)).toBe(true);
    expect(JSON.stringify(without)).not.toContain("what 0 says");
    const query0 = shown.queries.find(({ id }) => id === "q0");
    expect(shown.items[query0?.rankings?.[0]?.[2] ?? -1]).toBe("d0#good");
    expect(shown.passages?.[query0?.said?.[0]?.[1] ?? -1]).toEqual(["Good", "what 0 says"]);
    expect(shown.queries.find(({ id }) => id === "say")?.answers?.[0]?.isRefusal).toBe(false);
  });
  it("escapes whatever stands in ids, queries, labels, texts and answers", () => {
    const hostile = HOSTILE_TEXTS.map((text, n) =>
      query(`${text}${n}`, {
        query: text,
        lang: text,
        expected_chunk_ids: [`${text}#${n}`],
        must_contain: [text],
      }),
    );
    const found = aRun({
      run_id: HOSTILE_TEXTS[7] as string,
      commit_hash: HOSTILE_TEXTS[7] as string,
      results: hostile.map(({ id, query: text }, n) =>
        result(id, [hit(`${text}#${n}`, undefined, { title: text, text })], {
          answer: answer(text, { citations: [{ marker: text, citation: { chunk_id: text } }] }),
        }),
      ),
    });
    const options = { statistics: { resamples: 100 } };
    const page = renderRunHtml(reportRun(found, hostile, options), {
      texts: reportTexts({ runs: [found], golden: hostile }),
    });
    expect(page).not.toMatch(/<(?:img|testcase|!--)/);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(dataOf(page).queries).toHaveLength(hostile.length);
    expect(renderRunReportMd(reportRun(found, hostile, options))).not.toContain("<script");
  });
  it("of an empty golden set, and of an empty run, has nothing to divide by", () => {
    for (const [queries, results] of [
      [[], run.results],
      [golden, []],
    ] as const) {
      const empty = reportRun(aRun({ results: [...results] }), [...queries], {
        statistics: { resamples: 100 },
      });
      for (const text of [renderRunReportText(empty), renderRunReportMd(empty), renderRunHtml(empty)])
        expect(text).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
  it("is the same bytes for the same report, also when it was stored meanwhile", () => {
    const stored = JSON.parse(JSON.stringify(report)) as RunReport;
    expect(renderRunHtml(stored, { texts })).toBe(renderRunHtml(report, { texts }));
  });
});

describe("texts of a comparison", () => {
  it("stand in the page with the answers of both runs", () => {
    const before = aRun({
      run_id: "before",
      results: run.results.map((each) => ({ ...each, answer: null })),
    });
    const compared = compareRuns(before, run, golden, { statistics: { resamples: 100, permutations: 100 } });
    const data = dataOf(renderReportHtml(compared, { texts: reportTexts({ runs: [before, run], golden }) }));
    const said = data.queries.find(({ id }) => id === "say");
    expect(said?.answers?.[0]).toBeNull();
    expect(said?.answers?.[1]?.has).toEqual(["password"]);
    expect(said?.wanted).toEqual({ contain: ["rotate", "key"], forbidden: ["password"], isRefusal: false });
  });
  it("come from the run's own hits of the query, then from chunks and documents, title and text each", () => {
    const own = (text: string): EvalRun =>
      aRun({ results: [result("q", [hit("d#1", 1, { text }), hit("d#2", 2, { title: "only a title" })])] });
    const texts = reportTexts({
      runs: [own("as run a has it"), own("as run b has it"), null],
      chunks: [
        { chunk_id: "d#1", doc_id: "d", text: "as it is stored" },
        { chunk_id: "d#2", doc_id: "d", content: "in another field", title: "stored title" },
      ],
      documents: [{ id: "c", title: "", text: "a document" }],
    });
    expect(texts.hit(0, "q", "d#1")?.text).toBe("as run a has it");
    expect(texts.hit(1, "q", "d#1")?.text).toBe("as run b has it");
    expect(texts.hit(0, "q", "d#2")).toEqual({ title: "only a title", text: "in another field" });
    expect(texts.hit(1, "q", "d")?.text).toBe("as run b has it");
    expect(texts.hit(2, "q", "c")?.text).toBe("a document");
    expect(texts.hit(0, "other", "d")).toBeNull();
    expect(texts.item("d#1")?.text).toBe("as it is stored");
    expect(texts.item("nothing")).toBeNull();
  });
  it("of fields that are no text are none", () => {
    const texts = reportTexts({
      runs: [aRun({ results: [result("q", [hit("d#1", 1, { text: { a: 1 }, title: 7 })])] })],
    });
    expect(texts.hit(0, "q", "d#1")).toBeNull();
  });
});

describe("an answer in the page", () => {
  const shown = (text: string, wanted = golden.at(-1), match?: "caseInsensitive") =>
    pageAnswer(answer(text, { citations: [{ marker: "1", citation: { chunk_id: "d#1" } }] }), wanted, match);
  it("has what is asked for marked, what is missing and what is forbidden told", () => {
    const { parts, lacks, has, citations } = shown("Run rotate [1], never a Password or password.");
    expect(parts).toEqual([
      ["Run ", 0],
      ["rotate", 1],
      [" ", 0],
      ["[1]", 3],
      [", never a Password or ", 0],
      ["password", 2],
      [".", 0],
    ]);
    expect([lacks, has, citations]).toEqual([["key"], ["password"], [["1", "d#1"]]]);
  });
  it("marks without regard to case where it is judged so", () => {
    expect(shown("ROTATE a Key", golden.at(-1), "caseInsensitive").parts).toEqual([
      ["ROTATE", 1],
      [" a ", 0],
      ["Key", 1],
    ]);
    expect(shown("ROTATE a Key").lacks).toEqual(["rotate", "key"]);
  });
  it(
    "takes phrases as they are, not as patterns, and marks what is written in another form of " + "Unicode",
    () => {
      const wanted = query("x", { must_contain: ["a.b*", "caf\u00e9"] });
      expect(shown("axb a.b* cafe\u0301", wanted).parts).toEqual([
        ["axb ", 0],
        ["a.b*", 1],
        [" ", 0],
        ["caf\u00e9", 1],
      ]);
    },
  );
  it("is cut at 2,000 characters, and judged as a whole", () => {
    const { parts, lacks } = shown(`${"x".repeat(3000)} rotate key`);
    expect(parts.map(([text]) => text).join("")).toHaveLength(2001);
    expect(lacks).toEqual([]);
  });
});
