import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { correctedMean, normalQuantile } from "../../src/stats/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { showProof, tries } from "../support/proof.js";

const folder = oracle("estimates");
const DRAWN = 200;
const SEED = 20_261_123;

interface Coverage {
  readonly judge: string;
  readonly n: number;
  readonly band_for_2000_repetitions: { readonly corrected: readonly [number, number] };
}

describe("the interval of a corrected difference", () => {
  if (folder === null) {
    it.skip(WITHOUT_ORACLES, () => undefined);
    return;
  }
  const [head = "", ...lines] = readFileSync(join(folder, "llmjudge-dcg10.tsv"), "utf8")
    .trimEnd()
    .split("\n");
  const columns = head.split("\t");
  const rows = lines.map((line) => line.split("\t").map(Number));
  const difference = (name: string): number[] => {
    const [a, b] = [columns.indexOf(`${name}.a`), columns.indexOf(`${name}.b`)];
    return rows.map((row) => (row[b] as number) - (row[a] as number));
  };
  const human = difference("human");
  const truth = human.reduce((sum, each) => sum + each, 0) / human.length;
  const normal = seededRandom(SEED);
  const judges: readonly (readonly [string, readonly number[]])[] = [
    ...columns
      .filter((name) => name.endsWith(".a") && name !== "human.a")
      .map((name) => [name.slice(0, -2), difference(name.slice(0, -2))] as const),
    ["constant (F = 0)", human.map(() => 0)],
    ["random (F = a normal number)", human.map(() => normalQuantile(normal() || 0.5))],
    ["inverted (F = -human)", human.map((each) => -each)],
  ];
  const { cases } = JSON.parse(readFileSync(join(folder, "llmjudge-coverage.json"), "utf8")) as {
    readonly cases: readonly Coverage[];
  };
  const repetitions = tries(2000);

  describe.each([10, 20, 40])("with %d of 200 queries labelled by people", (n) => {
    it.each(judges)("holds the truth as often as it says: %s", (judge, model) => {
      const random = seededRandom(SEED + n);
      let [held, widths] = [0, 0];
      const worths: number[] = [];
      const estimates: number[] = [];
      const people: number[] = [];
      for (let at = 0; at < repetitions; at++) {
        const drawn = Array.from({ length: DRAWN }, () => Math.floor(random() * rows.length));
        const by = (scores: readonly number[], from: number, to: number): number[] =>
          drawn.slice(from, to).map((row) => scores[row] as number);
        const found = correctedMean({
          human: by(human, 0, n),
          model: by(model, 0, n),
          modelOnly: by(model, n, DRAWN),
        });
        const { low, high } = found?.interval ?? { low: NaN, high: NaN };
        const alone = found?.human.interval ?? { low: NaN, high: NaN };
        if (low <= truth && truth <= high) held++;
        widths += (high - low) / (alone.high - alone.low);
        worths.push(found?.worth ?? NaN);
        estimates.push(found?.estimate ?? NaN);
        people.push(found?.human.mean ?? NaN);
      }
      const share = held / repetitions;
      const realised = (n * variance(people)) / variance(estimates);
      const median = worths.sort((a, b) => a - b)[worths.length >> 1] as number;
      showProof(`${judge}, ${n} of ${DRAWN} by people, ${repetitions} repetitions`, {
        coverage: share,
        "width against people alone": widths / repetitions,
        "median worth, worth that came about": [median, realised].map((each) => Number(each.toFixed(2))),
      });
      const band = cases.find((each) => each.judge === judge && each.n === n)?.band_for_2000_repetitions;
      expect(share).toBeGreaterThanOrEqual(band?.corrected[0] as number);
      expect(share).toBeLessThanOrEqual(band?.corrected[1] as number);
      expect(share).toBeGreaterThanOrEqual(n === 10 ? 0.925 : 0.93);
      if (n > 10) expect(share).toBeLessThanOrEqual(0.965);
      expect(widths / repetitions).toBeLessThanOrEqual(1.03);
      expect(Math.abs(median / realised - 1)).toBeLessThanOrEqual(0.1);
    });
  });
});

function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  return values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1);
}
