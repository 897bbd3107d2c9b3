import { describe, expect, it } from "vitest";
import { chunkPlaces } from "../../src/matching/chunk-places.js";
import { extentOf, extentsMeet } from "../../src/matching/extent.js";
import type { ChunkRecord, Span } from "../../src/records/index.js";
import { aRun, hit, result } from "../support/records.js";

const lines = (start: number, end: number): Span[] => [{ kind: "line", start, end }];

describe("where a chunk lies", () => {
  it("is what two chunkers agree on, though they differ on another of the same form", () => {
    const run = (chunker_version: string, second: Span[]) =>
      aRun({
        results: [
          result("q", [
            hit("d-0", 1, { doc_id: "d", chunker_version, source_spans: lines(1, 10) }),
            hit("d-1", 2, { doc_id: "d", chunker_version, source_spans: second }),
          ]),
        ],
      });
    const runs = [run("v1", lines(11, 20)), run("v2", lines(50, 60))];
    const places = chunkPlaces(new Set(["d-0", "d-1"]), null, [], runs);
    expect(places.findExpected("d-0")?.spans).toEqual(lines(1, 10));
    expect(places.findExpected("d-1")?.spans ?? null).toBeNull();
  });

  it("does not depend on the order in which an archive has places of one size", () => {
    const archived = [
      { chunk_id: "c", doc_id: "d", chunker_version: "v1", source_spans: lines(1, 10) },
      { chunk_id: "c", doc_id: "d", chunker_version: "v2", source_spans: lines(2, 11) },
    ] as unknown as ChunkRecord[];
    for (const known of [archived, [...archived].reverse()])
      expect(chunkPlaces(new Set(["c"]), null, known, []).findExpected("c")?.spans).toEqual(lines(1, 10));
  });
});

it("regions side by side do not meet", () => {
  const at = (x: number) => extentOf([{ kind: "region", page: 1, x, y: 0, w: 10, h: 10 }]);
  expect(extentsMeet(at(10), at(0))).toBe(false);
  expect(extentsMeet(at(9), at(0))).toBe(true);
});
