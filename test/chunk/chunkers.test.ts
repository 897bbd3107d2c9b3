import { describe, expect, it } from "vitest";
import {
  paperChunker,
  sentenceChunker,
  sentenceRanges,
  wholeDocumentChunker,
  windowChunker,
  type TextChunk,
  type TextDocument,
} from "../../src/chunk/index.js";
import type { Paper } from "../../src/records/index.js";

const sentences = (text: string): string[] =>
  sentenceRanges(text).map(({ start, end }) => text.slice(start, end));
const textsOf = (chunks: readonly TextChunk[]): string[] => chunks.map(({ text }) => text);
const document = (text: string, title = ""): { id: string; title: string; text: string } => ({
  id: "d",
  title,
  text,
});

describe("sentences", () => {
  it.each([
    ["stops before white space", "One. Two! Three? Four… five", ["One.", "Two!", "Three?", "Four…", "five"]],
    ["several stops at once", "What?! No... yes", ["What?!", "No...", "yes"]],
    [
      "quotes and brackets that close",
      'He said "Go." (Then he went.) “Good.” End',
      ['He said "Go."', "(Then he went.)", "“Good.”", "End"],
    ],
    [
      "a stop without white space is none",
      "v1.2.3 of example.com/a?b=c!d costs 3.14",
      ["v1.2.3 of example.com/a?b=c!d costs 3.14"],
    ],
    [
      "initials",
      "J. R. R. Tolkien of the U.S. wrote. He did",
      ["J. R. R. Tolkien of the U.S. wrote.", "He did"],
    ],
    [
      "abbreviations",
      "See e.g. Fig. 3 and Smith et al. (2020), cf. Dr. Who. Yes",
      ["See e.g. Fig. 3 and Smith et al. (2020), cf. Dr. Who.", "Yes"],
    ],
    [
      "abbreviations in brackets",
      "As shown (Smith et al.) it is so. Yes",
      ["As shown (Smith et al.) it is so.", "Yes"],
    ],
    [
      "words that abbreviate before numbers only",
      "Take No. 5 on p. 7 of Vol. 2. They said no. Then they left",
      ["Take No. 5 on p. 7 of Vol. 2.", "They said no.", "Then they left"],
    ],
    [
      "numbered headings",
      "1. Method. It ended in 1999. Then came 2000",
      ["1. Method.", "It ended in 1999.", "Then came 2000"],
    ],
    ["stops apart from their words", "a wing . an experiment .", ["a wing .", "an experiment ."]],
    [
      "Chinese and Japanese",
      "他说：“你好。”然后走了！？「はい。」３．１４です．次",
      ["他说：“你好。”", "然后走了！？", "「はい。」", "３．１４です．", "次"],
    ],
    ["straight quotes in Chinese", '他说"好。"走。"再见。"', ['他说"好。', '"走。', '"再见。"']],
    ["Korean", "안녕하세요. 반갑습니다!", ["안녕하세요.", "반갑습니다!"]],
    ["Hindi and Arabic", "यह है। वह भी। كيف؟ نعم", ["यह है।", "वह भी।", "كيف؟", "نعم"]],
    [
      "blank lines, but not line ends",
      "A heading\r\n\r\nof one\r\nline\n \nend",
      ["A heading", "of one\r\nline", "end"],
    ],
    ["nothing", " \r\n\t\u00a0", []],
  ])("%s", (_, text, expected) => expect(sentences(text)).toEqual(expected));

  it("takes time in proportion to the text, whatever it is", () => {
    for (const piece of [".", ". ", '."', "e.g.", "1. ", "\n", " ", "x", "。", "🇰🇷", "\u0301"]) {
      const chunks = sentenceChunker({ maxCharacters: 100, overlap: 20 }).chunk(
        document(piece.repeat(200_000)),
      );
      expect(chunks.length).toBeLessThan(20_000);
    }
  }, 20_000);
});

describe("chunks of sentences", () => {
  it("are as many as fit, with the bytes where they lie", () => {
    // "Größe zählt." has 12 characters and 15 bytes; a space and "Ja." four of each.
    expect(
      sentenceChunker({ maxCharacters: 16 }).chunk(document("Größe zählt. Ja.  Und nein.", "T")),
    ).toEqual([
      {
        chunk_id: "d#0",
        doc_id: "d",
        title: "T",
        text: "Größe zählt. Ja.",
        source_spans: [{ kind: "byte", start: 0, end: 19 }],
      },
      {
        chunk_id: "d#1",
        doc_id: "d",
        title: "T",
        text: "Und nein.",
        source_spans: [{ kind: "byte", start: 21, end: 30 }],
      },
    ]);
  });
  it("have 900 characters unless told otherwise", () => {
    const sentence = `${"word ".repeat(58)}nine chars.`; // 301
    expect(
      textsOf(sentenceChunker().chunk(document([sentence, sentence, sentence].join(" ")))).map(
        ({ length }) => length,
      ),
    ).toEqual([603, 301]);
  });
  it(
    "cut a long sentence at white space, a long word where the limit falls, and go on with what " + "follows",
    () => {
      expect(
        textsOf(
          sentenceChunker({ maxCharacters: 10 }).chunk(
            document("one two three four. ok. abcdefghijklmnop. x"),
          ),
        ),
      ).toEqual(["one two", "three", "four. ok.", "abcdefghij", "klmnop. x"]);
    },
  );
  it("begin with the end of the one before, which counts", () => {
    expect(
      textsOf(
        sentenceChunker({ maxCharacters: 14, overlap: 4 }).chunk(document("aaa bbb. ccc ddd. eee fff.")),
      ),
    ).toEqual(["aaa bbb.", "bbb. ccc ddd.", "ddd. eee fff."]);
  });
  it("repeat nothing across a gap in which nothing new would fit", () => {
    expect(
      textsOf(
        sentenceChunker({ maxCharacters: 10, overlap: 5 }).chunk(
          document(`aaa bbb.${" ".repeat(30)}ccc ddd.`),
        ),
      ),
    ).toEqual(["aaa bbb.", "ccc ddd."]);
  });
  it("one word of 10,000 characters is twelve chunks", () => {
    const chunks = sentenceChunker().chunk(document("x".repeat(10_000)));
    expect(textsOf(chunks).map(({ length }) => length)).toEqual([
      ...Array.from({ length: 11 }, () => 900),
      100,
    ]);
  });
  it.each([
    ["emoji", "🙂".repeat(7), 3, ["🙂🙂🙂", "🙂🙂🙂", "🙂"]],
    ["a family, of five code points", "ab👩‍👩‍👧cd", 6, ["ab", "👩‍👩‍👧c", "d"]],
    ["flags, of two", "🇰🇷🇩🇪🇫🇷", 3, ["🇰🇷", "🇩🇪", "🇫🇷"]],
    ["marks", "e\u0301\u0323e\u0301\u0323", 4, ["e\u0301\u0323", "e\u0301\u0323"]],
    [
      "decomposed Hangul",
      "\u1112\u1161\u11ab\u1100\u116e\u11a8",
      5,
      ["\u1112\u1161\u11ab", "\u1100\u116e\u11a8"],
    ],
    ["more marks than the limit", `e${"\u0301".repeat(5)}`, 3, ["e\u0301\u0301", "\u0301\u0301\u0301"]],
  ])("tear no character: %s", (_, text, maxCharacters, expected) =>
    expect(textsOf(sentenceChunker({ maxCharacters }).chunk(document(text)))).toEqual(expected),
  );
});

describe("windows", () => {
  it("of words", () => {
    expect(textsOf(windowChunker({ words: 3, overlap: 1 }).chunk(document(" a b c\r\nd e  f g ")))).toEqual([
      "a b c",
      "c\r\nd e",
      "e  f g",
    ]);
    expect(textsOf(windowChunker({ words: 2 }).chunk(document("x".repeat(10_000))))).toEqual([
      "x".repeat(10_000),
    ]);
  });
  it("of characters", () => {
    expect(textsOf(windowChunker({ characters: 4, overlap: 2 }).chunk(document("漢字仮名交じり文")))).toEqual(
      ["漢字仮名", "仮名交じ", "交じり文"],
    );
    expect(textsOf(windowChunker({ characters: 4 }).chunk(document("ab      cd")))).toEqual(["ab", "cd"]);
  });
});

describe("a document", () => {
  const all = [
    sentenceChunker(),
    windowChunker({ words: 5 }),
    windowChunker({ characters: 5 }),
    wholeDocumentChunker(),
  ];
  it.each(all.map((chunker) => [chunker.version, chunker] as const))(
    "without a text has no chunk, with a title only one without text: %s",
    (version, chunker) => {
      expect(chunker.chunk(document(" \n"))).toEqual([]);
      expect(chunker.chunk(document("", "A title"))).toEqual([
        { chunk_id: version === "whole-1" ? "d" : "d#0", doc_id: "d", title: "A title", text: "" },
      ]);
    },
  );
  it("as a whole is one chunk with its id", () => {
    expect(wholeDocumentChunker().chunk(document(" é. b\n"))).toEqual([
      { chunk_id: "d", doc_id: "d", text: "é. b", source_spans: [{ kind: "byte", start: 1, end: 6 }] },
    ]);
  });
});

describe("versions and arguments", () => {
  it("a version names the kind and every parameter", () => {
    expect(
      [
        sentenceChunker(),
        sentenceChunker({ maxCharacters: 300, overlap: 30 }),
        windowChunker({ words: 200, overlap: 50 }),
        windowChunker({ characters: 900 }),
        wholeDocumentChunker(),
        paperChunker(),
      ].map(({ version }) => version),
    ).toEqual([
      "sentences-1(max=900,overlap=0)",
      "sentences-1(max=300,overlap=30)",
      "window-1(words=200,overlap=50)",
      "window-1(characters=900,overlap=0)",
      "whole-1",
      "paper-1(max=900,overlap=120)",
    ]);
  });
  it.each([
    [
      () => sentenceChunker({ maxCharacters: 0 }),
      "sentenceChunker: maxCharacters must be a whole number from 1, got `0`",
    ],
    [
      () => sentenceChunker({ maxCharacters: 100, overlap: 100 }),
      "sentenceChunker: overlap must be a whole number from 0 to 99, got `100`",
    ],
    [() => windowChunker({ words: 1.5 }), "windowChunker: words must be a whole number from 1, got `1.5`"],
    [
      () => windowChunker({ characters: NaN }),
      "windowChunker: characters must be a whole number from 1, got `NaN`",
    ],
    [
      () => windowChunker({ characters: 5, overlap: -1 }),
      "windowChunker: overlap must be a whole number from 0 to 4, got `-1`",
    ],
  ])("%s is refused", (make, message) => expect(make).toThrow(message));
});

describe("papers", () => {
  const paper = (more: Partial<Paper> = {}): Paper => ({
    paper_id: 7,
    title: "On  Graphs",
    abstract: "We\nroute.",
    structured_card: {},
    ...more,
  });
  const refs = (chunks: readonly TextChunk[]): [string, string][] =>
    chunks.map(({ chunk_id, text }) => [chunk_id, text]);

  it("sections in order, lines folded", () => {
    expect(
      refs(
        paperChunker().chunk(
          paper({
            year: 2024,
            venue: "ACL",
            structured_card: { method: "A\r\n\r\nmethod.", findings: ["One.", " ", "Two."] },
          }),
        ),
      ),
    ).toEqual([
      ["7:overview:0", "Title: On Graphs Year: 2024 Venue: ACL"],
      ["7:abstract:0", "We route."],
      ["7:method:0", "A method."],
      ["7:findings:0", "- One. - Two."],
    ]);
  });
  it("nothing for what is empty", () => {
    expect(
      refs(
        paperChunker().chunk(
          paper({
            title: " ",
            abstract: "",
            year: null,
            venue: "",
            structured_card: { method: "", findings: [], limits: [""] },
          }),
        ),
      ),
    ).toEqual([]);
  });
  it("chunks have neither spans nor a title", () => {
    expect(paperChunker().chunk(paper({ title: "" }))).toEqual([
      { chunk_id: "7:abstract:0", doc_id: "7", text: "We route." },
    ]);
  });
  it(
    "longer text is cut between sentences, and each further chunk begins with the last 120 " + "characters",
    () => {
      // 5 sentences of 299 characters and a space: 3 are 899, then 120 + 1 + 299 + 1 + 299 = 720.
      const sentence = (letter: string): string => `${`${letter.repeat(4)} `.repeat(59)}end.`;
      const abstract = ["a", "b", "c", "d", "e"].map(sentence).join(" ");
      const [first, second, ...more] = textsOf(paperChunker().chunk(paper({ title: "", abstract })));
      expect(first).toBe(["a", "b", "c"].map(sentence).join(" "));
      expect(second).toBe(`${first?.slice(-120)} ${sentence("d")} ${sentence("e")}`);
      expect([first?.length, second?.length, more]).toEqual([899, 720, []]);
    },
  );
  it("900 characters are one chunk, 901 two", () => {
    const lengths = (length: number): number[] =>
      textsOf(paperChunker().chunk(paper({ title: "", abstract: "x".repeat(length) }))).map(
        (text) => text.length,
      );
    expect([lengths(900), lengths(901)]).toEqual([[900], [900, 121]]);
  });
  it("hostile names are names", () => {
    const structured_card = Object.fromEntries([
      ["__proto__", "p"],
      ["constructor", ["c"]],
      ["a:b\n", "x"],
    ]);
    expect(
      refs(
        paperChunker().chunk(
          paper({
            title: "",
            abstract: "",
            structured_card: JSON.parse('{"__proto__": 1}') as Paper["structured_card"],
          }),
        ),
      ),
    ).toEqual([["7:__proto__:0", "1"]]);
    expect(
      refs(paperChunker().chunk(paper({ paper_id: "__proto__", title: "", abstract: "", structured_card }))),
    ).toEqual([
      ["__proto__:__proto__:0", "p"],
      ["__proto__:constructor:0", "- c"],
      ["__proto__:a:b\n:0", "x"],
    ]);
  });
});

describe("what is no document", () => {
  it.each([sentenceChunker(), windowChunker({ words: 10 }), wholeDocumentChunker()])(
    "is refused by $version",
    (chunker) => {
      const chunk = (document: unknown) => () => chunker.chunk(document as TextDocument);
      expect(chunk({ doc_id: "d", title: "t", text: "One." })).toThrow(
        "a document: id must be a string, got `undefined`",
      );
      expect(chunk({ id: "d", text: "One." })).toThrow("a document: title must be a string");
      expect(chunk({ id: "d", title: "" })).toThrow("a document: text must be a string");
      expect(chunk(null)).toThrow("a document must be an object, got `null`; give `id`, `title` and `text`");
    },
  );
});
