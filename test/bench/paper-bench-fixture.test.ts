import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { paperBenchFixture } from "../../src/bench/index.js";
import { InputError } from "../../src/foundation/errors/errors.js";
import { parseBenchFixture } from "../../src/formats/index.js";
import { locateBenchFixture } from "../../src/formats/internal.js";
import { readBenchFixture } from "../../src/node/index.js";
import type { FixtureCase, PaperFixture } from "../../src/records/index.js";
import { aCase, aFixture, aPaper } from "../support/bench-fixtures.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

const made = (fixture: PaperFixture): ReturnType<typeof paperBenchFixture> =>
  paperBenchFixture(fixture, { name: "f" });
const problemsOf = (fixture: PaperFixture): string[] => {
  try {
    made(fixture);
  } catch (error) {
    if (error instanceof InputError)
      return error.problems.map(({ where, message }) => `${where}: ${message}`);
    throw error;
  }
  return [];
};
const judging = (...judgments: FixtureCase["judgments"]): PaperFixture =>
  aFixture({ cases: [{ ...aCase({ judgments }), expected_paper_ids: [], expected_chunk_refs: [] }] });

describe("a fixture of papers", () => {
  it("is chunks of sections, and cases with grades by chunk", () => {
    const fixture = made(aFixture());
    expect(fixture).toMatchObject({
      name: "f",
      version: "v1",
      description: "A fixture.",
      unit: "chunk",
      chunker_version: "paper-1(max=900,overlap=120)",
    });
    expect(fixture.chunks.map(({ chunk_id, doc_id }) => [chunk_id, doc_id])).toEqual([
      ["1:overview:0", "1"],
      ["1:abstract:0", "1"],
      ["1:method:0", "1"],
      ["1:findings:0", "1"],
    ]);
    expect(fixture.cases).toEqual([
      {
        case_id: "c1",
        query: "query routing",
        query_type: "exact",
        top_k: 5,
        grades: new Map([["1:abstract:0", 3]]),
      },
    ]);
  });
  it("says which kinds of queries it lacks, and where nothing is relevant", () => {
    expect(made(aFixture()).warnings).toEqual([
      {
        code: "QUERY_TYPES_MISSING",
        message:
          "the fixture has no queries of the types paraphrase, term_mismatch, paper_targeted, " +
          "cross_field, and says nothing about them",
        count: 4,
      },
    ]);
    const all = ["exact", "paraphrase", "term_mismatch", "paper_targeted", "cross_field", "my own"].map(
      (query_type) => aCase({ case_id: query_type, query_type }),
    );
    expect(made(aFixture({ cases: all })).warnings).toEqual([]);
    expect(made(judging({ paper_id: 1, chunk_ref: "1:method:0", relevance: 0 })).warnings).toMatchObject([
      {},
      { code: "NOTHING_RELEVANT", count: 1, query_ids: ["c1"] },
    ]);
  });
  it("takes ids that are numbers or texts for the same, and hostile ones for what they are", () => {
    const fixture = aFixture({
      papers: [
        aPaper({ paper_id: "__proto__" }),
        aPaper({ paper_id: "a:b\n", structured_card: { constructor: "x" } }),
      ],
      cases: [
        aCase({
          case_id: "constructor",
          judgments: [
            { paper_id: "__proto__", chunk_ref: "__proto__:method:0", relevance: 1 },
            { paper_id: "a:b\n", chunk_ref: "a:b\n:constructor:0", relevance: 2 },
          ],
          expected_paper_ids: ["__proto__"],
          expected_chunk_refs: ["a:b\n:constructor:0"],
        }),
      ],
    });
    expect([...(made(fixture).cases[0]?.grades ?? [])]).toEqual([
      ["__proto__:method:0", 1],
      ["a:b\n:constructor:0", 2],
    ]);
    expect(made(aFixture({ cases: [aCase({ expected_paper_ids: ["1"] })] })).cases).toHaveLength(1);
  });
});

describe("the checks of a fixture", () => {
  it.each<[string, PaperFixture, string[]]>([
    [
      "nothing in it",
      aFixture({ papers: [], cases: [] }),
      [
        "papers: there are no papers; add what is to be searched",
        "cases: there are no cases; add judged queries",
      ],
    ],
    [
      "a paper twice",
      aFixture({ papers: [aPaper(), aPaper({ paper_id: "1" })] }),
      ["papers[1].paper_id: paper_id `1` is duplicated; every paper needs an id of its own"],
    ],
    [
      "a case twice",
      aFixture({ cases: [aCase(), aCase()] }),
      ["cases[1].case_id: case_id `c1` is duplicated; every case needs an id of its own"],
    ],
    [
      "references that are made twice",
      aFixture({
        papers: [
          aPaper({ structured_card: { overview: "x" } }),
          aPaper({ paper_id: "a:b", structured_card: { c: "x" } }),
          aPaper({ paper_id: "a", structured_card: { "b:c": "y" } }),
        ],
      }),
      [
        "papers[0]: chunk_ref `1:overview:0` is made twice, by two sections or papers; rename one of them",
        "papers[2]: chunk_ref `a:b:c:0` is made twice, by two sections or papers; rename one of them",
      ],
    ],
    [
      "no judgments",
      judging(),
      ["cases[0].judgments: case `c1`: there are no judgments; add those of the chunks that answer it"],
    ],
    [
      "a judgment twice",
      judging(
        { paper_id: 1, chunk_ref: "1:method:0", relevance: 1 },
        { paper_id: 1, chunk_ref: "1:method:0", relevance: 1 },
      ),
      [
        "cases[0].judgments[1].chunk_ref: case `c1`: chunk_ref `1:method:0` is judged twice; keep " +
          "one of the judgments",
      ],
    ],
    [
      "papers and references that are not there",
      judging(
        { paper_id: 10, chunk_ref: "10:method:0", relevance: 1 },
        { paper_id: 1, chunk_ref: "1:methods:0", relevance: 1 },
        { paper_id: 1, chunk_ref: "something else", relevance: 1 },
      ),
      [
        "cases[0].judgments[0].paper_id: case `c1`: paper_id `10` is none of the papers; did you mean `1`?",
        "cases[0].judgments[1].chunk_ref: case `c1`: chunk_ref `1:methods:0` is none of the 4 " +
          "chunks of paper `1`; did you mean `1:method:0`?",
        "cases[0].judgments[2].chunk_ref: case `c1`: chunk_ref `something else` is none of the 4 " +
          "chunks of paper `1`",
      ],
    ],
    [
      "a reference of another paper",
      aFixture({
        papers: [aPaper(), aPaper({ paper_id: 2 })],
        cases: [
          aCase({
            judgments: [{ paper_id: 2, chunk_ref: "1:abstract:0", relevance: 1 }],
            expected_paper_ids: [],
          }),
        ],
      }),
      [
        "cases[0].judgments[0].paper_id: case `c1`: chunk_ref `1:abstract:0` is a chunk of paper " +
          "`1`, got paper_id `2`; name the paper that it is of",
      ],
    ],
    [
      "expectations without a judgment, or against one",
      aFixture({
        papers: [aPaper(), aPaper({ paper_id: 2 })],
        cases: [
          aCase({
            judgments: [{ paper_id: 1, chunk_ref: "1:method:0", relevance: 0 }],
            expected_paper_ids: [1, 2],
            expected_chunk_refs: ["1:abstract:0", "1:method:0"],
          }),
        ],
      }),
      [
        "cases[0].expected_chunk_refs[0]: case `c1`: `1:abstract:0` is expected, but has no " +
          "judgment; add one, or do not expect it",
        "cases[0].expected_chunk_refs[1]: case `c1`: `1:method:0` is expected, but judged 0, not " +
          "relevant; change one of the two",
        "cases[0].expected_paper_ids[0]: case `c1`: `1` is expected, but judged 0, not relevant; " +
          "change one of the two",
        "cases[0].expected_paper_ids[1]: case `c1`: `2` is expected, but has no judgment; add one, " +
          "or do not expect it",
      ],
    ],
    [
      "grades out of range",
      judging(
        { paper_id: 1, chunk_ref: "1:method:0", relevance: 4 },
        { paper_id: 1, chunk_ref: "1:findings:0", relevance: -1 },
      ),
      [
        "f: cases[0].judgments[0].relevance must be a whole number from 0 to 3, got `4`",
        "f: cases[0].judgments[1].relevance must be a whole number from 0 to 3, got `-1`",
      ],
    ],
  ])("find %s", (_, fixture, expected) => expect(problemsOf(fixture)).toEqual(expected));

  it("name line and column where a file was read", () => {
    const text = JSON.stringify(judging({ paper_id: 1, chunk_ref: "1:metod:0", relevance: 1 }), null, 1);
    const { fixture, locate } = locateBenchFixture(text, "bench.json");
    const line = text.slice(0, text.indexOf('"1:metod:0"')).split("\n").length;
    expect(() => paperBenchFixture(fixture, { name: "f", locate })).toThrow(
      `bench.json:${line}:19: case \`c1\`: chunk_ref \`1:metod:0\` is none of the 4 chunks of paper ` +
        "`1`; did you mean `1:method:0`?",
    );
  });
});

describe("the digest", () => {
  const twoPapers = [aPaper(), aPaper({ paper_id: 2 })];
  const twoCases = [aCase(), aCase({ case_id: "c2" })];
  const digest = (more: Partial<PaperFixture>): string =>
    made(aFixture({ papers: twoPapers, cases: twoCases, ...more })).digest;

  it("does not depend on the order of papers and cases, nor on what the fixture is called", () => {
    expect(digest({})).toMatch(/^[0-9a-f]{16}$/);
    expect(
      digest({
        papers: twoPapers.toReversed(),
        cases: twoCases.toReversed(),
        version: "v2",
        description: "",
      }),
    ).toBe(digest({}));
  });
  it("is another where texts, queries, types, cutoffs or grades are", () => {
    const others = [
      digest({ papers: [aPaper({ abstract: "Other." }), aPaper({ paper_id: 2 })] }),
      ...[
        { query: "other" },
        { query_type: "paraphrase" },
        { top_k: 6 },
        { judgments: [{ paper_id: 1, chunk_ref: "1:abstract:0", relevance: 2 }] },
      ].map((more) => digest({ cases: [aCase(more), aCase({ case_id: "c2" })] })),
    ];
    expect(new Set([digest({}), ...others]).size).toBe(others.length + 1);
  });
});

const folder = oracle("interop-paperbot");
describe.skipIf(folder === null)(
  `PaperBot's fixture${folder === null ? ` (${WITHOUT_ORACLES})` : ""}`,
  () => {
    const path = join(folder ?? "", "upstream/bench_v1.json");
    it("is read, and its judgments are of chunks that are made", async () => {
      const fixture = await readBenchFixture(path);
      expect(fixture).toEqual(paperBenchFixture(parseBenchFixture(readFileSync(path)), { name: "bench_v1" }));
      expect(fixture.chunks.map(({ chunk_id }) => chunk_id)).toEqual(
        [101, 102].flatMap((paper) =>
          ["overview", "abstract", "method", "findings", "limitations"].map(
            (section) => `${paper}:${section}:0`,
          ),
        ),
      );
      expect(fixture.cases.map(({ case_id, grades }) => [case_id, [...grades]])).toEqual([
        [
          "doc_evi_001",
          [
            ["101:method:0", 3],
            ["101:findings:0", 2],
          ],
        ],
        [
          "doc_evi_002",
          [
            ["102:findings:0", 3],
            ["102:method:0", 2],
          ],
        ],
      ]);
      expect(fixture.warnings).toMatchObject([
        {
          code: "QUERY_TYPES_MISSING",
          message:
            "the fixture has no queries of the types exact, paper_targeted, cross_field, and says " +
            "nothing about them",
        },
      ]);
    });
  },
);
