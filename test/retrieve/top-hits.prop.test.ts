import fc from "fast-check";
import { expect, it } from "vitest";
import { TopHits } from "../../src/retrieve/top-hits.js";
import { LAW_RUNS } from "../support/arbitraries.js";

it("a heap of any size keeps what a full sort has first, offered in any order; a NaN never", () => {
  const scores = fc.array(fc.constantFrom(-1, -0, 0, 0.5, 1, 1e-300, Infinity, NaN), { maxLength: 60 });
  fc.assert(
    fc.property(
      scores.chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray([...list.keys()], { minLength: list.length })),
      ),
      fc.integer({ min: 1, max: 70 }),
      ([list, order], limit) => {
        const top = new TopHits(limit);
        for (const item of order) top.offer(item, list[item] as number);
        const sorted = list
          .map((score, item) => ({ item, score }))
          .filter(({ score }) => !Number.isNaN(score))
          .sort((a, b) => (a.score === b.score ? a.item - b.item : b.score - a.score));
        expect(top.rank().map(({ item }) => item)).toEqual(sorted.slice(0, limit).map(({ item }) => item));
      },
    ),
    LAW_RUNS,
  );
});
