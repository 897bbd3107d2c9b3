import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { stratifiedMean, type Stratum } from "../../src/stats/index.js";

const SAMPLES = 600;
/** Of the model's scores with people's, and queries of each stratum that people did not label. */
const [CORRELATION, FURTHER] = [0.9, 40];

/** How often the 95 % interval holds the true mean, which is 0, and a test finds another. */
function coverageOf(strata: number, drawn: number, lambda: "own" | "shared"): number {
  const random = seededRandom(20_261_129);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const stratumOf = (): Stratum => {
    const truth = Array.from({ length: drawn + FURTHER }, normal);
    const model = truth.map((each) => CORRELATION * each + Math.sqrt(1 - CORRELATION ** 2) * normal());
    return {
      human: truth.slice(0, drawn),
      model: model.slice(0, drawn),
      modelOnly: model.slice(drawn),
      weight: 1 / strata,
    };
  };
  let held = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { interval, p } = stratifiedMean(Array.from({ length: strata }, stratumOf), 0.95, { lambda });
    const holds = interval !== null && interval.low <= 0 && interval.high >= 0;
    expect(holds).toBe(p >= 0.05);
    if (holds) held++;
  }
  return held / SAMPLES;
}

describe("the interval over strata of few queries each", () => {
  // 0.95 less 3 standard errors of so many samples, and what estimating one lambda costs.
  it.each([
    [10, 2],
    [6, 3],
    [4, 5],
  ])("holds the truth as often as it says with a shared lambda: %d strata of %d", (strata, drawn) => {
    expect(coverageOf(strata, drawn, "shared")).toBeGreaterThan(0.915);
  });

  it("is far too short with a lambda of each, as its card says", () => {
    expect(coverageOf(10, 2, "own")).toBeLessThan(0.85);
  });
});
