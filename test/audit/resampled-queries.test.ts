import { expect, it } from "vitest";
import { jackknifeInterval } from "../../src/audit/resampled-queries.js";

it("an interval by the jackknife is Student's t with (n - 1)/n of the squares", () => {
  // Squares 2, so that the error is √(2 · 2/3), times t(0.975; 2) = 4.302653.
  const { low, high } = jackknifeInterval(0, [-1, 0, 1], 0.95) ?? { low: NaN, high: NaN };
  expect(high).toBeCloseTo(4.302653 * Math.sqrt(4 / 3), 5);
  expect(low).toBe(-high);
});
