import { describe, expect, it } from "vitest";
import { InputError } from "../../src/foundation/errors/errors.js";
import type { Span } from "../../src/records/index.js";
import {
  englishAnalyzer,
  fts5Analyzer,
  languageAnalyzer,
  lexicalIndex,
  loadLexicalIndex,
  plainAnalyzer,
  wordAnalyzer,
  type LexicalOptions,
} from "../../src/retrieve/index.js";

/**
 * Lengths 2, 4 and 6, so the mean is 4. With k1 = 1.2 and b = 0.75 the norms k1 * (1 - b + b * length / mean)
 * are 1.2 * 0.625 = 0.75, 1.2 and 1.2 * 1.375 = 1.65. "cat" is in two chunks of three, "dog" in one, "fish"
 * in one.
 */
const CHUNKS = [
  { chunk_id: "short", doc_id: "d", text: "cat purrs" },
  { chunk_id: "middle", doc_id: "d", text: "fish swim in water" },
  { chunk_id: "long", doc_id: "d", text: "cat cat dog runs past trees" },
];
const asked = (
  query: string,
  options: LexicalOptions = {},
  chunks: Parameters<typeof lexicalIndex>[0] = CHUNKS,
): [string, number | null | undefined][] =>
  lexicalIndex(chunks, { analyzer: plainAnalyzer, ...options })
    .search(query, { limit: 10 })
    .map(({ chunk_id, score }) => [chunk_id, score]);

function expectScores(
  got: readonly [string, number | null | undefined][],
  expected: readonly [string, number][],
): void {
  expect(got.map(([id]) => id)).toEqual(expected.map(([id]) => id));
  got.forEach(([, score], index) => expect(score).toBeCloseTo((expected[index] as [string, number])[1], 13));
}

/** ln(1 + (3 - 2 + 0.5) / (2 + 0.5)) = ln 1.6 and ln(1 + (3 - 1 + 0.5) / (1 + 0.5)) = ln(8 / 3). */
const [IN_TWO, IN_ONE] = [Math.log(1.6), Math.log(8 / 3)];

describe("BM25 by hand", () => {
  it(
    "cat: ln 1.6 * 2 * 2.2 / (2 + 1.65) for twice in the long chunk, above ln 1.6 * 2.2 / (1 + " +
      "0.75) for once in the short one",
    () => {
      expectScores(asked("cat"), [
        ["short", (IN_TWO * 2.2) / 1.75],
        ["long", (IN_TWO * 4.4) / 3.65],
      ]);
    },
  );
  it("dog and cat add up: ln(8/3) * 2.2 / 2.65 more for the long chunk", () => {
    expectScores(asked("dog cat"), [
      ["long", (IN_TWO * 4.4) / 3.65 + (IN_ONE * 2.2) / 2.65],
      ["short", (IN_TWO * 2.2) / 1.75],
    ]);
  });
  it(
    "the idf of FTS5: ln((3 - 1 + 0.5) / 1.5) for one chunk of three, 0.000001 for two of three, " +
      "where ln(1.5 / 2.5) is below 0",
    () => {
      expectScores(asked("dog", { idf: "fts5" }), [["long", (Math.log(2.5 / 1.5) * 2.2) / 2.65]]);
      expectScores(asked("cat", { idf: "fts5" }), [
        ["short", (1e-6 * 2.2) / 1.75],
        ["long", (1e-6 * 4.4) / 3.65],
      ]);
    },
  );
  it(
    "k1 = 0 counts a word once, however often and in whatever length: ln 1.6 for both, in the " +
      "order of the chunks",
    () => {
      expectScores(asked("cat", { k1: 0 }), [
        ["short", IN_TWO],
        ["long", IN_TWO],
      ]);
    },
  );
  it("b = 0 knows no length: 2 * 2.2 / (2 + 1.2) against 2.2 / (1 + 1.2)", () => {
    expectScores(asked("cat", { b: 0 }), [
      ["long", (IN_TWO * 4.4) / 3.2],
      ["short", IN_TWO],
    ]);
  });
  it("b = 1 divides by the length fully: norms 1.2 * 6 / 4 = 1.8 and 1.2 * 2 / 4 = 0.6", () => {
    expectScores(asked("cat", { b: 1 }), [
      ["short", (IN_TWO * 2.2) / 1.6],
      ["long", (IN_TWO * 4.4) / 3.8],
    ]);
  });
  it("a word asked twice counts once, two words of one stem twice", () => {
    expectScores(asked("dog dog Dog"), asked("dog") as [string, number][]);
    const [[, once = 0] = []] = asked("dogs", { analyzer: englishAnalyzer });
    expectScores(asked("dog dogs", { analyzer: englishAnalyzer }), [["long", 2 * (once as number)]]);
  });
});

describe("fields", () => {
  const TITLED = [
    { chunk_id: "in text", doc_id: "d", title: "other", text: "cat sleeps" },
    { chunk_id: "in title", doc_id: "d", title: "cat", text: "nothing else" },
  ];
  // Both hold "cat": idf ln(1 + 0.5 / 2.5) = ln 1.2; with weights 2 and 1 every length is 2 * 1 + 2 = 4, the
  // mean, and the norm k1 = 1.2.
  it("a word in the title counts twice without asking: 2 * 2.2 / (2 + 1.2) against 2.2 / (1 + 1.2)", () => {
    expectScores(asked("cat", {}, TITLED), [
      ["in title", (Math.log(1.2) * 4.4) / 3.2],
      ["in text", Math.log(1.2)],
    ]);
  });
  it("title and text are one word count: 2 + 1 occurrences at length 2 + 2", () => {
    const both = [{ chunk_id: "both", doc_id: "d", title: "cat", text: "cat sleeps" }];
    expectScores(asked("cat", {}, both), [["both", (Math.log(1 + 0.5 / 1.5) * 3 * 2.2) / 4.2]]);
  });
  it("with fts5 lengths are not weighted: 5 occurrences' worth, but each chunk is 3 words long", () => {
    const third = [
      ...TITLED,
      ...Array.from({ length: 3 }, (_, index) => ({
        chunk_id: `none ${index}`,
        doc_id: "d",
        title: "x",
        text: "y z",
      })),
    ];
    expectScores(asked("cat", { idf: "fts5", weights: { title: 5 } }, third), [
      ["in title", (Math.log(3.5 / 2.5) * 5 * 2.2) / 6.2],
      ["in text", Math.log(3.5 / 2.5)],
    ]);
  });
  it("a field of weight 0 is not searched", () => {
    expect(asked("cat", { weights: { title: 0 } }, TITLED).map(([id]) => id)).toEqual(["in text"]);
    expect(asked("cat", { weights: { title: 0, text: 0 } }, TITLED)).toEqual([]);
  });
});

describe("stop words", () => {
  it("a question of nothing else is asked with them", () => {
    const chunks = [
      { chunk_id: "band", doc_id: "d", text: "The Who played in Leeds" },
      { chunk_id: "other", doc_id: "d", text: "Tomatoes" },
    ];
    expect(
      lexicalIndex(chunks)
        .search("the who", { limit: 5 })
        .map(({ chunk_id }) => chunk_id),
    ).toEqual(["band"]);
  });
  it("beside other words they find nothing", () => {
    const chunks = [
      { chunk_id: "stop", doc_id: "d", text: "what is the" },
      { chunk_id: "word", doc_id: "d", text: "lift" },
    ];
    expect(
      lexicalIndex(chunks)
        .search("what is the lift", { limit: 5 })
        .map(({ chunk_id }) => chunk_id),
    ).toEqual(["word"]);
  });
});

describe("arguments", () => {
  it.each([
    ["k1", { k1: -1 }, "k1 must be a number from 0, got `-1`"],
    ["k1 that is no number", { k1: NaN }, "k1 must be a number from 0, got `NaN`"],
    ["b", { b: 1.1 }, "b must be a number from 0 to 1, got `1.1`"],
    ["idf", { idf: "bm25+" as "fts5" }, "idf must be `lucene` or `fts5`, got `bm25+`"],
    ["weights", { weights: { title: -2 } }, "weights.title must be a number from 0, got `-2`"],
  ])("%s out of range is refused", (_, options, message) => {
    expect(() => lexicalIndex([], options)).toThrow(new InputError("ARGUMENT", message));
  });
  it.each([0, -1, 1.5, NaN, Infinity])("a limit of %s is refused", (limit) => {
    expect(() => lexicalIndex(CHUNKS).search("cat", { limit })).toThrow(
      `limit must be a whole number from 1, got \`${limit}\``,
    );
  });
  it("a chunk id that is duplicated is refused, and so is what is no chunk", () => {
    expect(() => lexicalIndex([...CHUNKS, ...CHUNKS])).toThrow(
      "chunks[3]: chunk_id `short` is duplicated; every chunk needs an id of its own",
    );
    expect(() => lexicalIndex([{ id: "x" } as never])).toThrow(
      'chunks[0] must have chunk_id, doc_id and text, got `{"id":"x"}`',
    );
  });
  it("hits carry the spans of their chunk, and are the caller's to change", () => {
    const index = lexicalIndex([
      { chunk_id: "c", doc_id: "d", text: "cat", source_spans: [{ kind: "byte", start: 3, end: 6 }] },
    ]);
    (index.search("cat", { limit: 1 })[0]?.source_spans as Span[]).pop();
    expect(index.search("cat", { limit: 1 })).toMatchObject([
      { chunk_id: "c", doc_id: "d", rank: 1, source_spans: [{ kind: "byte", start: 3, end: 6 }] },
    ]);
  });
});

describe("a stored index", () => {
  const index = lexicalIndex([
    ...CHUNKS,
    { chunk_id: "__proto__", doc_id: "\ud800", text: "黑豹队 cat", title: "Crème" },
  ]);
  const bytes = index.toBytes();

  it("gives the same hits, and the same bytes again", () => {
    const loaded = loadLexicalIndex(bytes);
    for (const query of ["cat", "dog cat", "黑豹", "creme", "nothing"])
      expect(loaded.search(query, { limit: 9 })).toEqual(index.search(query, { limit: 9 }));
    expect(loaded.toBytes()).toEqual(bytes);
    expect(loaded.settings).toEqual(index.settings);
  });
  it("may come as a Buffer, or as a part of one at any place", () => {
    const file = Buffer.concat([Buffer.from("abc"), bytes, Buffer.from("def")]);
    for (const part of [Buffer.from(bytes), file.subarray(3, 3 + bytes.length)])
      expect(loadLexicalIndex(part).search("cat", { limit: 9 })).toEqual(index.search("cat", { limit: 9 }));
  });
  it("an empty one is an index too", () => {
    expect(loadLexicalIndex(lexicalIndex([]).toBytes()).search("cat", { limit: 1 })).toEqual([]);
  });
  it("cut off anywhere is refused", () => {
    for (let length = 0; length < bytes.length; length += 7)
      expect(() => loadLexicalIndex(bytes.subarray(0, length))).toThrow(
        expect.objectContaining({ code: "INDEX_SHAPE" }),
      );
  });
  it("with any byte changed is refused", () => {
    for (let at = 0; at < bytes.length; at += 5) {
      const damaged = bytes.slice();
      (damaged[at] as number) ^= 1 << (at % 8);
      expect(() => loadLexicalIndex(damaged)).toThrow(expect.objectContaining({ code: "INDEX_SHAPE" }));
    }
  });
  it("of another analyzer is refused, and the message says which", async () => {
    expect(() => loadLexicalIndex(bytes, { analyzer: plainAnalyzer })).toThrow(
      new InputError(
        "INDEX_SHAPE",
        "the index was made with the analyzer `english`, got `plain`; give the same one, or build " +
          "the index again",
      ),
    );
    expect(() => loadLexicalIndex(lexicalIndex([], { analyzer: fts5Analyzer }).toBytes())).toThrow("`fts5`");
    const german = await languageAnalyzer("german");
    expect(
      loadLexicalIndex(lexicalIndex(CHUNKS, { analyzer: german }).toBytes(), { analyzer: german }).size,
    ).toBe(3);
  });
  it("keeps what was made of words, not how: an analyzer of the same name serves", () => {
    const own = (): Parameters<typeof lexicalIndex>[1] => ({
      analyzer: wordAnalyzer({ name: "own", stem: (word) => word.slice(0, 3) }),
    });
    expect(
      loadLexicalIndex(
        lexicalIndex(CHUNKS, own()).toBytes(),
        own() as { analyzer: typeof plainAnalyzer },
      ).search("cattle", { limit: 1 }),
    ).toHaveLength(1);
  });
});
