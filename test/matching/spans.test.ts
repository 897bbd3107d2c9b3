import { describe, expect, it } from "vitest";
import { citationResolver, spansOverlap } from "../../src/matching/index.js";
import type { ChunkRecord, Citation, Span } from "../../src/records/index.js";

const line = (start: number, end: number): Span => ({ kind: "line", start, end });
const code = (line_start: number, line_end: number): Span => ({ kind: "code", line_start, line_end });
const byte = (start: number, end: number): Span => ({ kind: "byte", start, end });
const page = (n: number, char_start?: number, char_end?: number): Span => ({
  kind: "page",
  page: n,
  ...(char_start === undefined ? {} : { char_start }),
  ...(char_end === undefined ? {} : { char_end }),
});
const time = (start_ms: number, end_ms: number): Span => ({ kind: "time", start_ms, end_ms });
const region = (x: number, y: number, w: number, h: number, p?: number): Span => ({
  kind: "region",
  x,
  y,
  w,
  h,
  ...(p === undefined ? {} : { page: p }),
});

describe("overlap of at least half of the smaller side", () => {
  it.each<[string, Span[], Span[], boolean]>([
    ["the same lines", [line(1, 4)], [line(1, 4)], true],
    ["2 of 4 lines: exactly half", [line(1, 4)], [line(3, 6)], true],
    ["1 of 4 lines", [line(1, 4)], [line(4, 7)], false],
    ["neighbours", [line(1, 4)], [line(5, 8)], false],
    ["a small chunk inside the evidence", [line(1, 100)], [line(50, 51)], true],
    ["a large chunk around the evidence", [line(50, 51)], [line(1, 100)], true],
    ["lines of text and of code are one kind", [line(1, 4)], [code(2, 5)], true],
    ["lines and bytes are not comparable", [line(1, 4)], [byte(1, 4)], false],
    ["bytes are half-open: [0,10) and [5,15) share 5 of 10", [byte(0, 10)], [byte(5, 15)], true],
    ["bytes [0,10) and [10,20) share nothing", [byte(0, 10)], [byte(10, 20)], false],
    ["an empty span overlaps nothing, not even itself", [byte(5, 5)], [byte(5, 5)], false],
    ["lines that end before they start are empty", [line(5, 4)], [line(1, 9)], false],
    ["one comparable kind is enough", [line(1, 4), byte(0, 10)], [line(90, 95), byte(0, 10)], true],
    ["the union counts: two halves make a whole", [line(1, 2), line(3, 4)], [line(1, 4)], true],
    [
      "what is listed twice counts once: 2 of 4 lines, not 4 of 8",
      [line(1, 2), line(1, 2), line(10, 11)],
      [line(2, 5)],
      false,
    ],
    ["a page without characters is the whole page", [page(3)], [page(3, 100, 200)], true],
    ["another page", [page(3)], [page(4)], false],
    ["half of the characters of a page", [page(1, 0, 100)], [page(1, 50, 150)], true],
    ["a page to its end", [page(1, 50)], [page(1, 0, 60)], false],
    ["times share half a second of one", [time(0, 1000)], [time(500, 1500)], true],
    ["regions: 50 of 100 square units", [region(0, 0, 10, 10)], [region(5, 0, 10, 10)], true],
    ["regions: 25 of 100", [region(0, 0, 10, 10)], [region(5, 5, 10, 10)], false],
    ["regions on different pages", [region(0, 0, 10, 10, 1)], [region(0, 0, 10, 10, 2)], false],
    ["a region without a page is on any", [region(0, 0, 10, 10)], [region(0, 0, 10, 10, 2)], true],
    ["on the one that names a page, too", [region(0, 0, 10, 10, 2)], [region(0, 0, 10, 10)], true],
    [
      "beside one that names a page, too",
      [region(0, 0, 10, 10), region(20, 20, 1, 1, 1)],
      [region(0, 0, 10, 10)],
      true,
    ],
    ["but not beside it", [region(0, 0, 10, 10)], [region(20, 0, 10, 10, 2)], false],
    [
      "regions that overlap each other count once",
      [region(0, 0, 10, 10), region(0, 0, 10, 10)],
      [region(0, 0, 10, 5)],
      true,
    ],
    ["captions have no extent", [{ kind: "caption" }], [{ kind: "caption" }], false],
    ["nothing", [], [line(1, 2)], false],
  ])("%s", (_, a, b, expected) => {
    expect(spansOverlap(a, b)).toBe(expected);
    expect(spansOverlap(b, a)).toBe(expected);
  });
});

describe("a citation resolves when it points at a chunk that exists", () => {
  const chunks: ChunkRecord[] = [
    { chunk_id: "c1", doc_id: "d1", doc_path: "a.md", source_spans: [line(3, 9)] },
    { chunk_id: "c2", doc_id: "bare", source_spans: [line(1, 2)] },
    { chunk_id: "c3", doc_id: "d3", doc_path: "img.png", source_spans: [{ kind: "caption" }] },
  ];
  const resolves = citationResolver({ chunks });
  it.each<[string, Citation, boolean]>([
    ["by chunk id", { chunk_id: "c1" }, true],
    ["not by an unknown chunk id", { chunk_id: "nope" }, false],
    ["by path and a line of the chunk", { kind: "line", path: "a.md", start: 9, end: 12 }, true],
    ["not by lines that no chunk covers", { kind: "line", path: "a.md", start: 10, end: 12 }, false],
    [
      "not by another path: a path alone is no evidence",
      { kind: "line", path: "b.md", start: 3, end: 9 },
      false,
    ],
    ["by document id where there is no path", { kind: "line", path: "bare", start: 1, end: 1 }, true],
    ["by the caption of an image", { kind: "caption", path: "img.png" }, true],
    ["not by a caption of a text", { kind: "caption", path: "a.md" }, false],
    [
      "an unknown id does not spoil a place that is right",
      { kind: "line", path: "a.md", start: 3, end: 3, chunk_id: "old" },
      true,
    ],
  ])("%s", (_, citation, expected) => expect(resolves(citation)).toBe(expected));
});
