import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { stratifiedMean, type Stratum } from "../../src/stats/index.js";

const SAMPLES = 600;
/** Of the model's scores with people's, and queries of each stratum that people did not label. */
const [CORRELATION, FURTHER] = [0.9, 40];

type Kind = readonly [drawn: number, weight: number];

/** How often the 95 % interval holds the true mean, which is 0, and a test finds no other. */
function coverageOf(kinds: readonly Kind[], lambda: "own" | "shared"): number {
  const random = seededRandom(20_261_129);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const whole = kinds.reduce((sum, [, weight]) => sum + weight, 0);
  const stratumOf = ([drawn, weight]: Kind): Stratum => {
    const truth = Array.from({ length: drawn + FURTHER }, normal);
    const model = truth.map((each) => CORRELATION * each + Math.sqrt(1 - CORRELATION ** 2) * normal());
    return {
      human: truth.slice(0, drawn),
      model: model.slice(0, drawn),
      modelOnly: model.slice(drawn),
      weight: weight / whole,
    };
  };
  let held = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { interval, p } = stratifiedMean(kinds.map(stratumOf), 0.95, { lambda });
    const holds = interval !== null && interval.low <= 0 && interval.high >= 0;
    expect(holds).toBe(p >= 0.05);
    if (holds) held++;
  }
  return held / SAMPLES;
}

const alike = (strata: number, drawn: number): Kind[] => Array.from({ length: strata }, () => [drawn, 1]);

describe("the interval over strata of few queries each", () => {
  // 0.95 less 3 standard errors of so many samples, and what estimating one lambda costs.
  it.each<[what: string, kinds: readonly Kind[]]>([
    ["10 strata of 2", alike(10, 2)],
    ["6 strata of 3", alike(6, 3)],
    ["4 strata of 5", alike(4, 5)],
    ["one stratum of 2 with most of the weight", [[2, 1000], ...alike(9, 2).map((): Kind => [2, 50])]],
    [
      "one stratum of 4 with most of the weight",
      [
        [4, 500],
        [2, 10],
        [2, 10],
        [2, 10],
      ],
    ],
    [
      "unlike weights",
      [
        [6, 600],
        [2, 200],
        [2, 100],
        [2, 50],
        [2, 20],
        [2, 10],
      ],
    ],
  ])("holds the truth as often as it says with a shared lambda: %s", (_, kinds) => {
    expect(coverageOf(kinds, "shared")).toBeGreaterThan(0.915);
  });

  it("is far too short with a lambda of each, as its card says", () => {
    expect(coverageOf(alike(10, 2), "own")).toBeLessThan(0.85);
  });
});
