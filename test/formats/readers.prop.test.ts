import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyRunReader,
  decodeText,
  formatResults,
  formatRun,
  MAX_TEXT_BYTES,
  parseAnyRun,
  parseRun,
  resultParts,
  runParts,
  rankByScore,
  writtenFormats,
} from "../../src/formats/index.js";
import { runReader } from "../../src/formats/internal.js";
import type { ByteReader } from "../../src/formats/trec/index.js";

const encoder = new TextEncoder();

/**
 * What a reader makes of bytes that come in pieces; each piece is overwritten afterwards, as a file's buffer
 * is.
 */
function readInPieces<T>(reader: ByteReader<T>, bytes: Uint8Array, cuts: readonly number[]): T {
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  let start = 0;
  for (const end of ends) {
    const piece = bytes.slice(start, end);
    reader.write(piece);
    piece.fill(0x7b);
    start = end;
  }
  return reader.end();
}

const outcome = <T>(work: () => T): T | string => {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
};

const id = fc.stringMatching(/^[a-zé中😀"\\]{1,6}$/u);
const results = fc.uniqueArray(
  fc.record({
    query_id: id,
    hits_top_k: fc.array(
      fc.record({ chunk_id: id, doc_id: id, score: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
      { maxLength: 4 },
    ),
  }),
  { selector: ({ query_id }) => query_id, minLength: 1, maxLength: 6 },
);
const cuts = fc.array(fc.nat(2000), { maxLength: 12 });
const damage = fc.constantFrom("", "", "\n\n", "{", '{"query_id":5}\n', "\r\n", "\ufeff");

describe("a run that comes in pieces", () => {
  it("of rankproof's own form is what it is at once, errors and their lines too", () => {
    fc.assert(
      fc.property(results, damage, fc.constantFrom("jsonl", "list", "run"), cuts, (given, more, form, at) => {
        const text =
          form === "jsonl"
            ? formatResults(given)
            : JSON.stringify(form === "list" ? given : { run_id: "x", results: given }, null, 1);
        const bytes = encoder.encode(more === "\ufeff" ? more + text : text + more);
        const whole = outcome(() =>
          parseRun(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), { run_id: "r" }, "f"),
        );
        expect(outcome(() => readInPieces(runReader({ run_id: "r" }, "f"), bytes, at))).toEqual(whole);
      }),
    );
  });
  it("of any form is what it is at once, and what was written", () => {
    fc.assert(
      fc.property(results, fc.constantFrom(...writtenFormats), cuts, (given, format, at) => {
        const run = new Map(
          given
            .filter(({ hits_top_k }) => hits_top_k.length > 0)
            .map(
              ({ query_id, hits_top_k }) =>
                [
                  query_id,
                  rankByScore(
                    [...new Set(hits_top_k.map(({ doc_id }) => doc_id))],
                    hits_top_k
                      .map(({ score }) => score)
                      .slice(0, new Set(hits_top_k.map(({ doc_id }) => doc_id)).size),
                  ),
                ] as const,
            ),
        );
        const text = formatRun(run, format);
        expect([...runParts(run, format)].join("")).toBe(text);
        const bytes = encoder.encode(text);
        expect(outcome(() => readInPieces(anyRunReader("f"), bytes, at))).toEqual(
          outcome(() => parseAnyRun(bytes, "f")),
        );
      }),
    );
  });
  it("its results are written part by part as they are at once", () => {
    fc.assert(
      fc.property(results, (given) => {
        expect([...resultParts(given)].join("")).toBe(formatResults(given));
      }),
    );
  });
});

it("what is too long for one text says the limit, and names JSONL", () => {
  expect(() => decodeText(new Uint8Array(MAX_TEXT_BYTES + 1), "run.json")).toThrow(
    "run.json: is larger than 512 MiB (536870888 bytes), the most that can be read as one " +
      "document; write it as JSONL, one record a line, which is read line by line",
  );
});
