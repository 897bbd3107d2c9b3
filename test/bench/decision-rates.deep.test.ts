import { describe, expect, it } from "vitest";
import { decideBench } from "../../src/bench/index.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { aMode } from "../support/bench-modes.js";

const RUNS = 1000;
const random = seededRandom(7);
/** The gain of one relevant item at a random rank, or none. */
const oneItem = (): number => {
  const rank = 1 + Math.floor(random() * 8);
  return rank > 5 ? 0 : 1 / Math.log2(rank + 1);
};
const always = (): true => true;
const mode = (name: string, scores: readonly number[]): ReturnType<typeof aMode> =>
  aMode(name, scores, { hits: scores.map(always) });

describe("of two modes that are equally good", () => {
  // One-sided 2.5 % by the settings; 1,000 runs spread by about ±1 around it (two standard errors).
  it.each([5, 10, 20, 50])(
    "hybrid is kept by chance in about one benchmark of 40, with %i cases",
    (cases) => {
      const draw = (): number[] => Array.from({ length: cases }, oneItem);
      const kept = Array.from({ length: RUNS }, () =>
        decideBench([mode("fts_only", draw()), mode("hybrid", draw())], { resamples: 500 }),
      ).filter((decision) => decision?.outcome === "keep_hybrid").length;
      expect(kept / RUNS).toBeLessThan(0.04);
      expect(kept / RUNS).toBeGreaterThan(0.01);
    },
  );
});
