import { expect, it } from "vitest";
import { fewestDifferences, pairedTests } from "../../src/stats/index.js";

it.each([0.5, 0.1, 0.05, 0.01, 0.001, 2 ** -5, 2 ** -30, 1e-12])(
  "the first number of like signs with a p value below %d is found",
  (alpha) => {
    const fewest = fewestDifferences(pairedTests.sign, alpha);
    expect(2 ** (1 - fewest)).toBeLessThan(alpha);
    expect(2 ** (2 - fewest)).toBeGreaterThanOrEqual(alpha);
    expect(fewestDifferences(pairedTests.randomization, alpha)).toBe(fewest);
    expect(fewestDifferences(pairedTests.t, alpha)).toBe(2);
  },
);
