import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluateRunFile } from "../../src/index.js";
import type { JudgedRanking } from "../../src/metrics/index.js";
import { QrelsTableBuilder } from "../../src/formats/trec/index.js";
import { IdNumbers } from "../../src/formats/trec/internal.js";
import { LAW_RUNS } from "../support/arbitraries.js";

/** Ids of one hash, because that of `Aa` and of `BB` is the same whatever stands around them. */
const COLLIDING = Array.from({ length: 1 << 8 }, (_, number) =>
  Array.from({ length: 8 }, (_, bit) => ((number >> bit) & 1 ? "Aa" : "BB")).join(""),
);
const item = fc.oneof(
  fc.constantFrom("d", "d1", "d10", "d100", "d1000000000", "문서", "d🙂", "x".repeat(40)),
  fc.constantFrom(...COLLIDING),
  fc.nat(50).map(String),
);
const line = fc.record({
  query: fc.constantFrom("1", "12", "123", "q🙂", "Aa", "BB"),
  item,
  score: fc.constantFrom("1", "1.0", "-0", "0", "0.5", "2e0", "12345678.9", "0.12345678901234567", "-3"),
});
const lines = fc.array(line, { minLength: 1, maxLength: 60 });
const judgments = fc.uniqueArray(
  fc.record({
    query: fc.constantFrom("1", "12", "q🙂", "Aa", "9"),
    item,
    grade: fc.integer({ min: -1, max: 3 }),
  }),
  { selector: (one) => `${one.query} ${one.item}`, minLength: 1, maxLength: 40 },
);
/** How a file may be written without meaning anything else. */
const manner = fc.record({
  separator: fc.constantFrom(" ", "\t", "  ", " \t "),
  ending: fc.constantFrom("\n", "\r\n", " \n", " more fields\n"),
  between: fc.constantFrom("", "\n", " \n"),
  chunk: fc.integer({ min: 1, max: 200 }),
});

type Line = { readonly query: string; readonly item: string; readonly score: string };
type Seen = Record<string, { returned: number; ranks: number[]; grades: number[] }>;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function* chunksOf(text: string, size: number): Iterable<Uint8Array> {
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What each judged query shows: all its lines sorted, copies after the first one not judged. */
function naively(
  run: readonly Line[],
  grades: ReadonlyMap<string, number>,
  queries: ReadonlySet<string>,
): Seen {
  const seen: Seen = {};
  for (const query of new Set(run.map((one) => one.query))) {
    if (!queries.has(query)) continue;
    const sorted = run
      .filter((one) => one.query === query)
      .sort((a, b) => Number(b.score) - Number(a.score) || byBytes(b.item, a.item));
    const firsts = new Set<string>();
    const judged = sorted.flatMap(({ item: id }, index) => {
      const isCopy = firsts.has(id);
      firsts.add(id);
      const grade = grades.get(`${query} ${id}`);
      return isCopy || grade === undefined || grade < 0 ? [] : [{ rank: index + 1, grade }];
    });
    seen[query] = {
      returned: sorted.length,
      ranks: judged.map(({ rank }) => rank),
      grades: judged.map(({ grade }) => grade),
    };
  }
  return seen;
}

describe("a run file is ranked as a list of all its lines, sorted", () => {
  const law = (name: string, order: (run: readonly Line[]) => readonly Line[]): void => {
    it(name, async () =>
      fc.assert(
        fc.asyncProperty(
          lines,
          judgments,
          manner,
          async (given, judged, { separator, ending, between, chunk }) => {
            const run = order(given);
            const builder = new QrelsTableBuilder("qrels");
            for (const part of chunksOf(
              judged
                .map((one) => `${one.query}${separator}0${separator}${one.item}${separator}${one.grade}\n`)
                .join(between),
              chunk,
            ))
              builder.write(part);
            const text = run
              .map(
                ({ query, item, score }, index) =>
                  [query, "Q0", item, index, score, "tag"].join(separator) + ending,
              )
              .join(between);
            const table = builder.end();
            const kept = new Map<string, JudgedRanking>();
            const evaluated = await evaluateRunFile(() => chunksOf(text, chunk), table, ["AP"], {
              onQuery: (queryId, judged) => kept.set(queryId, judged),
            });
            // Who is told of queries may keep what it was told; without such a one memory is used again.
            const again = await evaluateRunFile(() => chunksOf(text, chunk), table, ["AP"]);
            expect(JSON.stringify(again)).toBe(JSON.stringify(evaluated));
            const seen: Seen = {};
            for (const [queryId, { returned, hits }] of kept)
              seen[queryId] = { returned, ranks: Array.from(hits.ranks), grades: Array.from(hits.grades) };
            expect(seen).toEqual(
              naively(
                run,
                new Map(judged.map((one) => [`${one.query} ${one.item}`, one.grade])),
                new Set(judged.map((one) => one.query)),
              ),
            );
          },
        ),
        LAW_RUNS,
      ),
    );
  };
  law("the lines of a query together", (run) => [...run].sort((a, b) => byBytes(a.query, b.query)));
  law("the lines of a query together, falling", (run) =>
    [...run].sort((a, b) => byBytes(a.query, b.query) || Number(b.score) - Number(a.score)),
  );
  law("the lines of queries among each other", (run) => run);
});

describe("ids are numbered in order of first appearance", () => {
  it.each([
    ["of one hash", COLLIDING, 7],
    [
      "of any hash, more than there is room for at first",
      Array.from({ length: 5000 }, (_, number) => `query-${number}`),
      undefined,
    ],
  ])("%s", (_, ids, hash) => {
    const numbers = new IdNumbers();
    const numberOf = (id: string): number => {
      const bytes = bytesOf(`>${id}<`);
      return numbers.numberOf(
        bytes,
        1,
        bytes.length - 1,
        hash ?? id.length * 31 + id.charCodeAt(id.length - 1),
      );
    };
    expect(ids.map(numberOf)).toEqual(ids.map((__, index) => index));
    expect([...ids].reverse().map(numberOf)).toEqual(ids.map((__, index) => ids.length - 1 - index));
    expect(numbers.ids).toEqual(ids);
  });
});
