import { describe, expect, it } from "vitest";
import { seededRandom, seededWords } from "../../src/foundation/numbers/index.js";
import { randomizationTest, randomizationTests } from "../../src/stats/index.js";

const STREAM_STEP = 0x9e3779b1;

/** Eighths from -1 to 1: their sums are exact, whatever the order. */
function eighths(count: number, seed: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Math.round(random() * 16 - 8) / 8);
}

/** The two-sided p value, one flip and one query after the other: a bit of 1 turns the sign. */
function plainP(differences: readonly number[], permutations: number, seed: number): number {
  const words = Array.from({ length: Math.ceil(differences.length / 32) }, (_, word) => {
    const drawn = new Uint32Array(permutations);
    seededWords(Math.imul(seed, STREAM_STEP) + word)(drawn);
    return drawn;
  });
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  let extreme = 0;
  for (let flip = 0; flip < permutations; flip++) {
    let sum = 0;
    for (const [at, value] of differences.entries()) {
      const isTurned = (((words[at >> 5] as Uint32Array)[flip] as number) >>> (at & 31)) & 1;
      sum += isTurned ? -value : value;
    }
    if (Math.abs(sum) >= observed) extreme++;
  }
  return (extreme + 1) / (permutations + 1);
}

describe("drawn sign flips", () => {
  it.each([
    [27, 1000],
    [32, 1000],
    [33, 9000],
    [64, 8192],
    [100, 8193],
    [257, 20_000],
  ])("of %d queries, %d times, are those of one query after the other", (queries, permutations) => {
    const differences = eighths(queries, queries);
    expect(randomizationTest(differences, { permutations, seed: 7 })).toEqual({
      p: plainP(differences, permutations, 7),
      isExact: false,
    });
  });

  it("of several columns are those of each, though whole words of one are 0", () => {
    const [dense, sparse] = [eighths(200, 1), eighths(200, 2).map((value, at) => (at < 96 ? 0 : value))];
    const together = randomizationTests([dense, sparse], { permutations: 10_000 });
    expect(together.map(({ p }) => p)).toEqual([plainP(dense, 10_000, 1), plainP(sparse, 10_000, 1)]);
  });

  it("are not drawn where none can reach: 101 equal differences lie 10.05 deviations out", () => {
    const reached = (count: number): number => randomizationTest(Array<number>(count).fill(1)).p;
    expect(reached(101)).toBe(1 / 100_001);
    expect(reached(99)).toBe(1 / 100_001);
  });
});
