import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatGolden, goldenFormats, parseAnyQrels, parseGolden } from "../../src/formats/index.js";
import type { GoldenQuery } from "../../src/records/index.js";
import { failure } from "../support/failure.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { LAW_RUNS } from "../support/arbitraries.js";

// UTF-8 has no lone halves of a character.
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc
    .constantFrom(...HOSTILE_TEXTS, "[1]", "TRUE", "4711", "a\nb", "[x", "'=1")
    .filter((one) => one.isWellFormed()),
);
const filled = text.filter((one) => one !== "");
const label = text.filter((one) => one.trim() !== "");
const judgment = fc
  .tuple(fc.boolean(), filled, fc.oneof(fc.integer({ min: -2, max: 4 }), fc.constant(0.1)))
  .map(([isChunk, id, grade]) => (isChunk ? { chunk_id: id, grade } : { doc_id: id, grade }));
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(1e-7));
const query: fc.Arbitrary<GoldenQuery> = fc.record(
  {
    id: filled,
    query: text,
    lang: label,
    group: label,
    expected_doc_ids: fc.array(filled, { maxLength: 3 }),
    expected_chunk_ids: fc.array(filled, { maxLength: 3 }),
    must_contain: fc.array(filled, { maxLength: 3 }),
    forbidden: fc.array(filled, { maxLength: 2 }),
    expected_refusal: fc.boolean(),
    judgments: fc.uniqueArray(judgment, {
      selector: (one) => JSON.stringify([one.chunk_id, one.doc_id]),
      maxLength: 4,
    }),
    expected_spans: fc.constant([{ doc_id: "a, b", span: { kind: "line" as const, start: 1, end: 2 } }]),
    meta: fc.oneof(fc.dictionary(filled, scalar, { maxKeys: 3 }), fc.constant({ deep: { a: [1, null] } })),
  },
  { requiredKeys: ["id", "query"] },
);
// One query of each group, so that all wordings of it expect the same.
const queries = fc
  .uniqueArray(query, { selector: ({ id }) => id, minLength: 1, maxLength: 5 })
  .map((list) =>
    list.map((one, at) => (one.group === undefined ? one : { ...one, group: `${one.group} ${at}` })),
  );

const parse = (lines: readonly string[]): readonly GoldenQuery[] =>
  parseGolden(lines.join("\n"), "g.csv").queries;

describe("a golden set as a table", () => {
  it.each(goldenFormats)("comes back from %s as it was", (format) => {
    fc.assert(
      fc.property(queries, (set) => {
        const bytes = new TextEncoder().encode(formatGolden(set, format));
        expect(parseGolden(bytes, `golden.${format}`).queries).toEqual(set);
      }),
      LAW_RUNS,
    );
  });
  it("is read with lists of one item a line, grades, and entries of meta", () => {
    expect(
      parse([
        "ID;Query;expected_doc_ids;Expected_Refusal;" +
          "judgments.chunk_id;judgments.doc_id;meta.author;meta.Ticket",
        'q1;"say ""hi""";"a.md\r\n b c.md ";;"a.md#1 3',
        'a b 0.5";c.md -1;anna;4711',
        'q2;;[];TRUE;;;"""4711""";',
        ";;;;;;;",
      ]),
    ).toEqual([
      {
        id: "q1",
        query: 'say "hi"',
        expected_doc_ids: ["a.md", "b c.md"],
        judgments: [
          { chunk_id: "a.md#1", grade: 3 },
          { chunk_id: "a b", grade: 0.5 },
          { doc_id: "c.md", grade: -1 },
        ],
        meta: { author: "anna", Ticket: 4711 },
      },
      { id: "q2", query: "", expected_doc_ids: [], expected_refusal: true, meta: { author: "4711" } },
    ]);
  });
  it("refuses several ids in one line, which would be one id that nothing has", () => {
    const cells = ["expected_doc_ids", "expected_chunk_ids", "judgments.doc_id"].flatMap((column) =>
      ['"a.md 1, b.md 1"', '"a.md 1,b.md 1"', "a.md 1;b.md 1", '"a.md 1, b.md 1\nc.md, d.md 1"'].map(
        (cell) => [`id,query,${column}`, `q,x,${cell}`],
      ),
    );
    for (const lines of cells)
      expect(failure(() => parse(lines)).message).toMatch(/^g\.csv:2:\d+: .* a line \(Alt/);
    expect(parse(["id,query,expected_doc_ids,must_contain", 'q,x,"[""a, b""]","a, b"'])).toEqual([
      { id: "q", query: "x", expected_doc_ids: ["a, b"], must_contain: ["a, b"] },
    ]);
    expect(parse(["id,query,expected_doc_ids,judgments.doc_id", 'q,x,"a,b\nc","a, b 1"'])).toEqual([
      { id: "q", query: "x", expected_doc_ids: ["a,b", "c"], judgments: [{ doc_id: "a, b", grade: 1 }] },
    ]);
  });
  it("takes a list from several columns of one name", () => {
    expect(parse(["id,query,must_contain,must_contain", "q,x,a,b"])[0]?.must_contain).toEqual(["a", "b"]);
  });
  it("names an unknown column once, whatever it is called, and however many rows there are", () => {
    for (const name of ["constructor", "__proto__", "author"]) {
      const lines = [`id,query,${name}`, ...Array.from({ length: 50 }, (_, at) => `q${at},x,a`)];
      expect(failure(() => parse(lines)).message.split("\n")).toHaveLength(1);
    }
  });
  it("is known by its header where the name says nothing", () => {
    const table = "id,query,expected_doc_ids\nq,words,a.md\n";
    expect(parseGolden(table, "stdin").queries).toHaveLength(1);
    expect(parseAnyQrels(new TextEncoder().encode(table), "stdin").judgments).toEqual([
      { query_id: "q", doc_id: "a.md", grade: 1 },
    ]);
  });
  it("writes a list that many queries share for each, since many aliases are not read", () => {
    const expected_doc_ids = ["a", "b"];
    const set = {
      queries: Array.from({ length: 150 }, (_, at) => ({ id: `q${at}`, query: "x", expected_doc_ids })),
    };
    expect(parseGolden(formatGolden(set, "yaml"), "set.yaml")).toEqual(set);
  });
  it("guards what a spreadsheet would run", () => {
    expect(formatGolden([{ id: "q", query: "=1+1" }], "csv")).toBe("\ufeffid,query\r\nq,'=1+1\r\n");
  });
  it("refuses to write a set that names its chunker, as lines do; YAML and JSON keep it", () => {
    const set = { chunker_version: "v 1", queries: [{ id: "q", query: "x" }] };
    for (const format of goldenFormats) {
      if (format === "yaml" || format === "json")
        expect(parseGolden(formatGolden(set, format), `set.${format}`)).toEqual(set);
      else
        expect(failure(() => formatGolden(set, format)).message).toMatch(
          /has no place for the `chunker_version` of the set, `v 1`, .+; write yaml or json$/,
        );
    }
  });
  it("refuses what it could not read back: infinite numbers, but for YAML, and halves of characters", () => {
    const infinite = [{ id: "q", query: "x", meta: { weight: Infinity, list: [NaN] } }];
    for (const format of goldenFormats)
      if (format === "yaml")
        expect(parseGolden(formatGolden(infinite, format), "set.yaml").queries).toEqual(infinite);
      else
        expect(failure(() => formatGolden(infinite, format)).message).toBe(
          "`weight` is Infinity, which only YAML can write",
        );
    expect(failure(() => formatGolden([{ id: "q\ud800", query: "x" }], "csv")).message).toContain(
      "lone surrogate",
    );
    expect(formatGolden([{ id: "q\ud800", query: "x" }], "jsonl")).toContain("\\ud800");
  });
  it("refuses to write an empty label, which a cell cannot hold", () => {
    expect(failure(() => formatGolden([{ id: "q", query: "x", lang: "" }], "tsv")).message).toContain(
      "query `q`: lang is an empty text, which a table cannot hold",
    );
  });
  it.each<[string, string[], string]>([
    ["no id", ["id,query", ",x"], "g.csv:2:1: id must not be empty"],
    ["no column of ids", ["name,query", "a,b"], "g.csv:1:1: the first line must name the columns, `id` and"],
    [
      "a column of one's own",
      ["id,query,author", "q,x,a"],
      "g.csv:1:10: unknown column `author`; call a column",
    ],
    ["a slip", ["id,query,expected_docs", "q,x,a"], "did you mean `expected_doc_ids`?"],
    ["a column without a name", ["id,query,", "q,x,a"], "g.csv:1:10: a column has no name"],
    ["a column of meta twice", ["id,query,meta.x,meta.x", "q,x,1,2"], "`meta.x` is duplicated"],
    [
      "an entry in two columns",
      ["id,query,meta,meta.a", 'q,x,"{""a"":1}",2'],
      "g.csv:2:17: meta.a stands in",
    ],
    [
      "the same the other way",
      ["id,query,meta.a,meta", 'q,x,2,"{""a"":1}"'],
      "meta has `a`, which has a column",
    ],
    ["a column twice", ["id,query,lang,lang", "q,x,a,b"], "g.csv:1:15: column `lang` is duplicated"],
    ["a line too short", ["id,query", "q"], "g.csv:2:1: the header names 2 columns, this line has 1"],
    [
      "a grade that is none",
      ["id,query,judgments.doc_id", "q,x,a.md high"],
      "g.csv:2:5: judgments.doc_id must",
    ],
    ["JSON that is none", ["id,query,judgments", "q,x,[1"], "g.csv:2:5: judgments is not valid JSON"],
    [
      "a refusal of yes",
      ["id,query,expected_refusal", "q,x,yes"],
      "g.csv:2:5: expected_refusal must be true or",
    ],
    ["an open quote", ["id,query", 'q,"x'], "g.csv:2:3: a quote is opened and never closed"],
    ["an id twice", ["id,query", "q,x", "q,y"], "g.csv:3:1: id `q` is duplicated"],
    ["a judgment of nothing", ["id,query,judgments", "q,x,[{}]"], "g.csv:2:5: judgments[0] must have"],
    ["only a header", ["id,query"], "g.csv: has no queries"],
  ])("says where the mistake is: %s", (_what, lines, message) => {
    expect(failure(() => parse(lines)).message).toContain(message);
  });
});

describe("an item with two grades", () => {
  const golden = (...grades: readonly number[]): string =>
    JSON.stringify([
      { id: "q", query: "x", judgments: grades.map((grade) => ({ chunk_id: "__proto__", grade })) },
    ]);
  it("is named, with both", () =>
    expect(() => parseGolden(golden(2, 2, 0), "g.json")).toThrow(
      /^g\.json:1:\d+: chunk `__proto__` has grade 2 and grade 0; keep the one that counts$/,
    ));
  it("may have one of them twice, and be a document of the same id", () => {
    expect(parseGolden(golden(2, 2), "g.json").queries).toHaveLength(1);
    const both = "- {id: q, query: x, judgments: [{chunk_id: a, grade: 1}, {doc_id: a, grade: 2}]}";
    expect(parseGolden(both, "g.yaml").queries).toHaveLength(1);
  });
});

describe("a span that ends before it starts", () => {
  const cases: [string, object][] = [
    ["line", { start: 10, end: 9 }],
    ["byte", { start: 10, end: 9 }],
    ["code", { line_start: 2, line_end: 1 }],
    ["time", { start_ms: 5, end_ms: 4 }],
    ["page", { page: 1, char_start: 5, char_end: 4 }],
  ];
  const golden = (kind: string, fields: object): string =>
    '[{"id":"q","query":"x","expected_spans":[\n{"doc_id":"d","span":' +
    `${JSON.stringify({ kind, ...fields })}}]}]`;
  it.each(cases)("is named with its place: %s", (kind, fields) => {
    expect(() => parseGolden(golden(kind, fields), "g.json")).toThrow(
      "g.json:2:22: a span ends before it starts, and so nothing can match it",
    );
  });
  it("may be empty, or open", () => {
    for (const [kind, fields] of [
      ["line", { start: 3, end: 3 }],
      ["page", { page: 1, char_start: 5 }],
      ["caption", {}],
    ] as const)
      expect(parseGolden(golden(kind, fields), "g.json").queries).toHaveLength(1);
  });
});
