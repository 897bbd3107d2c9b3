import { describe, expect, it } from "vitest";
import {
  compareRuns,
  compareSeveralRuns,
  computeAggregate,
  gate,
  InputError,
  reportRun,
} from "../../src/index.js";
import { runFindings } from "../../src/report/ci-findings.js";
import { rankLine } from "../../src/report/comparison-summary.js";
import { renderCompareText, renderReportHtml, renderReportMd } from "../../src/report/index.js";
import { ndcg, parseMetric } from "../../src/metrics/index.js";
import type {
  Answer,
  ChunkRecord,
  EvalRun,
  Golden,
  GoldenQuery,
  ScoreComparison,
  SearchHit,
  Span,
} from "../../src/records/index.js";
import { present } from "../support/present.js";
import { answer, aRun, hit, query, result } from "../support/records.js";

const lines = (start: number, end: number): Span[] => [{ kind: "line", start, end }];
const a = (hits: SearchHit[], more: Partial<EvalRun> = {}): EvalRun =>
  aRun({ run_id: "a", results: [result("q", hits)], ...more });
const b = (hits: SearchHit[], more: Partial<EvalRun> = {}): EvalRun =>
  aRun({ run_id: "b", results: [result("q", hits)], ...more });
const version = (chunker_version: string): Partial<EvalRun> => ({ config_snapshot: { chunker_version } });
const golden = [query("q", { expected_chunk_ids: ["d#1"], expected_doc_ids: ["d"] })];

describe("a run of bare ids, whose documents and chunker nobody knows", () => {
  const bare = (id: string): SearchHit => ({ ...hit(id), chunk_id: id, doc_id: id });
  const cases: [string, Partial<SearchHit>][] = [
    ["without places", {}],
    ["with places", { source_spans: lines(1, 9) }],
  ];
  it.each(cases)("is matched by id with one of a known chunker %s", (_, more) => {
    const full = a([{ ...hit("d#1"), ...more, doc_id: "d" }], version("v1"));
    for (const [found, kind] of [
      ["d#1", "draw"],
      ["d#2", "regression"],
    ] as const) {
      const report = compareRuns(full, b([bare(found)]), golden);
      expect(report.per_query).toMatchObject([{ a_hit_rank: 1, kind }]);
      expect(compareRuns(b([bare(found)]), full, golden).per_query).toMatchObject([{ b_hit_rank: 1 }]);
    }
  });
});

describe("chunks whose places nobody knows, of different chunkers", () => {
  const ids = ["q0", "q1", "q2", "q3", "q4", "q5"];
  const expected = ids.map((id) => query(id, { expected_chunk_ids: [`${id}#2`], expected_doc_ids: [id] }));
  const run = (run_id: string, chunk: number, more: Partial<EvalRun> = {}): EvalRun =>
    aRun({ run_id, results: ids.map((id) => result(id, [hit(`${id}#${chunk}`)])), ...more });
  const runs = [run("a", 2, version("v1")), run("b", 1)] as const;
  const kindOf = (comparison: ScoreComparison | null): string =>
    present(comparison?.comparisons[0]).verdict.kind;

  it("decide nothing by metrics of chunks, for two runs and for several", () => {
    const comparisons = [
      compareRuns(...runs, expected).statistics,
      compareSeveralRuns([...runs, run("c", 1)], expected),
    ];
    for (const comparison of comparisons) {
      const { verdict } = present(comparison?.comparisons[0]);
      expect(verdict.kind).toBe("inconclusive");
      expect(verdict.headline).toMatch(/^MRR@10 cannot tell chunks apart: the chunkers differ, /);
    }
  });
  it("say what would help: the chunker's name, or its chunks where it is named", () => {
    const headline = (golden: Golden): string =>
      present(compareRuns(...runs, golden).statistics?.comparisons[0]).verdict.headline;
    expect(headline(expected)).toMatch(/name the `chunker_version` of the golden set, or decide/);
    expect(headline({ version: 1, chunker_version: "v9", queries: expected })).toMatch(
      /say where its chunks lie \(--corpus\), or decide/,
    );
  });
  it("decide by documents, and by chunks where half of the places are known", () => {
    const statistics = { primary: "doc recall@10" };
    expect(kindOf(compareRuns(...runs, expected, { statistics }).statistics)).toBe("equivalent");
    const kindWhereKnown = (places: number): string =>
      kindOf(
        compareRuns(
          ...runs,
          expected.map((each, at) => ({
            ...each,
            ...(at < places && {
              expected_spans: [{ doc_id: each.id, span: { kind: "line" as const, start: 1, end: 2 } }],
            }),
          })),
        ).statistics,
      );
    expect(kindWhereKnown(2)).toBe("inconclusive");
    expect(kindWhereKnown(3)).not.toBe("inconclusive");
  });
});

describe("answers that are gone", () => {
  const corpus = { chunks: [{ chunk_id: "d#1", doc_id: "d" }] };
  const cited = answer("yes", { citations: [{ citation: { chunk_id: "d#1" } }] });
  const refused = answer("Sorry.", { grounded: false });
  const asked = [...golden, query("r", { expected_refusal: true })];
  const run = (run_id: string, ofQuery: Answer | null, ofRefusal: Answer | null): EvalRun =>
    aRun({
      run_id,
      results: [result("q", [hit("d#1")], { answer: ofQuery }), result("r", [], { answer: ofRefusal })],
    });
  const lost = (before: EvalRun, after: EvalRun) =>
    compareRuns(before, after, asked, { corpus }).per_query.map(({ answer_lost }) => answer_lost);

  it("or refuse have lost their citations, which were good", () => {
    expect(lost(run("a", cited, refused), run("b", null, refused))).toEqual([["citations"], []]);
    expect(lost(run("a", cited, refused), run("b", refused, refused))).toEqual([["citations"], []]);
  });
  it("have lost nothing where they should have refused", () =>
    expect(lost(run("a", cited, cited), run("b", cited, refused))).toEqual([[], []]));
  it("count as 0 by rank, and as none by their texts", () => {
    const ids = ["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7"];
    const texts = ids.map((id) => query(id, { must_contain: ["yes"] }));
    const all = ids.map((id) => result(id, [hit("d#1")], { answer: cited }));
    const report = (of: readonly GoldenQuery[], primary: string) =>
      compareRuns(aRun({ run_id: "a", results: all }), aRun({ run_id: "b", results: all.slice(0, 6) }), of, {
        statistics: { primary },
      }).statistics;
    const gone = "2 queries have no result in this run and count as 0 there.";
    const headline = (comparison: ScoreComparison | null): string =>
      present(comparison?.comparisons[0]).verdict.headline;
    expect(headline(report(texts, "text checks"))).not.toContain(gone);
    expect(report(texts, "text checks")?.warnings.map(({ code }) => code)).toContain("UNEVEN_SCORES");
    const ranked = texts.map((each) => ({ ...each, expected_chunk_ids: ["d#1"] }));
    expect(headline(report(ranked, "MRR@10"))).toContain(gone);
  });
});

describe("a chunk that is its document, whose place is known", () => {
  it("is matched by its place, whatever its id", () => {
    const chunk = (start: number, end: number): SearchHit => ({
      ...hit("d"),
      chunk_id: "d",
      doc_id: "d",
      source_spans: lines(start, end),
    });
    const expected_spans = lines(1, 10).map((span) => ({ doc_id: "d", span }));
    const wanted = [query("q", { expected_chunk_ids: ["d"], expected_spans })];
    const report = compareRuns(a([chunk(1, 10)], version("v1")), b([chunk(50, 60)], version("v2")), wanted);
    expect(report.per_query).toMatchObject([{ kind: "regression" }]);
  });
  it("keeps its document where the golden set was written against its chunker", () => {
    const own = ["intro", "faq", "terms"];
    const wanted = own.map((id) => query(id, { expected_chunk_ids: [id] }));
    const v1 = own.map((id) => result(id, [{ ...hit(id), chunk_id: id, doc_id: id }]));
    const v2 = own.map((id) => result(id, [{ ...hit(id), chunk_id: "intro", doc_id: "guide" }]));
    const report = compareRuns(
      aRun({ run_id: "a", results: v1, ...version("v1") }),
      aRun({ run_id: "b", results: v2, ...version("v2") }),
      wanted,
    );
    expect(report.per_query.map(({ a_hit_rank, b_hit_rank }) => [a_hit_rank, b_hit_rank])).toEqual(
      own.map(() => [1, null]),
    );
  });
});

describe("what became of a query", () => {
  it.each<[string, SearchHit[], SearchHit[], object]>([
    [
      "a better rank",
      [hit("x"), hit("d#1")],
      [hit("d#1")],
      { kind: "win", a_hit_rank: 2, b_hit_rank: 1, note: "rank 2→1" },
    ],
    [
      "found at last: needs no words",
      [hit("x")],
      [hit("d#1")],
      { kind: "win", a_hit_rank: null, b_hit_rank: 1, note: null },
    ],
    ["a worse rank", [hit("d#1")], [hit("x"), hit("d#1")], { kind: "loss", note: "rank 1→2" }],
    ["lost", [hit("d#1")], [hit("x")], { kind: "regression", note: "hit→miss", lost_chunks: ["d#1"] }],
    ["the same rank", [hit("d#1")], [hit("d#1")], { kind: "draw", note: null }],
    ["found by neither", [], [], { kind: "draw", a_hit_rank: null, b_hit_rank: null, note: null }],
    [
      "below the cutoffs still has a rank",
      [hit("d#1", 40)],
      [hit("d#1", 12)],
      { kind: "win", note: "rank 40→12" },
    ],
  ])("%s", (_, hitsA, hitsB, expected) =>
    expect(compareRuns(a(hitsA), b(hitsB), golden).per_query).toMatchObject([expected]),
  );

  it("a query without expected chunks has the rank of the first expected document", () => {
    expect(
      compareRuns(a([hit("d#9", 3)]), b([hit("d#8", 1)]), [query("q", { expected_doc_ids: ["d"] })])
        .per_query,
    ).toMatchObject([{ kind: "win", note: "rank 3→1", gained_chunks: [] }]);
  });
  it("queries come in golden order, of at least one run; what only one run has is said", () => {
    const report = compareRuns(
      aRun({ run_id: "a", results: [result("q", [hit("d#1")])] }),
      aRun({ run_id: "b", results: [result("z", []), result("outside", [])] }),
      [query("z"), query("nobody"), ...golden],
    );
    expect(report.per_query.map(({ query_id, kind, note }) => [query_id, kind, note])).toEqual([
      ["z", "draw", "only in run b"],
      ["q", "regression", "hit→miss; only in run a"],
    ]);
    expect(report.aggregate_b.unmatched_results).toEqual(["outside"]);
  });
  it("gained and lost chunks show even where the first rank is the same", () => {
    const report = compareRuns(a([hit("d#1"), hit("d#2")]), b([hit("d#1"), hit("d#3")]), [
      query("q", { expected_chunk_ids: ["d#1", "d#2", "d#3"] }),
    ]);
    expect(report.per_query).toMatchObject([{ kind: "draw", gained_chunks: ["d#3"], lost_chunks: ["d#2"] }]);
  });
});

describe("runs of different chunkers", () => {
  const spanned = (id: string, rank: number, start: number, end: number): SearchHit =>
    hit(id, rank, { source_spans: lines(start, end) });

  it(
    "are matched by document and span, the expected chunk's place being known from the hit that " +
      "carries it",
    () => {
      const report = compareRuns(
        a([spanned("d#1", 1, 1, 10)], version("v1")),
        b([spanned("d#x", 1, 20, 30), spanned("d#y", 2, 4, 6)], version("v2")),
        golden,
      );
      expect(report.deltas.chunker_version_match).toBe("fallback_doc_span");
      expect(report.per_query).toMatchObject([
        { kind: "loss", note: "rank 1→2", a_hit_rank: 1, b_hit_rank: 2 },
      ]);
      expect(report.aggregate_b.mrr).toBe(0.5);
      expect(report.fallback_queries).toBe(0);
      expect(report.causes).toEqual([{ cause: "chunker version", a: "v1", b: "v2" }]);
    },
  );
  it(
    "have the same numbers in whatever order the expected chunks are named, also where one hit " +
      "stands for two of them",
    () => {
      const archive = [
        { chunk_id: "d#1", doc_id: "d", source_spans: lines(1, 10), chunker_version: "v1" },
        { chunk_id: "d#2", doc_id: "d", source_spans: lines(11, 20), chunker_version: "v1" },
      ];
      const runs = [
        a([], version("v1")),
        b([spanned("d#x", 1, 1, 20), spanned("d#y", 2, 1, 10)], version("v2")),
      ] as const;
      const ndcgOf = (expected_chunk_ids: string[]): unknown =>
        compareRuns(...runs, [query("q", { expected_chunk_ids })], { archive, metrics: [ndcg()] }).aggregate_b
          .metrics;
      expect(ndcgOf(["d#2", "d#1"])).toEqual(ndcgOf(["d#1", "d#2"]));
    },
  );
  it("take places first from expected_spans, then from the archive, then from hits", () => {
    const runs = [
      a([spanned("d#1", 1, 1, 10)], version("v1")),
      b([spanned("d#y", 1, 50, 55)], version("v2")),
    ] as const;
    const annotated = [
      query("q", {
        expected_chunk_ids: ["d#1"],
        expected_spans: [{ doc_id: "d", span: { kind: "line", start: 50, end: 60 } }],
      }),
    ];
    const archive = [{ chunk_id: "d#1", doc_id: "d", source_spans: lines(40, 60), chunker_version: "v1" }];
    expect(compareRuns(...runs, golden).per_query[0]).toMatchObject({ a_hit_rank: 1, b_hit_rank: null });
    expect(compareRuns(...runs, golden, { archive }).per_query[0]).toMatchObject({
      a_hit_rank: null,
      b_hit_rank: 1,
    });
    expect(
      compareRuns(...runs, annotated, {
        archive: [{ ...archive[0], chunk_id: "d#1", doc_id: "d", source_spans: lines(1, 10) }],
      }).per_query[0],
    ).toMatchObject({ b_hit_rank: 1 });
  });
  it(
    "fall back to the document where nobody knows the place, which is noted, counted and warned " + "about",
    () => {
      const report = compareRuns(
        a([hit("d#7", 1)], version("v1")),
        b([hit("d#y", 2)], version("v2")),
        golden,
      );
      expect(report.per_query).toMatchObject([
        { kind: "loss", note: "rank 1→2; spans unknown, matched by document" },
      ]);
      expect(report.fallback_queries).toBe(1);
      expect(report.warnings.map(({ code }) => code)).toEqual(["CHUNKERS_DIFFER", "SPANS_UNKNOWN"]);
    },
  );
  it("do not count hits of the right document that have no spans, and say so", () => {
    const report = compareRuns(
      a([spanned("d#1", 1, 1, 10)], version("v1")),
      b([hit("d#y", 1)], version("v2")),
      golden,
    );
    expect(report.per_query).toMatchObject([{ kind: "regression" }]);
    expect(report.warnings).toContainEqual(expect.objectContaining({ code: "HITS_WITHOUT_SPANS", count: 1 }));
    const warnedOf = [report.aggregate_a, report.aggregate_b].map(({ warnings }) =>
      warnings.some(({ code }) => code === "HITS_WITHOUT_SPANS"),
    );
    expect(warnedOf).toEqual([false, true]);
  });
  it("an expected chunk whose span is empty is nowhere, which is not the same as unknown", () => {
    const report = compareRuns(
      a([spanned("d#1", 1, 5, 4)], version("v1")),
      b([spanned("d#y", 1, 1, 90)], version("v2")),
      golden,
    );
    expect(report.per_query).toMatchObject([{ a_hit_rank: null, b_hit_rank: null, note: null }]);
  });
  it("a hit's spans are its own, else the archive's, else its citation", () => {
    const cited = hit("d#y", 1, { citation: { kind: "line", path: "d.md", start: 1, end: 9 } });
    const runs = [a([spanned("d#1", 1, 1, 10)], version("v1")), b([cited], version("v2"))] as const;
    expect(compareRuns(...runs, golden).per_query[0]).toMatchObject({ b_hit_rank: 1 });
    expect(
      compareRuns(...runs, golden, {
        archive: [{ chunk_id: "d#y", doc_id: "d", source_spans: lines(80, 90), chunker_version: "v2" }],
      }).per_query[0],
    ).toMatchObject({ b_hit_rank: null });
  });
  it("hits whose places are of another kind, or none, decide nothing by chunks and are told", () => {
    const ids = Array.from({ length: 12 }, (_, at) => `d${at}`);
    const expected = ids.map((id) =>
      query(id, {
        expected_chunk_ids: [`${id}#1`],
        expected_doc_ids: [id],
        expected_spans: [{ doc_id: id, span: { kind: "byte", start: 10, end: 90 } }],
      }),
    );
    const run = (run_id: string, spans: Span[], of = ids.length): EvalRun =>
      aRun({
        run_id,
        ...version(run_id),
        results: ids.map((id, at) =>
          result(id, [
            {
              chunk_id: `${id}/${run_id}`,
              doc_id: id,
              source_spans: at < of ? spans : [{ kind: "byte", start: 0, end: 99 }],
            },
          ]),
        ),
      });
    const good = run("v1", [{ kind: "byte", start: 0, end: 99 }]);
    const verdictOf = (other: EvalRun, options = {}): [string | undefined, string[]] => {
      const report = compareRuns(good, other, expected, options);
      const verdict = report.statistics?.comparisons[0]?.verdict;
      expect(report.deltas.recall_at_k_doc["1"]).toBe(0);
      return [verdict?.kind, report.warnings.map(({ code }) => code)];
    };
    const told = ["CHUNKERS_DIFFER", "HITS_WITHOUT_SPANS"];
    expect(verdictOf(run("v2", lines(1, 9)))).toEqual(["inconclusive", told]);
    expect(verdictOf(run("v2", []))).toEqual(["inconclusive", told]);
    expect(verdictOf(run("v2", lines(1, 9), 7))).toEqual(["inconclusive", told]);
    expect(verdictOf(run("v2", lines(1, 9), 6))).toEqual(["worse", told]);
    expect(verdictOf(run("v2", lines(1, 9)), { statistics: { primary: "doc recall@10" } })[0]).toBe(
      "equivalent",
    );
    // What is there to be seen is worse.
    expect(verdictOf(run("v2", [{ kind: "byte", start: 200, end: 300 }]))).toEqual([
      "worse",
      told.slice(0, 1),
    ]);
    // One that is placed, however wrong, is seen; what lies below the cutoffs is not what decides.
    const withMore = (run_id: string, more: (id: string) => SearchHit[]): EvalRun => {
      const made = run(run_id, [{ kind: "byte", start: 200, end: 300 }]);
      return { ...made, results: made.results.map((each) => ({ ...each, hits_top_k: more(each.query_id) })) };
    };
    const [wrong] = run("v2", [{ kind: "byte", start: 200, end: 300 }]).results[0]?.hits_top_k ?? [];
    const stray = withMore("v2", (id) => [
      { ...present(wrong), doc_id: id },
      { chunk_id: "x", doc_id: id },
    ]);
    expect(verdictOf(stray)).toEqual(["worse", told]);
    const deep = withMore("v2", (id) => [
      ...Array.from({ length: 10 }, (_, at) => ({ chunk_id: `o${at}`, doc_id: "other" })),
      { chunk_id: "x", doc_id: id },
    ]);
    const { statistics: ofDeep } = compareRuns(good, deep, expected);
    expect(ofDeep?.comparisons[0]?.verdict.kind).toBe("worse");
    // What one run hides says nothing of another.
    const bad = run("v3", [{ kind: "byte", start: 200, end: 300 }]);
    const three = compareSeveralRuns([good, bad, run("v2", lines(1, 9))], expected);
    expect(three.comparisons.map(({ verdict: { kind } }) => kind)).toEqual(["worse", "inconclusive"]);
    const headline = compareRuns(good, run("v2", lines(1, 9)), expected).statistics?.comparisons[0]?.verdict
      .headline;
    expect(headline).toMatch(/^MRR@10 cannot see what `v2` found: .* no place for 12 of 12 queries/);
  });

  it("citations of the other chunker's chunks resolve where the corpus has their place", () => {
    const corpus = {
      chunks: [1, 2].map((n): ChunkRecord => ({
        chunk_id: `new#${n}`,
        doc_id: "d",
        source_spans: lines(20 * n - 19, 20 * n),
        chunker_version: "v2",
      })),
    };
    const citing = (chunk: SearchHit, cited: string, of: string): EvalRun =>
      aRun({
        run_id: of,
        results: [
          result("q", [chunk], { answer: answer("so", { citations: [{ citation: { chunk_id: cited } }] }) }),
        ],
        ...version(of),
      });
    const place = (chunk_id: string, at: Span[], doc_id = "d"): SearchHit => ({
      chunk_id,
      doc_id,
      source_spans: at,
    });
    const coverages = (hit: SearchHit, cited = hit.chunk_id, archive: ChunkRecord[] = []) =>
      [false, true].map((isSwapped) => {
        const runs = [citing(hit, cited, "v1"), citing(place("new#1", lines(1, 20)), "new#1", "v2")];
        const [first, second] = isSwapped ? runs.reverse() : runs;
        const report = compareRuns(first as EvalRun, second as EvalRun, golden, { corpus, archive });
        return [report.aggregate_a.citation_coverage, report.aggregate_b.citation_coverage];
      });
    const real = Array<number[]>(2).fill([1, 1]);
    const invented = [0, 1].map((at) => [at, 1 - at]);
    expect(coverages(place("old#1", lines(5, 9)))).toEqual(real);
    expect(coverages({ chunk_id: "old#1", doc_id: "d" })).toEqual(real);
    expect(coverages(place("old#1", lines(50, 60)))).toEqual(invented);
    expect(coverages(place("old#1", lines(5, 9), "gone"))).toEqual(invented);
    // Of another kind no more is known than the document.
    expect(coverages(place("old#1", [{ kind: "byte", start: 0, end: 9 }]))).toEqual(real);
    expect(coverages(place("old#1", lines(5, 9)), "old#7")).toEqual(invented);
    const archived = { ...place("old#7", lines(30, 60)), chunker_version: "v1" };
    expect(coverages(place("old#1", lines(5, 9)), "old#7", [archived])).toEqual(real);
    // By itself a run cites chunks that there are now, by their ids.
    const alone = citing(place("old#1", lines(5, 9)), "old#1", "v1");
    expect(computeAggregate(alone, golden, { corpus }).citation_coverage).toBe(0);
  });

  it("a chunk id that two chunkers share lies where the run's own chunker put it", () => {
    const archive = [
      { chunk_id: "d#1", doc_id: "d", source_spans: lines(1, 10), chunker_version: "v1" },
      { chunk_id: "d#1", doc_id: "d", source_spans: lines(100, 110), chunker_version: "v2" },
    ];
    // The golden set is of the chunker that has all of its ids.
    const wanted = [...golden, query("r", { expected_chunk_ids: ["d#9"] })];
    const more = [...archive, { chunk_id: "d#9", doc_id: "d", chunker_version: "v1" }];
    const runs = [a([hit("d#1")], version("v1")), b([hit("d#1")], version("v2"))] as const;
    expect(compareRuns(...runs, wanted, { archive: more }).per_query[0]).toMatchObject({
      kind: "regression",
    });
  });
  it("of places that are much the same it is the smallest, in whatever order they come", () => {
    const small = [spanned("d#2", 1, 11, 20), spanned("d#1", 2, 1, 10)];
    const large = [spanned("d#1", 1, 1, 20), spanned("d#2", 2, 21, 40)];
    const ranksOf = (one: EvalRun, other: EvalRun, archive: readonly ChunkRecord[] = []): unknown => {
      const [{ a_hit_rank, b_hit_rank } = {}] = compareRuns(one, other, golden, { archive }).per_query;
      return { [one.run_id]: a_hit_rank, [other.run_id]: b_hit_rank };
    };
    const [one, other] = [a(small, version("v1")), b(large, version("v2"))];
    expect(ranksOf(one, other)).toEqual({ a: 2, b: 1 });
    expect(ranksOf(other, one)).toEqual({ a: 2, b: 1 });
    const known = [
      { chunk_id: "d#1", doc_id: "d", source_spans: lines(1, 20), chunker_version: "v2" },
      { chunk_id: "d#1", doc_id: "d", source_spans: lines(1, 10), chunker_version: "v1" },
    ];
    const bare = b([spanned("d#9", 1, 11, 20)], version("v3"));
    for (const archive of [known, known.toReversed()])
      expect(ranksOf(one, bare, archive)).toEqual({ a: 2, b: null });
  });
  it("places are not the same by way of a third one, in whatever order they come", () => {
    const places = [lines(1, 10), lines(6, 15), lines(11, 20)].map((source_spans, at) => ({
      chunk_id: "d#1",
      doc_id: "d",
      source_spans,
      chunker_version: `v${at}`,
    }));
    for (const [x, y, z] of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
    ] as const) {
      const archive = [places[x], places[y], places[z]] as ChunkRecord[];
      const [found] = compareRuns(
        a([spanned("d#8", 1, 90, 99)], version("v8")),
        b([spanned("d#9", 1, 80, 89)], version("v9")),
        golden,
        { archive },
      ).per_query;
      expect(found).toMatchObject({ a_hit_rank: 1, b_hit_rank: 1 });
    }
  });
  describe("that number their chunks alike", () => {
    const ids = Array.from({ length: 20 }, (_, at) => `doc${at}`);
    const placed = (doc: string, number: number, size: number, version: string) => ({
      chunk_id: `${doc}#${number}`,
      doc_id: doc,
      source_spans: lines(number * size + 1, number * size + size),
      chunker_version: version,
    });
    const wanted = ids.map((id) => query(id, { expected_chunk_ids: [`${id}#2`] }));
    const runOf = (run_id: string, chunker: string, hitsOf: (doc: string, at: number) => SearchHit[]) =>
      aRun({
        run_id,
        ...version(chunker),
        results: ids.map((id, at) => result(id, hitsOf(id, at))),
      });
    const compared = (
      [old, fresh]: readonly [string, string],
      archiveOf: (chunks: readonly ReturnType<typeof placed>[]) => readonly ReturnType<typeof placed>[],
      expected: Golden = wanted,
    ) => {
      const chunk = (doc: string, number: number, size: number, of: string, rank = 1): SearchHit => ({
        ...hit(`${doc}#${number}`, rank),
        ...placed(doc, number, size, of),
      });
      return compareRuns(
        runOf("a", old, (doc, at) => [chunk(doc, at < 18 ? 2 : 0, 10, old)]),
        runOf("b", fresh, (doc) => [chunk(doc, 4, 5, fresh), chunk(doc, 2, 5, fresh, 2)]),
        expected,
        {
          archive: archiveOf(
            ids.flatMap((doc) => [
              ...[0, 1, 2].map((number) => placed(doc, number, 10, old)),
              ...[0, 1, 2, 3, 4, 5].map((number) => placed(doc, number, 5, fresh)),
            ]),
          ),
        },
      );
    };
    const NAMES = [
      ["v1", "v2"],
      ["v9", "v10"],
      ["win@1", "para@1"],
    ] as const;

    it.each(NAMES)(
      "have no known place where but for the names %s and %s nothing could decide",
      (...names) => {
        for (const archiveOf of [<T>(all: T) => all, () => []]) {
          const report = compared(names, archiveOf);
          expect(report.fallback_queries).toBe(20);
          expect([report.aggregate_a.mrr, report.aggregate_b.mrr]).toEqual([1, 1]);
          expect(report.warnings.map(({ code }) => code)).toContain("SPANS_UNKNOWN");
          expect(report.statistics?.comparisons[0]?.verdict).toMatchObject({ kind: "inconclusive" });
        }
      },
    );
    it.each(NAMES)("are told apart by an id that one of them has alone, be they %s and %s", (...names) => {
      const further = [...wanted, query("x", { expected_chunk_ids: ["other#0"] })];
      const report = compared(names, (all) => [...all, placed("other", 0, 10, names[0])], further);
      expect(report.fallback_queries).toBe(0);
      // 18 and 20 of 21 queries.
      expect([report.aggregate_a.mrr, report.aggregate_b.mrr]).toEqual([0.8571, 0.9524]);
    });
    it.each(NAMES)("are told apart by the golden set that names its own, be they %s and %s", (...names) => {
      const scored = (chunker_version: string, archiveOf: Parameters<typeof compared>[1]) => {
        const report = compared(names, archiveOf, { chunker_version, queries: wanted });
        return [report.fallback_queries, report.aggregate_a.mrr, report.aggregate_b.mrr];
      };
      // Lines 21 to 30, of which chunk 4 of the fresh chunker is the first half; and lines 11 to 15.
      expect(scored(names[0], (all) => all)).toEqual([0, 0.9, 1]);
      expect(scored(names[1], (all) => all)).toEqual([0, 0, 0.5]);
      // Two ids that no hit of the named chunker places; the fresh one's of these ids lie elsewhere.
      expect(scored(names[0], () => [])).toEqual([2, 0.9, 0.9]);
      expect(scored(names[1], () => [])).toEqual([0, 0, 0.5]);
    });
    it("are not known by what another chunker than the golden set's means by an id", () => {
      const report = compared(["v1", "v2"], (all) => all, { chunker_version: "v0", queries: wanted });
      expect(report.fallback_queries).toBe(20);
      expect(report.statistics?.comparisons[0]?.verdict).toMatchObject({ kind: "not_comparable" });
    });
  });
  it("an id that two chunkers place elsewhere leaves ids of another form where they are", () => {
    // Run b finds the right documents, in the wrong places.
    const ids = Array.from({ length: 40 }, (_, at) => `d${at}`);
    const place = (id: string, doc: string, start: number, rank = 1): SearchHit => ({
      ...hit(id, rank),
      doc_id: doc,
      source_spans: lines(start, start + 9),
    });
    const runOf = (run_id: string, chunker: string, hitOf: (doc: string) => SearchHit, odd: number) =>
      aRun({
        run_id,
        ...version(chunker),
        results: [
          ...ids.map((id) => result(id, [hitOf(id)])),
          result("odd", [place("faq#1", "faq", odd)]),
          result("more", [chunker === "v1" ? place("faq#2", "faq", 11) : place("faq#9", "faq", 70)]),
        ],
      });
    const report = compareRuns(
      runOf("a", "v1", (doc) => place(`${doc}/intro`, doc, 1, 2), 1),
      runOf("b", "v2", (doc) => place(`${doc}/w9`, doc, 500), 50),
      [
        ...ids.map((id) => query(id, { expected_chunk_ids: [`${id}/intro`] })),
        query("odd", { expected_chunk_ids: ["faq#1"] }),
        query("more", { expected_chunk_ids: ["faq#2"] }),
      ],
    );
    expect(report.fallback_queries).toBe(2);
    expect(report.statistics?.comparisons[0]?.verdict).toMatchObject({ kind: "worse" });
    // Where most are of that form nothing is decided.
    const most = compareRuns(
      runOf("a", "v1", (doc) => place(`${doc}#1`, doc, 1, 2), 1),
      runOf("b", "v2", (doc) => place(`${doc}#9`, doc, 500), 50),
      [
        ...ids.map((id, at) =>
          query(id, {
            expected_chunk_ids: [`${id}#1`],
            ...(at < 4 && { expected_spans: [{ doc_id: id, span: { kind: "line", start: 1, end: 9 } }] }),
          }),
        ),
        query("odd", { expected_chunk_ids: ["faq#1"] }),
      ],
    );
    expect(most.fallback_queries).toBe(37);
    expect(most.statistics?.comparisons[0]?.verdict).toMatchObject({
      kind: "inconclusive",
      headline: expect.stringContaining(
        "no place of an expected chunk of 37 of 41 queries is known",
      ) as string,
    });
  });
  it("an expected chunk of the voted chunker without spans is matched by its document", () => {
    const queries = ["d1", "d2"].map((id) => query(id, { expected_chunk_ids: [`${id}#1`] }));
    const runOf = (run_id: string, chunker: string) =>
      aRun({
        run_id,
        ...version(chunker),
        results: queries.map(({ id }) => result(id, [{ ...hit(`${id}#1`), doc_id: id }])),
      });
    const archive = [
      ...queries.map(({ id }) => ({ chunk_id: `${id}#1`, doc_id: id, chunker_version: "v1" })),
      ...queries.map(({ id }) => ({
        chunk_id: `${id}#1`,
        doc_id: id,
        chunker_version: "v2",
        source_spans: lines(100, 120),
      })),
    ];
    const named = { chunker_version: "v1", queries };
    const report = compareRuns(runOf("a", "v1"), runOf("b", "v2"), named, { archive });
    expect([report.fallback_queries, report.aggregate_a.mrr, report.aggregate_b.mrr]).toEqual([2, 1, 1]);
  });
  it("hits whose spans end before they start are said to have none", () => {
    const report = compareRuns(
      a([spanned("d#1", 1, 1, 10)], version("v1")),
      b([spanned("d#y", 1, 10, 1)], version("v2")),
      golden,
    );
    expect(report.warnings).toContainEqual(expect.objectContaining({ code: "HITS_WITHOUT_SPANS", count: 1 }));
  });
  it("runs of one chunker are matched by place where the golden set is of another one, which is said", () => {
    const archive = [
      { chunk_id: "d#1", doc_id: "d", source_spans: lines(1, 10), chunker_version: "v1" },
      { chunk_id: "d#1", doc_id: "d", source_spans: lines(21, 30), chunker_version: "v2" },
    ];
    const runs = [a([hit("d#1")], version("v2")), b([spanned("d#0", 1, 1, 20)], version("v2"))] as const;
    const compared = (chunker_version: string | undefined) =>
      compareRuns(...runs, { chunker_version, queries: golden }, { archive });
    expect(compared(undefined).per_query).toMatchObject([{ kind: "regression" }]);
    expect(compared("v2").per_query).toMatchObject([{ kind: "regression" }]);
    const report = compared("v1");
    expect(report.per_query).toMatchObject([{ kind: "win", a_hit_rank: null, b_hit_rank: 1 }]);
    expect(report.deltas.chunker_version_match).toBe("fallback_doc_span");
    expect(report.warnings).toMatchObject([
      {
        code: "CHUNKERS_DIFFER",
        message: expect.stringContaining("the golden set is of another chunker (v1) than the runs (v2)"),
      },
    ]);
  });
  it("a hit does not take the place that another chunker gave its id, before its own citation", () => {
    const archive = [{ chunk_id: "d#2", doc_id: "d", source_spans: lines(1, 10), chunker_version: "v1" }];
    const cited = hit("d#2", 1, { citation: { kind: "line", path: "d", start: 101, end: 120 } });
    expect(
      compareRuns(a([spanned("d#1", 1, 1, 10)], version("v1")), b([cited], version("v2")), golden, {
        archive,
      }).per_query[0],
    ).toMatchObject({ kind: "regression" });
  });
  it("expected_spans of several documents hold for a chunk that nobody knows", () => {
    const annotated = [
      query("q", {
        expected_chunk_ids: ["c1", "c2"],
        expected_spans: ["d", "e"].map((doc_id) => ({
          doc_id,
          span: { kind: "line" as const, start: 1, end: 5 },
        })),
      }),
    ];
    const report = compareRuns(
      a([spanned("d#x", 1, 500, 600), spanned("e#x", 2, 1, 5)], version("v1")),
      b([], version("v2")),
      annotated,
    );
    expect(report.per_query[0]).toMatchObject({ a_hit_rank: 2 });
    expect(report.fallback_queries).toBe(0);
  });
  it("versions may be numbers", () =>
    expect(
      compareRuns(
        a([], { config_snapshot: { chunker_version: 1 } }),
        b([], { config_snapshot: { chunker_version: 2 } }),
        golden,
      ).causes,
    ).toEqual([{ cause: "chunker version", a: "1", b: "2" }]));
  it("a version unknown on one side counts as different, unknown on both does not", () => {
    expect(compareRuns(a([]), b([], version("v1")), golden).deltas.chunker_version_match).toBe(
      "fallback_doc_span",
    );
    expect(compareRuns(a([]), b([]), golden).deltas.chunker_version_match).toBe("exact");
  });
  it("a run's version is the one its hits agree on, where the snapshot has none", () => {
    const carried = (v: string): SearchHit[] => [hit("d#1", 1, { chunker_version: v })];
    expect(compareRuns(a(carried("v1")), b(carried("v1")), golden).deltas.chunker_version_match).toBe(
      "exact",
    );
    expect(
      compareRuns(a(carried("v1")), b([...carried("v1"), hit("d#2", 2, { chunker_version: "v2" })]), golden)
        .deltas.chunker_version_match,
    ).toBe("fallback_doc_span");
  });
  it("are refused when strictness is asked for", () => {
    expect(() =>
      compareRuns(a([], version("v1")), b([], version("v2")), golden, { strictChunkerVersion: true }),
    ).toThrow(InputError);
  });
});

describe("configuration", () => {
  const diff = (x: object, y: object) =>
    compareRuns(a([], { config_snapshot: { ...x } }), b([], { config_snapshot: { ...y } }), golden);
  it("every differing leaf is listed, null and absent being the same", () => {
    expect(
      diff(
        { k: 60, same: 1, list: [1, 2], embedding: null },
        { k: 61, same: 1, list: [1, 3], embedding: { model: "e5" }, gone: null },
      ).config_diff,
    ).toEqual([
      { path: "embedding.model", a: null, b: "e5" },
      { path: "k", a: 60, b: 61 },
      { path: "list[1]", a: 2, b: 3 },
    ]);
  });
  it("secrets do not get out, wherever they stand", () => {
    const secrets = {
      api_key: "hunter2",
      nested: { authToken: "hunter2", list: [{ password: "hunter2" }] },
      url: "https://user:hunter2@host/x",
      header: "Bearer hunter2hunter2",
      note: "sk-hunter2hunter2",
      credentials: { user: "me", pass: "hunter2" },
      api_keys: ["hunter2"],
      openai_api_key_prod: "hunter2",
      private_key_pem: "hunter2",
      tokens: { a: "hunter2" },
      dsn2: "Server=x;Password=hunter2;",
      link: "https://host/x?api_key=hunter2",
      remote: "https://hunter2@host/",
      gitlab: "glpat-hunter2hunter2",
      hf: "hf_hunter2hunter2",
      PGPASSWORD: "hunter2",
      APIToken: "hunter2",
      dbpassword: "hunter2",
      clientsecret: "hunter2",
      openaikey: "hunter2",
      stripe: "sk_live_hunter2hunter2",
      index_version: "https://u:hunter2@h/x",
      llm: { model_id: { name: "m", api_key: "hunter2" } },
    };
    const text = JSON.stringify(diff(secrets, {}));
    expect(text).not.toContain("hunter2");
    expect(text).toContain("[redacted]");
  });
  it("settings that only sound like secrets are shown", () => {
    expect(
      diff(
        {
          max_tokens: 100,
          tokenizer: "porter",
          sort_key: "a",
          pad_token: "<pad>",
          prompt: "Give basic information only",
        },
        { max_tokens: 200, tokenizer: "plain" },
      ).config_diff,
    ).toEqual([
      { path: "max_tokens", a: 100, b: 200 },
      { path: "pad_token", a: "<pad>", b: null },
      { path: "prompt", a: "Give basic information only", b: null },
      { path: "sort_key", a: "a", b: null },
      { path: "tokenizer", a: "porter", b: "plain" },
    ]);
  });
  it("two secrets that are not the same one differ visibly; random names of versions are shown", () => {
    const [commit, other] = [
      "9fceb02d0ae598e95dc970b74767f19372d61af8",
      "1b2c3d4e5f60718293a4b5c6d7e8f9012a3b4c5d",
    ];
    expect(
      diff({ api_key: "one", commit, only: "sk-abcdefghijkl" }, { api_key: "two", commit: other })
        .config_diff,
    ).toEqual([
      { path: "api_key", a: "[redacted: differs]", b: "[redacted: differs]" },
      { path: "commit", a: commit, b: other },
      { path: "only", a: "[redacted]", b: null },
    ]);
  });
  it("known causes are said once", () => {
    const x = {
      embedding: { model: "e5" },
      llm: { model_id: "m1" },
      prompt_template_version: "p1",
      index_version: "i1",
    };
    const y = {
      embedding: { model: "bge" },
      llm: { model_id: "m2" },
      prompt_template_version: "p2",
      index_version: "i1",
    };
    expect(diff(x, y).causes).toEqual([
      { cause: "embedding model", a: "e5", b: "bge" },
      { cause: "prompt template version", a: "p1", b: "p2" },
      { cause: "LLM", a: "m1", b: "m2" },
    ]);
  });
  it("odd keys are quoted in the path, and deep nesting is no problem", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(diff({ "a.b": 1, __proto__x: 2 }, {}).config_diff.map(({ path }) => path)).toEqual([
      '["a.b"]',
      "__proto__x",
    ]);
    expect(diff({ deep }, {}).config_diff).toHaveLength(1);
  });
});

describe("a run that was asked fewer queries than the golden set has", () => {
  const ids = Array.from({ length: 12 }, (_, i) => `q${i}`);
  const all = ids.map((id) => query(id, { expected_chunk_ids: ["d#1"], expected_doc_ids: ["d"] }));
  const of = (run_id: string, some: readonly string[]): EvalRun =>
    aRun({ run_id, results: some.map((id) => result(id, [hit("d#1")])) });
  it.each([
    ["baseline", of("old", ids.slice(0, 5)), of("same", ids), "7 queries have no result in the baseline"],
    ["newer one", of("old", ids), of("part", ids.slice(1)), "1 query has no result in this run"],
  ])("says in its verdict what counts as 0: the %s", (_, before, after, said) => {
    const { statistics } = compareRuns(before, after, all);
    const { headline, reasons } = present(statistics?.comparisons[0]).verdict;
    expect([headline, ...reasons].join("\n")).toMatch(new RegExp(` ${said} and counts? as 0 there\\.$`, "m"));
    const skipped = compareRuns(before, after, all, { missingQueries: "skip" }).statistics?.comparisons[0];
    expect(skipped?.verdict.headline).toMatch(
      /^Every one of the \d+ queries has the same MRR@10 in both runs\. \d+ queries can miss what /,
    );
  });
});

it("the rate of empty results is that of the whole run in comparisons of two and of several runs", () => {
  const wanted = ["q0", "q1"].map((id) =>
    query(id, { expected_chunk_ids: ["d#1"], expected_doc_ids: ["d"] }),
  );
  const of = (run_id: string): EvalRun =>
    aRun({
      run_id,
      results: [...wanted.map(({ id }) => result(id, [hit("d#1")])), result("x", []), result("y", [])],
    });
  const rates = [
    compareRuns(of("a"), of("b"), wanted),
    compareSeveralRuns([of("a"), of("b"), of("c")], wanted),
  ];
  for (const rate of rates)
    expect(gate(rate, ["empty_result_rate <= 0.02"]).rules.map(({ value }) => value)).toEqual(
      rate === rates[0] ? [0.5] : [0.5, 0.5],
    );
});

describe("what is not compared", () => {
  const ids = Array.from({ length: 12 }, (_, at) => `q${at}`);
  const wanted = ids.map((id) => query(id, { expected_chunk_ids: ["d#1"], must_contain: ["x"] }));
  const of = (run_id: string, text: string | null, misses = 0): EvalRun =>
    aRun({
      run_id,
      results: ids.map((id, at) =>
        result(id, [hit(at < misses ? "d#2" : "d#1")], text === null ? {} : { answer: answer(text) }),
      ),
    });

  it("is a metric that is no mean over queries: its value stands alone", () => {
    const metrics = ["GMAP", "NumRet", "AP"].map((name) => parseMetric(name));
    const [before, after] = [of("a", null), of("b", null, 2)];
    const report = compareRuns(before, after, wanted, { metrics });
    expect(report.deltas.metrics["GMAP"]).toBeLessThan(-0.8);
    expect(report.statistics?.metrics).toContain("AP");
    expect(report.statistics?.metrics).not.toContain("GMAP");
    expect(gate(report, ["GMAP not worse by 0.9"]).rules[0]).toMatchObject({ passed: false });
    const several = compareSeveralRuns([before, after, of("c", null)], wanted, { metrics });
    expect(several.metrics).not.toContain("NumRet");
    expect(several.runs.map(({ means }) => means["NumRet"])).toEqual([12, 12, 12]);
    const gated = gate(several, ["GMAP >= 0.5", "no loss of GMAP", "no loss of NumRet"]).rules;
    expect(gated.map(({ passed, run }) => `${run} ${passed}`)).toEqual([
      ...["b false", "c true"],
      ...["b false", "c true"],
      ...["b true", "c true"],
    ]);
    expect(several.leaderboard?.[0]?.scores.map(({ metric }) => metric)).not.toContain("GMAP");
    // Of a count of which fewer are better more is a loss; what nothing was measured by is no 0.
    const judgments = ["d#1", "d#2"].map((chunk_id, at) => ({ chunk_id, grade: 1 - at }));
    const graded = ids.map((id) => query(id, { judgments }));
    const bad = compareSeveralRuns([before, after, of("c", null)], graded, {
      metrics: ["AP", "NumNonrelRet"].map((name) => parseMetric(name)),
    });
    expect(bad.metric_cards["NumNonrelRet"]?.higher_is_better).toBe(false);
    expect(gate(bad, ["no loss of NumNonrelRet"]).rules.map(({ passed }) => passed)).toEqual([false, true]);
    const texts = ids.map((id) => query(id, { must_contain: ["x"] }));
    const unmeasured = compareSeveralRuns([before, after, of("c", "x")], texts, { metrics });
    expect(unmeasured.runs[0]?.means).not.toHaveProperty("GMAP");
    expect(gate(unmeasured, ["GMAP >= 0", "no loss of GMAP"]).passed).toBe(false);
    const alone = reportRun(after, wanted, { metrics });
    expect(alone.metrics.find(({ metric }) => metric === "GMAP")).toEqual({
      metric: "GMAP",
      queries: 12,
      mean: report.aggregate_b.metrics["GMAP"],
      interval: null,
    });
    expect(alone.metrics.find(({ metric }) => metric === "AP")?.interval).not.toBeNull();
    expect(() => compareRuns(before, after, wanted, { metrics, statistics: { guards: ["GMAP"] } })).toThrow(
      "`GMAP` is no mean over queries",
    );
  });
  it("is a metric that one of several runs lacks, in that run alone", () => {
    const runs = [of("a", "x"), of("search", null), of("b", "y")];
    const { metrics, comparisons, settings } = compareSeveralRuns(runs, wanted);
    expect(metrics).toContain("text checks");
    const checks = comparisons.map((each) => each.metrics.find(({ metric }) => metric === "text checks"));
    expect(checks.map((each) => [each?.difference, each?.pairs])).toEqual([
      [null, 0],
      [-1, 12],
    ]);
    expect(settings.primary).toBe("MRR@10");
    // The baseline may be the one that lacks it.
    const [search, ...answering] = [of("search", null), of("a", "x"), of("b", "y")];
    const without = compareSeveralRuns([search, ...answering], wanted);
    expect(without.metrics).toContain("text checks");
    expect(without.comparisons.map((each) => each.metrics.at(-1)?.difference)).toEqual([null, null]);
    const scores = without.leaderboard?.map((row) =>
      row.scores.find(({ metric }) => metric === "text checks"),
    );
    expect(scores?.map((score) => [score?.mean, score?.groups])).toEqual([
      [null, []],
      [1, ["a"]],
      [0, ["b"]],
    ]);
    // What not all have decides nothing unless it is asked for.
    const texts = ids.map((id) => query(id, { must_contain: ["x"] }));
    expect(compareSeveralRuns(runs, texts).settings.primary).toBeNull();
  });
});

describe("runs that answer different queries", () => {
  const ids = Array.from({ length: 10 }, (_, at) => `q${at}`);
  const wanted = ids.map((id) => query(id, { expected_chunk_ids: ["d#1"], expected_doc_ids: ["d"] }));
  const found = (run_id: string, answered: readonly string[], chunk = "d#1"): EvalRun =>
    aRun({
      run_id,
      results: answered.map((id) => result(id, [{ ...hit(chunk), doc_id: chunk.split("#")[0] as string }])),
    });
  it("are counted over those of both where queries without a result are left out", () => {
    const [whole, half] = [found("a", ids), found("b", ids.slice(0, 6))];
    expect(compareRuns(whole, half, wanted).counts).toMatchObject({ regression: 4, draw: 6 });
    const skipped = compareRuns(whole, half, wanted, { missingQueries: "skip" });
    expect(skipped.counts).toEqual({ win: 0, loss: 0, regression: 0, draw: 6 });
    expect(gate(skipped, ["at most 0 regressions"]).passed).toBe(true);
  });
  it("beside a third run, too, are counted over those of both, and the run says what is left out", () => {
    const [whole, half, copy] = [found("a", ids), found("b", ids.slice(0, 6)), found("c", ids)];
    const compared = compareSeveralRuns([whole, half, copy], wanted, { missingQueries: "skip" });
    expect(compared.runs.map(({ queries, left_out }) => [queries, left_out])).toEqual([
      [10, undefined],
      [6, ids.slice(6)],
      [10, undefined],
    ]);
    expect(gate(compared, ["at most 0 regressions"]).passed).toBe(true);
    expect(runFindings(compared).map(({ worse }) => worse)).toEqual([[], []]);
    const counted = compareSeveralRuns([whole, half, copy], wanted);
    expect(gate(counted, ["at most 3 regressions"]).rules.map(({ value }) => value)).toEqual([4, 0]);
    expect(runFindings(counted)[0]?.worse).toHaveLength(4);
  });
  it("have the test of a row only where it is one of the row's difference", () => {
    const options = { metrics: [parseMetric("Unjudged@1")] };
    const report = compareRuns(found("a", ids), found("b", ids.slice(0, 5)), wanted, options);
    expect(report.deltas.metrics["Unjudged@1"]).toBe(0);
    const text = renderCompareText(report);
    expect(text).toMatch(/^Unjudged@1 +0\.0000 +0\.0000 +0\.0000 +— +—$/m);
    expect(text).toMatch(
      /^with the worst score for queries without a result, .*: Unjudged@1 \(\+0\.5000, \+/m,
    );
    expect(text).toMatch(/^hit@1 +1\.0000 +0\.5000 +-0\.5000 +-\S+ to -\S+ +0\.\d+$/m);
    expect(renderReportMd(report)).toMatch(
      /^\| Unjudged@1 \| 0\.0000 \| 0\.0000 \| 0\.0000 \|  \| 10 \| — \| — \|$/m,
    );
  });
  it("have two differences of a score that only answered queries have, and the worse one counts", () => {
    const texts = ids.map((id) => query(id, { must_contain: ["x"] }));
    const says = (run_id: string, right: number, wrong: number): EvalRun =>
      aRun({
        run_id,
        results: ids
          .slice(0, right + wrong)
          .map((id, at) => result(id, [hit("d#1")], { answer: answer(at < right ? "x" : "y") })),
      });
    const report = compareRuns(says("a", 5, 0), says("b", 5, 5), texts);
    expect(renderCompareText(report)).toMatch(
      /^over the queries of both: text checks \(0\.0000, —, p 1\.0000\), /m,
    );
    expect(renderReportHtml(report)).toMatch(/>\s*1\.0000\s*<br[^>]*>\s*<small class="quiet">\s*all 0\.5000/);
    expect(gate(report, ["no significant loss of text checks"]).rules[0]).toMatchObject({
      passed: true,
      why: expect.stringMatching(/, p = 1\.0000: no loss over these$/) as string,
      warning: "queries of one run alone were not tested; `text checks not worse by 0.02` looks at them, too",
    });
    const [loss, within] = gate(report, [
      "no loss of text checks",
      "text checks within 0.1 of the baseline",
    ]).rules;
    const both = "text checks differs by -0.5000, and by 0.0000 over the 5 queries that were compared";
    expect(gate(report, ["text checks not worse by 0.1"]).rules[0]).toMatchObject({
      passed: false,
      why:
        `${both}, on each the same: the scores differ by a loss of more than 0.1, which lies in queries of ` +
        "one run alone",
    });
    expect(loss).toMatchObject({ passed: false, value: -0.5, why: `${both}, a loss` });
    expect(within).toMatchObject({ passed: false, value: -0.5, why: `${both}, not within 0.1` });
  });
  it("without a rank are counted by the primary metric, as three runs are", () => {
    const judged = ids.map((id) => query(id, { judgments: [{ chunk_id: "d#1", grade: 2 }] }));
    const [whole, lost] = [found("a", ids), found("b", ids, "e#1")];
    const report = compareRuns(whole, lost, judged, { metrics: [ndcg({ cutoff: 10 })] });
    const rules = ["at most 9 regressions", "at most 10 losses"];
    expect(gate(report, rules).rules.map(({ passed, value }) => [passed, value])).toEqual([
      [false, 10],
      [true, 10],
    ]);
    expect(rankLine(report)).toBe("By rank: neither run finds a chunk or document that a query expects.");
  });
});
