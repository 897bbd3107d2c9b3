import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settleRanks, type TieOrder } from "../../src/evaluate/settle-ranks.js";
import { LAW_RUNS } from "../support/arbitraries.js";

interface Hit {
  readonly id: string;
  readonly score: number;
  readonly isAsked: boolean;
}

const ids = fc.oneof(
  fc.constantFrom("a", "ab", "abc", "abd", "b"),
  fc.integer({ min: 0, max: 99 }).map((number) => `doc-${number}`),
);
const scores = fc.oneof(
  fc.constantFrom(-1, -0, 0, 1, Infinity, -Infinity),
  fc.integer({ min: 0, max: 20 }),
  fc.double({ noNaN: true }),
);
const hit = fc.record<Hit>({ id: ids, score: scores, isAsked: fc.boolean() });
const byScore = (list: readonly Hit[]): Hit[] =>
  [...list].sort((a, b) => (a.score === b.score ? 0 : b.score > a.score ? 1 : -1));
const lists = fc.array(hit, { maxLength: 60 });
const kinds: readonly (readonly [string, fc.Arbitrary<Hit[]>])[] = [
  ["falling, with ties", lists.map(byScore)],
  ["in any order", lists],
  ["one tie", lists.map((list) => list.map((each) => ({ ...each, score: 2 })))],
  [
    "ties of a few scores, all asked about",
    lists.map((list) => list.map((each) => ({ ...each, isAsked: true, score: Math.sign(each.score) }))),
  ],
];
const idFalling =
  (list: readonly Hit[]): TieOrder =>
  (a, b) => {
    const [x, y] = [(list[a] as Hit).id, (list[b] as Hit).id];
    return x === y ? 0 : x > y ? -1 : 1;
  };

/** All hits sorted, then looked at: position, rank, first and last rank of its score. */
function naively(list: readonly Hit[], tieOrder: TieOrder): number[][] {
  const sorted = list
    .map((_, position) => position)
    .sort((a, b) => {
      const [x, y] = [(list[a] as Hit).score, (list[b] as Hit).score];
      return x === y ? tieOrder(a, b) || a - b : y > x ? 1 : -1;
    });
  return sorted.flatMap((position, index) => {
    const { score, isAsked } = list[position] as Hit;
    const above = list.filter((other) => other.score > score).length;
    return isAsked
      ? [[position, index + 1, above + 1, above + list.filter((other) => other.score === score).length]]
      : [];
  });
}

function settled(
  list: readonly Hit[],
  tieOrder: TieOrder,
): { rows: number[][]; hasTies: boolean; tiedAt: boolean[] } {
  // What stands after the last hit must not matter.
  const column = Float64Array.of(
    ...list.map(({ score }) => score),
    ...list.slice(-1).map(({ score }) => score),
  );
  const asked = Int32Array.from(list.flatMap(({ isAsked }, position) => (isAsked ? [position] : [])));
  const { order, ranks, first, last, hasTies, isTied } = settleRanks(column, list.length, asked, tieOrder);
  const rows = [...ranks].map((rank, place) => [
    asked[order === null ? place : (order[place] as number)] as number,
    rank,
    first[place] as number,
    last[place] as number,
  ]);
  return { rows, hasTies, tiedAt: list.map((_, index) => isTied(index + 1)) };
}

describe("ranks without sorting what need not be sorted are those of a sorted list", () => {
  it.each(kinds)("%s", (_, list) => {
    fc.assert(
      fc.property(list, fc.boolean(), (hits, isByInput) => {
        const tieOrder = isByInput ? (): number => 0 : idFalling(hits);
        const sorted = hits.map(({ score }) => score).sort((a, b) => (a === b ? 0 : b > a ? 1 : -1));
        const tiedAt = sorted.map((score, index) => index + 1 < sorted.length && score === sorted[index + 1]);
        expect(settled(hits, tieOrder)).toEqual({
          rows: naively(hits, tieOrder),
          hasTies: tiedAt.includes(true),
          tiedAt,
        });
      }),
      LAW_RUNS,
    );
  });
});

describe("ties cost in proportion to what is tied", () => {
  const COUNT = 20_000;
  const comparisons = (
    score: (position: number) => number,
    isAsked: (position: number) => boolean,
  ): number => {
    let calls = 0;
    const asked = Int32Array.from({ length: COUNT }, (_, position) => position).filter(isAsked);
    settleRanks(
      Float64Array.from({ length: COUNT }, (_, position) => score(position)),
      COUNT,
      asked,
      (a, b) => {
        calls++;
        return b - a;
      },
    );
    return calls;
  };
  const falling = (position: number): number =>
    -Math.floor(position / 100) * 100 - (position % 100 === 1 ? 0 : position % 100);

  it("compares nothing where no tie holds a hit asked about", () =>
    expect(comparisons(falling, (position) => position % 100 > 1)).toBe(0));
  it("compares the two hits of each tie of two", () =>
    expect(comparisons(falling, (position) => position % 100 === 0)).toBe((2 * COUNT) / 100));
  it("also in a list without order", () =>
    expect(
      comparisons(
        (position) => falling((position * 7919) % COUNT),
        (position) => (position * 7919) % 100 === 0,
      ),
    ).toBe((2 * COUNT) / 100));
  it("sorts one tie of all hits, all of them asked about, and no more", () =>
    expect(
      comparisons(
        () => 1,
        () => true,
      ),
    ).toBeLessThan(3 * COUNT * Math.log2(COUNT)));
});
