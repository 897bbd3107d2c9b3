import { describe, expect, it } from "vitest";
import { isRankproofError } from "../../src/foundation/errors/errors.js";
import {
  formatQrels,
  formatRun,
  parseAnyQrels,
  parseAnyRun,
  rankByScore,
  writtenFormats,
  type ScoredRun,
} from "../../src/formats/index.js";
import { QrelsTableBuilder, TrecRunScanner } from "../../src/formats/trec/index.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { tries } from "../support/proof.js";

/** Mutated inputs in all. */
const INPUTS = tries(20_000, 500_000);

const run: ScoredRun = new Map(
  ["q1", "q2", "문"].map((query) => [
    query,
    rankByScore(["d1", "__proto__", "🙂", "d,4"], [3.25, 2e-7, 0.5, -1]),
  ]),
);
const qrels = ["q1", "q2", "문"].flatMap((query_id) =>
  ["d1", "__proto__", "🙂"].map((doc_id, grade) => ({ query_id, doc_id, grade })),
);
const seeds = writtenFormats
  .flatMap((format) => [formatRun(run, format), formatQrels(qrels, format)])
  .map((text) => new TextEncoder().encode(text));
const TOKENS = [
  "\n",
  "\r\n",
  "\t",
  " ",
  ",",
  '"',
  "{",
  "}",
  "[",
  "]",
  ":",
  "#",
  "nan",
  "inf",
  "-",
  "1e999",
  "0x1",
  "\ufeff",
  "null",
  "1",
  ".",
  "e",
  "\u0000",
  "�",
].map((token) => new TextEncoder().encode(token));

function mutated(random: () => number): Uint8Array {
  const below = (limit: number): number => Math.floor(random() * limit);
  let bytes = seeds[below(seeds.length)] as Uint8Array;
  for (let count = 1 + below(4); count > 0; count--) {
    const at = below(bytes.length + 1);
    const end = Math.min(bytes.length, at + below(20));
    const kind = below(5);
    const inserted =
      kind === 0
        ? (TOKENS[below(TOKENS.length)] as Uint8Array)
        : kind === 1
          ? Uint8Array.of(below(256))
          : kind === 2
            ? bytes.slice(at, end)
            : new Uint8Array(0);
    const kept = kind === 3 ? end : kind === 4 ? bytes.length : at;
    const next = new Uint8Array(at + inserted.length + bytes.length - kept);
    next.set(bytes.subarray(0, at));
    next.set(inserted, at);
    next.set(bytes.subarray(kept), at + inserted.length);
    bytes = next;
  }
  return bytes;
}

/** Whether an error says where: a file with a line, or a whole document that is something else. */
function saysWhere(message: string): boolean {
  return message
    .split("\n")
    .every((line) => /^f:\d+(:\d+)?: /.test(line) || /^f: /.test(line) || /^and \d+ more problem/.test(line));
}

describe("mutated inputs", () => {
  it(`${INPUTS} of them are read, or refused with a line; no number is made up`, () => {
    const random = seededRandom(20_26);
    let [read, refused] = [0, 0];
    for (let i = 0; i < INPUTS; i++) {
      const bytes = mutated(random);
      for (const parse of [
        () =>
          [
            ...(parseAnyRun(bytes, "f").run instanceof Map
              ? (parseAnyRun(bytes, "f").run as ScoredRun).values()
              : []),
          ].flatMap(({ scores }) => Array.from(scores)),
        () => parseAnyQrels(bytes, "f").judgments.map(({ grade }) => grade),
      ]) {
        try {
          expect(parse().every(Number.isFinite)).toBe(true);
          read++;
        } catch (error) {
          if (!isRankproofError(error)) throw error;
          if (!saysWhere(error.message))
            throw new Error(`no place in: ${error.message}\n${new TextDecoder().decode(bytes)}`, {
              cause: error,
            });
          refused++;
        }
      }
    }
    expect(read).toBeGreaterThan(INPUTS / 10);
    expect(refused).toBeGreaterThan(INPUTS / 10);
  });
  it("byte readers do not care where chunks end", () => {
    const random = seededRandom(7);
    const blocks = (bytes: Uint8Array, size: number): string => {
      const seen: string[] = [];
      const scanner = new TrecRunScanner(
        "f",
        ({ queryStart, queryEnd, count, bytes: own, starts, ends, scores }) => {
          const text = (from: number | undefined, to: number | undefined): string =>
            new TextDecoder().decode(own.subarray(from, to));
          for (let j = 0; j < count; j++)
            seen.push(`${text(queryStart, queryEnd)} ${text(starts[j], ends[j])} ${scores[j]}`);
        },
      );
      const builder = new QrelsTableBuilder("f");
      for (const reader of [scanner, builder]) {
        try {
          for (let at = 0; at < bytes.length; at += size) reader.write(bytes.slice(at, at + size));
          reader.end();
        } catch (error) {
          seen.push((error as Error).message);
        }
      }
      return seen.join("\n");
    };
    for (let i = 0; i < INPUTS / 20; i++) {
      const bytes = mutated(random);
      expect(blocks(bytes, 1 + Math.floor(random() * 30))).toBe(blocks(bytes, 1_000_000));
    }
  });
});
