import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseVariant, type MeasuredVariant } from "../../src/fusion-tuning/index.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { maxT } from "../../src/stats/index.js";
import { failure } from "../support/failure.js";
import { present } from "../support/present.js";

const variant = (name: string, scores: readonly number[]): MeasuredVariant => ({
  name,
  scores: new Map(scores.map((score, at) => [`q${String(at).padStart(3, "0")}`, score])),
});
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe("the choice among variants", () => {
  it("is the highest mean, and of equal ones the first: what is there before all", () => {
    const there = variant("there", [0, 1, 0, 1]);
    expect(chooseVariant(there, [variant("a", [1, 0, 1, 0])]).chosen).toBe("there");
    expect(chooseVariant(there, [variant("a", [1, 1, 0, 1]), variant("b", [1, 0, 1, 1])]).chosen).toBe("a");
  });

  it("finds a gain of every query better, and says so of queries that had no say", () => {
    const scores = Array.from({ length: 20 }, (_, at) => at / 40);
    const found = chooseVariant(variant("there", scores), [
      variant("none", scores),
      variant(
        "much",
        scores.map((score) => score + 0.2),
      ),
    ]);
    expect(found.verdict.kind).toBe("better");
    expect(found.heldOut).toMatchObject({ gain: 0.2, improved: 20, chosen: [{ name: "much", times: 20 }] });
    expect(found.variants.map(({ name, difference }) => [name, difference])).toEqual([
      ["there", 0],
      ["none", 0],
      ["much", 0.2],
    ]);
  });

  it("is not called worse than what is there where it is better on the queries that chose it", () => {
    // The choice without a query is best where that query's score is low: of noise a held-out loss follows.
    const random = seededRandom(4);
    const noise = (name: string): MeasuredVariant => variant(name, Array.from({ length: 60 }, random));
    const found = Array.from({ length: 20 }, () =>
      chooseVariant(noise("there"), ["a", "b", "c", "d", "e", "f"].map(noise)),
    );
    expect(found.some(({ heldOut }) => (heldOut?.interval?.high ?? 0) < 0)).toBe(true);
    expect(found.filter(({ verdict }) => verdict.kind === "worse")).toEqual([]);
  });
  it("does not call the best of many noises better", () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const noise = (name: string): MeasuredVariant => variant(name, Array.from({ length: 30 }, random));
    const found = chooseVariant(
      noise("there"),
      Array.from({ length: 20 }, (_, at) => noise(`v${at}`)),
    );
    expect(found.verdict.kind).not.toBe("better");
    expect(found.variants.some(({ difference }) => difference > 0)).toBe(true);
  });

  it("scores each query by what the others choose, and tests as maxT does", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 7 }).chain((queries) =>
          fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: queries, maxLength: queries }), {
            minLength: 2,
            maxLength: 5,
          }),
        ),
        (columns) => {
          const variants = columns.map((scores, at) =>
            variant(
              `v${at}`,
              scores.map((score) => score / 4),
            ),
          );
          const [there, ...others] = variants as [MeasuredVariant, ...MeasuredVariant[]];
          const found = chooseVariant(there, others);
          const scores = columns.map((column) => column.map((score) => score / 4));
          found.perQuery.forEach(({ held_out }, query) => {
            const means = scores.map((column) => mean(column.filter((_, at) => at !== query)));
            const best = means.findIndex((value) => Math.abs(value - Math.max(...means)) < 1e-12);
            expect(held_out).toBeCloseTo(scores[best]?.[query] as number, 12);
          });
          const differences = scores
            .slice(1)
            .map((column) => column.map((score, at) => score - (scores[0]?.[at] as number)));
          const test = maxT(differences, { statistic: "t", alternative: "greater" });
          expect(found.test.p).toBeCloseTo(test.p, 12);
        },
      ),
    );
  });

  it("keeps groups together: queries that are alike count once", () => {
    const scores = Array.from({ length: 12 }, (_, at) => (at < 6 ? 0 : 0.5));
    const gain = scores.map((score, at) => (at < 6 ? 0.4 : score));
    const groups = new Map(
      scores.map((_, at) => [`q${String(at).padStart(3, "0")}`, at < 6 ? "same" : `g${at}`]),
    );
    const alone = chooseVariant(variant("there", scores), [variant("a", gain)]);
    const together = chooseVariant(variant("there", scores), [variant("a", gain)], { groups });
    expect(alone.test.p).toBeLessThan(0.05);
    expect(together.test.p).toBe(0.5);
    expect(present(together.heldOut).parts).toBe(7);
  });

  it.each([
    [[variant("there", [1, 2])], /two variants are called `there`/],
    [[variant("a", [1])], /must have a score for each of the same 2 queries/],
    [[variant("a", [1, NaN])], /got NaN for `q001`/],
  ])("refuses what cannot be compared", (variants, message) => {
    expect(failure(() => chooseVariant(variant("there", [1, 2]), variants)).message).toMatch(message);
  });

  it("refuses options that are typos", () => {
    const there = variant("there", [1, 2]);
    expect(failure(() => chooseVariant(there, [], { confidense: 0.9 } as object)).message).toMatch(
      /confidence/,
    );
    expect(failure(() => chooseVariant(there, [], { margin: -1 })).message).toMatch(/margin/);
  });
});
