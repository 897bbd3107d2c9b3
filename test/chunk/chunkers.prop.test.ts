import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chunkerCatalog,
  paperChunker,
  sentenceChunker,
  sentenceRanges,
  wholeDocumentChunker,
  windowChunker,
  type Chunker,
  type TextChunk,
} from "../../src/chunk/index.js";
import { LAW_RUNS } from "../support/arbitraries.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { plainText } from "../support/chunk-texts.js";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const characters = (text: string): number => [...text].length;
const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const withoutSpace = (text: string): string => text.replace(/\s+/g, "");

/** A text of pieces at which chunkers could stumble, also with halves of surrogate pairs. */
const pieces = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "a",
      "word",
      "Fig.",
      "e.g.",
      "3.14",
      ". ",
      "! ",
      "? ",
      " ",
      "  ",
      "\n",
      "\r\n",
      "\r\n\r\n",
      "\n \n",
      "…",
      '."',
      "。",
      "！",
      "「",
      "」",
      "漢字",
      "한국어",
      "\u1112\u1161\u11ab",
      "é",
      "e\u0301\u0323",
      "🙂",
      "👩‍👩‍👧",
      "🇰🇷🇩🇪",
      "👍🏽",
      "\u200d",
      "x".repeat(30),
      "\u00a0",
      "\u2028",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS, "\ud83d", "\ude42") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
);
const text = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(""));
const document = fc.record({
  id: fc.constantFrom("d", "__proto__", "a#0", "문서", "line\nfeed", "a:b"),
  title: fc.constantFrom("", " ", "A title"),
  text,
});

const limits = fc
  .integer({ min: 1, max: 80 })
  .chain((most) => fc.record({ most: fc.constant(most), overlap: fc.integer({ min: 0, max: most - 1 }) }));
interface Limited {
  readonly chunker: Chunker;
  readonly size: (text: string) => number;
  readonly most: number;
  readonly overlap: number;
}
/** Of a text, by the unit that a chunker counts. */
const SIZES: Readonly<Record<string, (text: string) => number>> = { characters, words };
const limited: fc.Arbitrary<Limited> = limits.chain(({ most, overlap }) =>
  fc.constantFrom<Limited>(
    { chunker: sentenceChunker({ maxCharacters: most, overlap }), size: characters, most, overlap },
    { chunker: windowChunker({ characters: most, overlap }), size: characters, most, overlap },
    { chunker: windowChunker({ words: most, overlap }), size: words, most, overlap },
    { chunker: wholeDocumentChunker(), size: () => 0, most, overlap: 0 },
    ...chunkerCatalog.map(({ size, make }) => ({
      chunker: make({ size: most, overlap }),
      size: SIZES[size?.unit ?? ""] ?? ((): number => 0),
      most,
      overlap,
    })),
  ),
);

const spanOf = ({ source_spans: [span] = [] }: TextChunk): { start: number; end: number } => {
  if (span?.kind !== "byte") throw new Error("a chunk of a text has a span of bytes");
  return span;
};

describe("every chunker of texts", () => {
  it("covers everything but white space, in order, with text that equals the bytes of its span", () => {
    fc.assert(
      fc.property(document, limited, (from, { chunker }) => {
        const bytes = utf8(from.text);
        const chunks = chunker.chunk(from).filter((chunk) => chunk.text !== "");
        let covered = 0;
        for (const chunk of chunks) {
          const { start, end } = spanOf(chunk);
          expect(utf8(chunk.text)).toEqual(bytes.slice(start, end));
          expect(new TextDecoder().decode(bytes.slice(covered, Math.max(covered, start))).trim()).toBe("");
          expect(end).toBeGreaterThan(covered);
          covered = end;
        }
        expect(new TextDecoder().decode(bytes.slice(covered)).trim()).toBe("");
      }),
      LAW_RUNS,
    );
  });
  it("keeps to its limit, and has text in every chunk", () => {
    fc.assert(
      fc.property(document, limited, (from, { chunker, size, most }) => {
        for (const chunk of chunker.chunk({ ...from, title: "" })) {
          expect(size(chunk.text)).toBeLessThanOrEqual(most);
          expect(chunk.text.trim()).not.toBe("");
        }
      }),
      LAW_RUNS,
    );
  });
  it("makes no halves of characters that the text does not have", () => {
    fc.assert(
      fc.property(document, limited, (from, { chunker }) => {
        for (const chunk of chunker.chunk({ ...from, text: from.text.toWellFormed() }))
          expect(chunk.text.isWellFormed()).toBe(true);
      }),
      LAW_RUNS,
    );
  });
  it("gives the same chunks again, with ids that follow from the document's", () => {
    fc.assert(
      fc.property(document, limited, (from, { chunker }) => {
        const chunks = chunker.chunk(Object.freeze({ ...from }));
        expect(chunker.chunk({ ...from })).toEqual(chunks);
        expect(chunks.map(({ chunk_id }) => chunk_id)).toEqual(
          chunks.map((_, index) => (chunker.version === "whole-1" ? from.id : `${from.id}#${index}`)),
        );
        for (const chunk of chunks)
          expect([chunk.doc_id, chunk.title]).toEqual([
            from.id,
            from.title.trim() === "" ? undefined : from.title,
          ]);
      }),
      LAW_RUNS,
    );
  });
  it("repeats no more than its overlap", () => {
    fc.assert(
      fc.property(document, limited, ({ text }, { chunker, size, overlap }) => {
        const chunks = chunker.chunk({ id: "d", title: "", text });
        const bytes = utf8(text);
        chunks.slice(1).forEach((chunk, index) => {
          const [before, after] = [spanOf(chunks[index] as TextChunk), spanOf(chunk)];
          expect(after.start).toBeGreaterThanOrEqual(before.start);
          // Half a pair is one character in a text and another in its bytes.
          if (text.isWellFormed())
            expect(
              size(new TextDecoder().decode(bytes.slice(after.start, Math.max(after.start, before.end)))),
            ).toBeLessThanOrEqual(overlap);
        });
      }),
      LAW_RUNS,
    );
  });
});

describe("sentences", () => {
  it("hold everything but white space once, in order, without white space at their ends", () => {
    fc.assert(
      fc.property(text, (from) => {
        const sentences = sentenceRanges(from).map(({ start, end }) => from.slice(start, end));
        expect(withoutSpace(sentences.join(""))).toBe(withoutSpace(from));
        for (const sentence of sentences)
          expect([sentence.trim(), sentence === ""]).toEqual([sentence, false]);
      }),
      LAW_RUNS,
    );
  });
  it("are whole in the chunks where they fit", () => {
    fc.assert(
      fc.property(plainText, fc.integer({ min: 40, max: 400 }), (from, maxCharacters) => {
        const chunks = sentenceChunker({ maxCharacters }).chunk({ id: "d", title: "", text: from });
        for (const { start, end } of sentenceRanges(from)) {
          const sentence = from.slice(start, end);
          if (characters(sentence) <= maxCharacters)
            expect(chunks.some((chunk) => chunk.text.includes(sentence))).toBe(true);
        }
      }),
      LAW_RUNS,
    );
  });
});

describe("the chunker of papers", () => {
  const paper = fc.record({
    paper_id: fc.oneof(fc.nat(), fc.constantFrom("p", "__proto__", "a b")),
    title: plainText,
    abstract: text,
    structured_card: fc.dictionary(
      fc.constantFrom("method", "constructor", "findings", "1"),
      fc.oneof(text, fc.array(plainText, { maxLength: 5 })),
    ),
  });
  it(
    "folds white space, keeps to 900 characters and begins every further chunk with the last 120 " +
      "of the one before",
    () => {
      fc.assert(
        fc.property(paper, (from) => {
          const chunks = paperChunker().chunk(from);
          expect(paperChunker().chunk(from)).toEqual(chunks);
          expect(new Set(chunks.map(({ chunk_id }) => chunk_id)).size).toBe(chunks.length);
          chunks.forEach((chunk, index) => {
            expect(characters(chunk.text)).toBeLessThanOrEqual(900);
            expect(chunk.text).not.toMatch(/[^\S ]| {2}/);
            const before = chunks[index - 1];
            if (before === undefined || chunk.chunk_id.endsWith(":0")) return;
            const last = [...before.text].slice(-120).join("");
            // Shorter where it would begin inside a character.
            const repeated = [...last].findIndex((_, at) =>
              chunk.text.startsWith([...last].slice(at).join("")),
            );
            expect(repeated).toBeGreaterThanOrEqual(0);
            if (/^[\u0020-\u007e]*$/.test(before.text)) expect(repeated).toBe(0);
          });
        }),
        LAW_RUNS,
      );
    },
  );
});
