import { describe, expect, it } from "vitest";
import { redecide, runBench, samplePass, sampleSheet, type BenchFixture } from "../../src/bench/index.js";
import type { Retriever } from "../../src/retrieve/index.js";
import type { BenchReport, SampleLabel, SampleRow } from "../../src/records/index.js";
import { pattern } from "../support/pattern.js";

/** Thirty cases of three types; every mode has three hits for each, of which it shares the second. */
const fixture: BenchFixture = {
  name: "f",
  version: null,
  description: "",
  unit: "chunk",
  chunker_version: "made up",
  digest: "abc",
  warnings: [],
  chunks: ["fts_only", "embedding_only", "hybrid", "shared"].flatMap((name) =>
    [1, 2, 3].map((place) => ({
      chunk_id: `${name}-${place}`,
      doc_id: name,
      title: "T",
      text: `text of ${name} ${place}`,
    })),
  ),
  cases: Array.from({ length: 30 }, (_, index) => ({
    case_id: `c${index}`,
    query: `q${index}`,
    query_type: ["exact", "paraphrase", "cross_field"][index < 20 ? 0 : index < 28 ? 1 : 2] ?? "",
    top_k: 5,
    grades: new Map(
      index === 0
        ? [
            ["hybrid-1", 1],
            ["shared-1", 1],
          ]
        : [["hybrid-1", 1]],
    ),
  })),
};
const hits = (name: string): Retriever => ({
  search: () =>
    [`${name}-1`, "shared-1", `${name}-3`].map((id, index) => ({
      rank: index + 1,
      chunk_id: id,
      doc_id: id,
      score: -index,
    })),
});
const measured = runBench(
  fixture,
  ["fts_only", "embedding_only", "hybrid"].map((mode) => ({ mode, retriever: hits(mode) })),
  { repeats: 1, warmUp: 0 },
);
const report = async (): Promise<BenchReport> => structuredClone((await measured).report);
const labelled = (rows: readonly SampleRow[], label: (item: string) => SampleLabel | null): SampleRow[] =>
  rows.map((row) => ({ ...row, label: label(row.item) }));

describe("a sheet for people", () => {
  it("has 20 queries spread over the types, and the hits of every mode, each once", async () => {
    const rows = sampleSheet(fixture, await report());
    const cases = new Map(rows.map(({ case_id, query_type }) => [case_id, query_type]));
    expect(cases.size).toBe(20);
    // By turns: the two of cross_field, then exact and paraphrase share the other 18, of which paraphrase has
    // only 8.
    expect(
      ["exact", "paraphrase", "cross_field"].map(
        (type) => [...cases.values()].filter((each) => each === type).length,
      ),
    ).toEqual([10, 8, 2]);
    for (const caseId of cases.keys())
      expect(
        rows
          .filter(({ case_id }) => case_id === caseId)
          .map(({ item }) => item)
          .sort(),
      ).toEqual([
        "embedding_only-1",
        "embedding_only-3",
        "fts_only-1",
        "fts_only-3",
        "hybrid-1",
        "hybrid-3",
        "shared-1",
      ]);
  });
  it("is refused for a seed that no sequence begins with", async () => {
    await expect(report().then((made) => sampleSheet(fixture, made, { seed: 1.5 }))).rejects.toThrow(
      "seed must be a whole number from -2147483648 to 4294967295, got `1.5`",
    );
  });
  it("is blind: its order differs from query to query, and no column names a mode", async () => {
    const rows = sampleSheet(fixture, await report());
    const orders = new Set(
      [...new Set(rows.map(({ case_id }) => case_id))].map((id) =>
        rows
          .filter(({ case_id }) => case_id === id)
          .map(({ item }) => item)
          .join(),
      ),
    );
    expect(orders.size).toBeGreaterThan(10);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([
      "case_id",
      "item",
      "label",
      "query",
      "query_type",
      "text",
    ]);
    expect(rows[0]).toMatchObject({ label: null, text: expect.stringMatching(/^T\ntext of /) as string });
  });
  it("shows the passage that was found, not the beginning of its document", async () => {
    const cut: BenchFixture = {
      ...fixture,
      unit: "doc",
      chunks: [
        { chunk_id: "a#0", doc_id: "a", text: "Foreword." },
        { chunk_id: "a#1", doc_id: "a", text: "The answer is 42." },
        { chunk_id: "a#2", doc_id: "a", text: "Index." },
      ],
      cases: fixture.cases.slice(0, 5).map((one) => ({ ...one, grades: new Map([["a", 1]]) })),
    };
    const found = (chunk: string): Retriever => ({ search: () => [{ chunk_id: chunk, doc_id: "a" }] });
    const { report: made } = await runBench(
      cut,
      [
        { mode: "fts_only", retriever: found("a#1") },
        { mode: "hybrid", retriever: found("a#2") },
      ],
      { repeats: 1 },
    );
    expect(sampleSheet(cut, made)[0]).toMatchObject({ item: "a", text: "The answer is 42.\nIndex." });
  });
  it("is of queries that anything was found for", async () => {
    const some: Retriever = {
      search: (query) => (["q0", "q1"].includes(query) ? [{ chunk_id: "shared-1", doc_id: "shared" }] : []),
    };
    const { report: made } = await runBench(fixture, [{ mode: "fts_only", retriever: some }], { repeats: 1 });
    expect(new Set(sampleSheet(fixture, made).map(({ case_id }) => case_id))).toEqual(new Set(["c0", "c1"]));
  });
  it("is drawn of very many cases of one type", async () => {
    const cases = Array.from({ length: 20_000 }, (_, index) => ({
      ...(fixture.cases[0] as BenchFixture["cases"][number]),
      case_id: `c${index}`,
    }));
    const made = await report();
    const modes = made.modes.map((mode) => ({
      ...mode,
      per_case: cases.map(({ case_id }) => ({
        ...(mode.per_case[0] as BenchReport["modes"][number]["per_case"][number]),
        case_id,
      })),
    }));
    expect(
      new Set(sampleSheet({ ...fixture, cases }, { ...made, modes }).map(({ case_id }) => case_id)).size,
    ).toBe(20);
  });
  it("is the same for the same seed", async () => {
    const made = await report();
    expect(sampleSheet(fixture, made, { seed: 5 })).toEqual(sampleSheet(fixture, made, { seed: 5 }));
    expect(sampleSheet(fixture, made, { seed: 5 })).not.toEqual(sampleSheet(fixture, made, { seed: 6 }));
  });
  it("is refused for another fixture", async () => {
    const made = await report();
    expect(() => sampleSheet({ ...fixture, digest: "xyz" }, made)).toThrow(
      "the report was made on the fixture with digest `abc`, got one with `xyz`; give the fixture " +
        "of the report",
    );
    expect(() => sampleSheet(fixture, made, { hits: 0 })).toThrow(
      "hits must be a whole number from 1, got `0`",
    );
  });
});

describe("a labelled sheet", () => {
  it.each<[string, (item: string) => SampleLabel, string]>([
    ["more grounded hits", (item) => (item.startsWith("hybrid") ? "grounded" : "miss"), "more_relevant"],
    [
      "no more grounded ones, but more broad ones",
      (item) => (item.startsWith("hybrid") ? "broad" : "miss"),
      "more_vague",
    ],
    [
      "fewer grounded ones, more broad ones",
      (item) => (item.startsWith("fts_only") ? "grounded" : "broad"),
      "more_vague",
    ],
    ["fewer grounded ones", (item) => (item.startsWith("fts_only") ? "grounded" : "miss"), "less_relevant"],
    ["the same", () => "grounded", "unchanged"],
  ])("with %s", async (_, label, answer) => {
    const made = await report();
    expect(samplePass(made, labelled(sampleSheet(fixture, made), label))).toMatchObject({
      answer,
      queries: 20,
      hits: 140,
      unlabelled: 0,
      against: "hybrid",
    });
  });
  it("says it in numbers", async () => {
    const made = await report();
    const pass = samplePass(
      made,
      labelled(sampleSheet(fixture, made), (item) =>
        item === "hybrid-1" ? "grounded" : item === "shared-1" ? "broad" : "miss",
      ),
    );
    expect(pass.modes).toEqual([
      { mode: "fts_only", grounded: 0, broad: 20, miss: 40, empty: 0 },
      { mode: "embedding_only", grounded: 0, broad: 20, miss: 40, empty: 0 },
      { mode: "hybrid", grounded: 20, broad: 20, miss: 20, empty: 0 },
    ]);
    expect(pass.headline).toBe(
      "Hits became more relevant: of the first 3 places of hybrid 33 % are grounded and 33 % " +
        "broad, of those of fts_only 0 % and 33 %; grounded +0.3333 a query, p < 0.0001",
    );
  });
  it("cannot tell 15 grounded hits from 14, and leaves the item of the checklist open", async () => {
    const made = await report();
    let [ofHybrid, ofBaseline] = [15, 14];
    const rows = labelled(sampleSheet(fixture, made), (item) => {
      if (item === "hybrid-1" && ofHybrid > 0) return ofHybrid-- > 0 ? "grounded" : "miss";
      if (item === "fts_only-1" && ofBaseline > 0) return ofBaseline-- > 0 ? "grounded" : "miss";
      return "miss";
    });
    const pass = samplePass(made, rows);
    expect(pass.answer).toBe("cannot_tell");
    expect(pass.grounded?.p).toBeGreaterThan(0.5);
    expect(pass.grounded?.interval?.low).toBeLessThan(0);
    expect(pass.headline).toMatch(
      pattern(
        /^20 queries cannot tell whether hits became more relevant: .*; grounded /,
        /\+0\.0167 a query, interval -0\.\d{4} to \+0\.\d{4}, p = \d\.\d{4}$/,
      ),
    );
    const again = redecide(made, {}, { rows });
    expect(again.checklist.find(({ item }) => item === "manual_sampling")?.is_done).toBe(false);
  });
  it("holds only queries against each other that are labelled whole", async () => {
    const made = await report();
    const sheet = sampleSheet(fixture, made);
    const half = labelled(sheet, (item) => (item === "hybrid-3" || item === "shared-1" ? null : "grounded"));
    expect(samplePass(made, half)).toMatchObject({
      answer: "cannot_tell",
      grounded: { difference: 0, p: 1 },
    });
  });
  it("counts empty places of no query that is not labelled whole", async () => {
    const made = await report();
    const sheet = sampleSheet(fixture, made);
    const rows = sheet.map((row, at): SampleRow => ({ ...row, label: at === 0 ? "grounded" : null }));
    expect(new Set(samplePass(made, rows).modes.map(({ empty }) => empty))).toEqual(new Set([0]));
  });
  it("takes a place without a hit for empty, not for better", async () => {
    const answering = (ids: readonly string[], isAnswered: (query: string) => boolean): Retriever => ({
      search: (query) => (isAnswered(query) ? ids.map((id) => ({ chunk_id: id, doc_id: id })) : []),
    });
    const half = (query: string): boolean => Number(query.slice(1)) % 2 === 0;
    const { report: made } = await runBench(
      fixture,
      [
        { mode: "fts_only", retriever: answering(["shared-1"], half) },
        { mode: "hybrid", retriever: answering(["shared-1", "shared-2"], () => true) },
      ],
      { repeats: 1 },
    );
    const pass = samplePass(
      made,
      labelled(sampleSheet(fixture, made), (item) => (item === "shared-1" ? "grounded" : "broad")),
    );
    expect(pass.answer).toBe("more_relevant");
    expect(pass.modes[1]).toEqual({ mode: "hybrid", grounded: 20, broad: 20, miss: 0, empty: 20 });
  });
  it("must be the report's own, whole, and not empty", async () => {
    const made = await report();
    const rows = labelled(sampleSheet(fixture, made), () => "grounded");
    expect(() => samplePass(made, rows.slice(1))).toThrow(
      "the sheet is not one of this report with the first 3 hits of each mode",
    );
    expect(() => samplePass(made, rows, { hits: 2 })).toThrow(
      "the sheet is not one of this report with the first 2 hits of each mode",
    );
    expect(() => samplePass(made, [{ ...(rows[0] as SampleRow), case_id: "stranger" }])).toThrow(
      "the sheet is not one of this report",
    );
    expect(() =>
      samplePass(
        made,
        labelled(rows, () => null),
      ),
    ).toThrow(
      "the sheet labels no hits of fts_only and hybrid; write grounded, broad or miss into its label column",
    );
  });
});

describe("what may be promoted", () => {
  const passed = async (label: (item: string) => SampleLabel | null): Promise<BenchReport> => {
    const made = await report();
    return redecide(made, {}, { rows: labelled(sampleSheet(fixture, made), label) });
  };
  it("nothing before people have looked", async () => {
    const made = await report();
    expect([made.decision?.outcome, made.may_promote]).toEqual(["keep_hybrid", false]);
    expect(made.checklist.filter(({ is_done }) => !is_done).map(({ item }) => item)).toEqual([
      "manual_sampling",
    ]);
  });
  it("embeddings whose hits became more relevant", async () => {
    expect((await passed((item) => (item.startsWith("hybrid") ? "grounded" : "miss"))).may_promote).toBe(
      true,
    );
  });
  it("not those whose hits became only more vague, nor before every hit is labelled", async () => {
    expect((await passed((item) => (item.startsWith("hybrid") ? "broad" : "miss"))).may_promote).toBe(false);
    expect(
      (await passed((item) => (item.startsWith("hybrid") ? "grounded" : item === "shared-1" ? null : "miss")))
        .may_promote,
    ).toBe(false);
  });
  it("not those whose hits became less relevant, nor a sheet of which queries were left out", async () => {
    expect((await passed((item) => (item.startsWith("fts_only") ? "grounded" : "miss"))).may_promote).toBe(
      false,
    );
    const made = await report();
    const rows = labelled(sampleSheet(fixture, made), () => "grounded");
    const [first] = rows;
    const cut = redecide(made, {}, { rows: rows.filter(({ case_id }) => case_id !== first?.case_id) });
    expect(cut.checklist.find(({ item }) => item === "manual_sampling")).toMatchObject({
      is_done: false,
      note: expect.stringMatching(/^the sheet has 19 of 20 queries/) as string,
    });
  });
  it("not a mode that people did not look at", async () => {
    const made = await report();
    const looked = redecide(
      made,
      {},
      {
        rows: labelled(sampleSheet(fixture, made), (item) =>
          item.startsWith("hybrid") ? "grounded" : "miss",
        ),
      },
    );
    const slow = looked.modes.map((mode) =>
      mode.mode === "hybrid"
        ? { ...mode, overall: { ...mode.overall, p95_latency_ms: 1000 } }
        : {
            ...mode,
            per_case:
              mode.mode === "embedding_only"
                ? mode.per_case.map((one) => ({ ...one, ndcg: 1, is_hit: true }))
                : mode.per_case,
          },
    );
    const again = redecide({ ...looked, modes: slow }, {});
    expect(again.decision?.run).toBe("embedding_only");
    expect(again.checklist.find(({ item }) => item === "manual_sampling")).toEqual({
      item: "manual_sampling",
      is_done: false,
      note: "people looked at hybrid, the decision is for embedding_only; give the labelled sheet again",
    });
    expect(again.may_promote).toBe(false);
  });
  it("not what another margin falls back from", async () => {
    const made = await report();
    expect(redecide(made, { margin: 1 })).toMatchObject({
      decision: { outcome: "fall_back_to_fts_only", margin: 1, latency_budget_ms: 200 },
      may_promote: false,
    });
    expect(redecide(redecide(made, { margin: 1 }), {}).decision, "settings stay as they were").toMatchObject({
      margin: 1,
    });
  });
});
