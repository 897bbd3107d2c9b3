import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compactLetters } from "../../src/stats/index.js";

const lettersOf = (count: number, pairs: readonly (readonly [number, number])[]): string[] | undefined =>
  compactLetters(count, (x, y) => pairs.some(([a, b]) => a === Math.min(x, y) && b === Math.max(x, y)))?.map(
    (each) => each.join(""),
  );

describe("compact letters", () => {
  it.each<[string, number, (readonly [number, number])[], string[]]>([
    ["nothing", 0, [], []],
    ["one thing", 1, [], ["a"]],
    ["three that do not differ", 3, [], ["a", "a", "a"]],
    ["two that differ", 2, [[0, 1]], ["a", "b"]],
    ["the ends of a chain", 3, [[0, 2]], ["a", "ab", "b"]],
    [
      "all different",
      3,
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ],
      ["a", "b", "c"],
    ],
  ])("of %s", (_, count, pairs, expected) => {
    expect(lettersOf(count, pairs)).toEqual(expected);
  });
  it("are shared exactly by what does not differ, and every letter is needed", () => {
    const graph = fc
      .integer({ min: 0, max: 7 })
      .chain((count) =>
        fc.tuple(fc.constant(count), fc.array(fc.boolean(), { minLength: 49, maxLength: 49 })),
      );
    fc.assert(
      fc.property(graph, ([count, flags]) => {
        const differs = (x: number, y: number): boolean =>
          flags[Math.min(x, y) * 7 + Math.max(x, y) - 1] === true;
        const letters = compactLetters(count, differs);
        for (let x = 0; x < count; x++) {
          expect(letters?.[x]?.length).toBeGreaterThan(0);
          for (let y = x + 1; y < count; y++)
            expect(letters?.[x]?.some((letter) => letters?.[y]?.includes(letter))).toBe(!differs(x, y));
        }
        const members = new Map<string, Set<number>>();
        letters?.forEach((each, at) => {
          for (const letter of each) members.set(letter, (members.get(letter) ?? new Set()).add(at));
        });
        const groups = [...members.values()];
        groups.forEach((group, at) =>
          groups.forEach((other, place) => {
            if (place !== at) expect([...group].every((member) => other.has(member))).toBe(false);
          }),
        );
      }),
    );
  });
  it("go on after z with capitals, and give up where groups outnumber them", () => {
    const letters = compactLetters(52, () => true);
    expect([letters?.[25], letters?.[26], letters?.[51]]).toEqual([["z"], ["A"], ["Z"]]);
    expect(compactLetters(53, () => true)).toBeNull();
    // Pairs of which either may be taken: their groups double with every pair.
    const paired = (x: number, y: number): boolean => Math.floor(x / 2) === Math.floor(y / 2);
    expect(compactLetters(10, paired)?.flat()).toHaveLength(10 * 16);
    expect(compactLetters(40, paired)).toBeNull();
    expect(() => compactLetters(1e9, () => true)).toThrow(/^count must be a whole number from 0 to 10000/);
  });
});
