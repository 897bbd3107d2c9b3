import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { compareRuns, renderReportMd } from "../../src/index.js";
import { oneLine } from "../../src/foundation/text/index.js";
import { renderCompareText, renderJunit, renderWarningsText } from "../../src/report/index.js";
import type { CompareReport, EvalRun } from "../../src/records/index.js";
import { answer, aRun, hit, query, result } from "../support/records.js";

const HOSTILE = [
  "a | b | c",
  "line\nbreak\r\n\r\n# Heading",
  "`code` and ``more``",
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "[click](javascript:alert(1)) ![x](https://evil.example/x.png)",
  "https://evil.example/ and www.evil.example",
  "**bold** _em_ ~~gone~~ $math$",
  "</td></table>&lt;b&gt; &amp; \u2028\u2029\u0000\u001b[31m",
  "\u202Eright to left\u202C שלום مرحبا",
  "@everyone #1 - [ ] task",
  "write to root@example.com or a.b+c@mail.example.org",
  "\\| \\` backslashes",
];

function reportOf(text: string): CompareReport {
  const golden = [query(text, { query: text, expected_chunk_ids: [text] })];
  const run = (run_id: string, hits: boolean) =>
    aRun({
      run_id,
      config_snapshot: { [text]: hits ? text : 1, chunker_version: "v" },
      results: [result(text, hits ? [hit(text)] : []), result(`outside ${text}`, [])],
    });
  return compareRuns(run(`a ${text}`, true), run(`b ${text}`, false), golden);
}

/** The text of HTML without its elements. */
function decoded(html: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return html.replace(/<[^>]*>/g, "").replace(/&(\w+);/g, (whole, name: string) => named[name] ?? whole);
}

describe("the Markdown report", () => {
  it.each(HOSTILE)("is not broken by %j", (text) => {
    const markdown = renderReportMd(reportOf(text));
    const harmless = renderReportMd(reportOf("harmless"));
    // The skeleton is that of a harmless text: the same lines, the same cells, the same headings.
    const skeleton = (document: string): string[] =>
      document
        .split("\n")
        .map((line) =>
          line.startsWith("#")
            ? (line.match(/^#+ \w+/)?.[0] ?? line)
            : `${line.slice(0, 2)}${line.match(/\|/g)?.length ?? 0}`,
        );
    expect(skeleton(markdown)).toEqual(skeleton(harmless));
    expect(markdown).not.toMatch(/<[a-z/!]/i);
    expect(markdown).not.toMatch(/\]\(|:\/\/|www\.|[\u0000-\u0009\u000b-\u001f\u2028\u2029\u202a-\u202e]/);

    // A real renderer makes the same elements as of a harmless text, and shows the text as it is.
    const html = (document: string): string =>
      micromark(document, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    const elements = (document: string): string[] => html(document).match(/<[^>]*>/g) ?? [];
    expect(elements(markdown)).toEqual(elements(harmless));
    expect(decoded(html(markdown)).replaceAll("\u200b", "")).toContain(oneLine(text));
  });

  it("begins with the two ids, then says what happened", () => {
    const report = compareRuns(
      aRun({ run_id: "before", results: [result("q", [hit("d#2"), hit("d#1")])] }),
      aRun({ run_id: "after_1", results: [result("q", [hit("d#1")])] }),
      [query("q", { expected_chunk_ids: ["d#1"] })],
    );
    expect(
      renderReportMd({ ...report, statistics: null })
        .split("\n")
        .slice(0, 3),
    ).toEqual([
      "# Eval compare: before → after_1",
      "",
      "**Better: of 1 query 1 improved, 0 got worse, 0 did not move.**",
    ]);
    expect(renderReportMd(report).split("\n").slice(0, 9)).toEqual([
      "# Eval compare: before → after_1",
      "",
      "Recorded: before: 2026-05-01 09:00 UTC; after_1: 2026-05-01 09:00 UTC.",
      "",
      "## Verdict: not comparable",
      "",
      "**Only 1 query has MRR@10 in both runs; at least 5 are needed.**",
      "",
      "By rank: of 1 query 1 improved, 0 got worse, 0 did not move.",
    ]);
  });

  it("prints an em dash for 0 of 0, and 0.0000 for 0 of 40", () => {
    const report = compareRuns(aRun({ results: [result("q", [])] }), aRun({ results: [result("q", [])] }), [
      query("q", { expected_chunk_ids: ["c"] }),
    ]);
    const rows = renderReportMd(report).split("\n");
    expect(rows).toContain("| MRR@10 | 0.0000 | 0.0000 | 0.0000 |  | 1 | — | 1.0000 |");
    expect(rows).toContain("| text checks | — | — | — |  | 0 | — | — |");
    expect(rows).toContain("| doc recall@1 | — | — | — |  | 0 | — | — |");
  });

  it("lists what moved most first, and the queries whose answers changed", () => {
    const golden = [
      query("small", { expected_chunk_ids: ["d#1"] }),
      query("large", { expected_chunk_ids: ["d#1"] }),
      query("refuse", { expected_doc_ids: [] }),
      query("text", { must_contain: ["yes"] }),
    ];
    const refusal = { answer: answer("no", { grounded: false }) };
    const a = aRun({
      run_id: "a",
      results: [
        result("small", [hit("d#1", 8)]),
        result("large", [hit("d#1", 1)]),
        result("refuse", [], refusal),
        result("text", [], { answer: answer("no") }),
      ],
    });
    const b = aRun({
      run_id: "b",
      results: [
        result("small", [hit("d#1", 9)]),
        result("large", [hit("d#1", 3)]),
        result("refuse", [], { answer: answer("made up") }),
        result("text", [], { answer: answer("yes") }),
      ],
    });
    const report = compareRuns(a, b, golden);
    expect(
      report.per_query.map(({ query_id, answer_gained, answer_lost }) => [
        query_id,
        answer_gained,
        answer_lost,
      ]),
    ).toEqual([
      ["small", [], []],
      ["large", [], []],
      ["refuse", [], ["refusal"]],
      ["text", ["text"], []],
    ]);
    const markdown = renderReportMd(report);
    expect(markdown.indexOf("| large |")).toBeLessThan(markdown.indexOf("| small |"));
    expect(markdown).toContain("Answers: 1 got better, 1 got worse.");
    expect(markdown).toContain(
      "## Answers that got worse (1)\n\n| query id | query | what |\n| --- | --- | --- |\n| refuse | " +
        "text of refuse | refusal |",
    );
    expect(markdown).toContain(
      "## Answers that got better (1)\n\n| query id | query | what |\n| --- | --- | --- |\n| text | " +
        "text of text | text checks |",
    );
  });

  it("says nothing of answers when a run has none; citations come and go with their answer", () => {
    const golden = [query("q", { must_contain: ["yes"] })];
    const corpus = { chunks: [{ chunk_id: "d#1", doc_id: "d" }] };
    const cites = answer("yes", { citations: [{ citation: { chunk_id: "d#1" } }] });
    const of = (more: object) => aRun({ results: [result("q", [], more)] });
    const changed = (a: object, b: object): string[] =>
      compareRuns(of(a), of(b), golden, { corpus }).per_query.flatMap((moved) => [
        ...(moved.answer_gained ?? []).map((check) => `+${check}`),
        ...(moved.answer_lost ?? []).map((check) => `-${check}`),
      ]);
    expect(changed({}, { answer: cites })).toEqual([]);
    expect(changed({ answer: answer("no", { grounded: false }) }, { answer: cites })).toEqual([
      "+text",
      "+citations",
    ]);
    expect(
      changed(
        { answer: cites },
        { answer: answer("yes", { citations: [{ citation: { chunk_id: "gone" } }] }) },
      ),
    ).toEqual(["-citations"]);
    expect(changed({ answer: cites }, { answer: cites, error: "crashed" })).toEqual(["-text", "-citations"]);
  });

  it.each([
    [5, "(q0, q1, q2, q3, q4)"],
    [6, "(q0, q1, q2, q3, q4, …)"],
  ])(
    "names the first of %i queries that a warning is about, and says whether there are more",
    (count, named) => {
      const ids = Array.from({ length: count }, (_, at) => `q${at}`);
      const golden = [...ids, "there"].map((id) => query(id, { expected_chunk_ids: ["d#1"] }));
      const run = (run_id: string) => aRun({ run_id, results: [result("there", [hit("d#1")])] });
      const warnings = renderWarningsText(compareRuns(run("a"), run("b"), golden));
      expect(warnings.filter((line) => line.includes("have no result"))[0]).toContain(named);
    },
  );

  it("cuts long tables and says how much is left out", () => {
    const ids = Array.from({ length: 60 }, (_, index) => `q${index}`);
    const golden = ids.map((id) => query(id, { expected_chunk_ids: ["d#1"] }));
    const report = compareRuns(
      aRun({ results: ids.map((id) => result(id, [hit("d#1")])) }),
      aRun({ results: ids.map((id) => result(id, [])) }),
      golden,
    );
    expect(renderReportMd(report)).toContain("## Regressions (60)");
    expect(renderReportMd(report)).toContain("\nand 10 more, all in the JSON report");
    expect(renderReportMd(report, { maxRows: 60 })).not.toContain("more, all in the JSON report");
  });

  it("writes counts as people read them, in every form", () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => `q${index}`);
    const report = compareRuns(
      aRun({ results: ids.map((id) => result(id, [hit("d#1")])) }),
      aRun({ results: ids.map((id, at) => result(id, at < 500 ? [hit("d#1")] : [])) }),
      ids.map((id) => query(id, { expected_chunk_ids: ["d#1"] })),
      { statistics: false },
    );
    const text = renderCompareText(report);
    expect(text).toContain("1,500 got worse (1,500 lost altogether), 500 did not move.");
    expect(text).toMatch(/and 1,4\d\d more\n/);
    expect(renderReportMd(report)).toContain(" (1,500)\n");
  });

  it("never cuts what decided, and gives no second verdict beside it", () => {
    const ids = Array.from({ length: 6 }, (_, index) => `q${index}`);
    const comparison = compareRuns(
      aRun({ results: ids.map((id) => result(id, [hit("d#1")])) }),
      aRun({ results: ids.map((id) => result(id, id === "q0" ? [] : [hit("d#1")])) }),
      ids.map((id) => query(id, { expected_chunk_ids: ["d#1"] })),
    );
    const headline = comparison.statistics?.comparisons[0]?.verdict.headline ?? "";
    expect(headline.length).toBeGreaterThan(160);
    expect(renderReportMd(comparison)).toContain(`**${headline}**`);
    const xml = renderJunit({ comparison });
    expect(xml).toContain(
      "By rank: of 6 queries 0 improved, 1 got worse (1 lost altogether), 5 did not move.",
    );
    expect(xml).not.toContain("Worse: of 6");
  });

  it("cuts a query of a megabyte, also in the middle of an emoji", () => {
    const markdown = renderReportMd(reportOf("🙂".repeat(250_000)));
    expect(markdown.length).toBeLessThan(10_000);
    expect(markdown.isWellFormed()).toBe(true);
  });
});

describe("the terminal's report", () => {
  it("lists what was lost before what was won, and paints nothing by itself", () => {
    const golden = ["won", "lost"].map((id) => query(id, { expected_chunk_ids: ["d#1"] }));
    const report = compareRuns(
      aRun({ results: [result("won", []), result("lost", [hit("d#1")])] }),
      aRun({ results: [result("won", [hit("d#1")]), result("lost", [])] }),
      golden,
    );
    const text = renderCompareText(report);
    expect(text.indexOf("regression lost")).toBeLessThan(text.indexOf("win        won"));
    expect(text).not.toContain("\u001b");
  });
  it("shows no control characters of the data", () => {
    expect(renderCompareText(reportOf("\u001b]0;owned\u0007\u202E"))).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u202e]/,
    );
  });
});

it("shows what the statistics warn about, for two runs as for several", () => {
  const queries = Array.from({ length: 12 }, (_, at) => ({
    id: `q${at}`,
    query: "x",
    expected_chunk_ids: ["c"],
  }));
  const perfect = (run_id: string): EvalRun =>
    aRun({ run_id, results: queries.map(({ id }) => result(id, [hit("c", 1)])) });
  const report = compareRuns(perfect("a"), perfect("b"), queries);
  expect(renderReportMd(report)).toContain("can hardly tell them apart");
});
