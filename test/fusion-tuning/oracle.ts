import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { choosePoint, type ChosenPoint } from "../../src/fusion-tuning/choose-point.js";
import type { Curve, AxisInterval } from "../../src/fusion-tuning/curve.js";
import { familyOf } from "../../src/fusion-tuning/families.js";
import { CurveFamily } from "../../src/fusion-tuning/family.js";
import { fuseQueries, scoreFused, poolOf, type FusedQuery } from "../../src/fusion-tuning/fused-queries.js";
import { parseFusion, parseNormalizer } from "../../src/fusion/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import type { Qrels } from "../../src/records/qrels.js";
import type { ScoredRun } from "../../src/records/scored-run.js";
import { present } from "../support/present.js";

type Span = [from: number, to: number];

interface Expected {
  readonly maximum: number;
  readonly plateau: Span[];
  readonly widest: Span;
  readonly centre: number;
  readonly steps_per_query: number[];
  readonly breakpoints: number;
  /** Not of a single query. */
  readonly one_standard_error?: {
    readonly se: number;
    readonly intervals: Span[] | number;
    readonly widest: Span;
    readonly centre: number;
    readonly fragile?: boolean;
  };
  readonly grid_101: number[];
  readonly grid_fragile?: number[];
  readonly samples?: [weight: number, mean: number][];
  readonly leave_one_out?: {
    readonly score: number;
    readonly chosen?: number[];
    readonly chosen_lowest?: number;
    readonly chosen_highest?: number;
  };
  readonly five_folds?: { readonly chosen: number[]; readonly held_out_mean: number };
}

export interface Case {
  readonly collection?: string;
  readonly normalizer: string;
  readonly metric: string;
  readonly expected: Expected;
}

const TOLERANCE = 1e-9;
const folder = fileURLToPath(new URL("../../fixtures/oracles/tuning/", import.meta.url));
export const readOracle = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), "utf8"));

const close = (got: number, expected: number): boolean => Math.abs(got - expected) <= TOLERANCE;
const spans = (intervals: readonly AxisInterval[]): Span[] => intervals.map(({ from, to }) => [from, to]);

function expectSpans(got: readonly AxisInterval[], expected: readonly Span[], what: string): void {
  expect(spans(got).length, `${what}: ${JSON.stringify(spans(got))}`).toBe(expected.length);
  spans(got).forEach(([from, to], at) => {
    const [low, high] = present(expected[at]);
    expect(close(from, low) && close(to, high), `${what}: ${from} to ${to}, expected ${low} to ${high}`).toBe(
      true,
    );
  });
}

interface Searched {
  readonly family: CurveFamily;
  readonly curve: Curve;
  readonly queries: readonly FusedQuery[];
  readonly all: readonly number[];
  at(weight: number): number;
}

export function searched(a: ScoredRun, b: ScoredRun, qrels: Qrels, { normalizer, metric }: Case): Searched {
  const queries = fuseQueries([a, b], qrels, parseMetric(metric));
  const family = familyOf(
    { method: "wsum", normalize: normalizer },
    {
      queries,
      runNames: ["a", "b"],
      rule: "plateau",
      runs: [a, b],
      qrels,
      groups: [...queries.keys()],
      seen: () => undefined,
    },
  ) as CurveFamily;
  const all = queries.map((_, query) => query);
  return {
    family,
    curve: family.curve,
    queries,
    all,
    at: (weight) => {
      const method = parseFusion(`wsum(weights=${1 - weight}/${weight})`);
      const scores = queries.map((query) =>
        scoreFused(query, poolOf(query, method, parseNormalizer(normalizer)), method),
      );
      return scores.reduce((sum, score) => sum + score, 0) / scores.length;
    },
  };
}

/** Holds a curve against everything that is known of it; of the grid against every so many points. */
export function checkCurve(
  { family, curve, queries, all, at }: Searched,
  { expected }: Case,
  order: readonly string[],
  everyPoint = 1,
): void {
  const chosen: ChosenPoint = choosePoint(curve, all, [], "plateau");
  expect(chosen.maximum).toBeCloseTo(expected.maximum, 9);
  expectSpans(chosen.plateau, expected.plateau, "plateau");
  expectSpans([chosen.widest], [expected.widest], "widest");
  const steps = new Map(
    queries.map(({ judged }, query) => {
      const [from, to] = curve.functions.range(query);
      return [judged.queryId, to - from];
    }),
  );
  expect(order.map((id) => steps.get(id))).toEqual(expected.steps_per_query);
  expect(curve.starts.length - 1).toBe(expected.breakpoints);
  const { se, intervals, widest, fragile } = expected.one_standard_error ?? {};
  if (se !== undefined) expect(chosen.standardError).toBeCloseTo(se, 9);
  if (intervals !== undefined && widest !== undefined && fragile !== true) {
    if (typeof intervals === "number") expect(chosen.near.length).toBe(intervals);
    else expectSpans(chosen.near, intervals, "near");
    expectSpans([chosen.widestNear], [widest], "widest near");
  }
  expected.grid_101.forEach((mean, point) => {
    if (point % everyPoint !== 0) return;
    if (expected.grid_fragile?.includes(point) === true) return;
    expect(at(point / 100), `w = ${point / 100}`).toBeCloseTo(mean, 9);
  });
  for (const [weight, mean] of expected.samples ?? []) {
    expect(present(curve.sums[curve.cellAt(weight)]) / all.length, `w = ${weight}`).toBeCloseTo(mean, 9);
    expect(at(weight)).toBeCloseTo(mean, 9);
  }
  const held = (parts: readonly (readonly number[])[]): { chosen: number[]; mean: number } => {
    const chosenPoints: number[] = [];
    let sum = 0;
    for (const part of parts) {
      const choice = family.choose(all.filter((query) => !part.includes(query)));
      const { widest, point } = present(choice.chosen);
      chosenPoints.push((widest.from + widest.to) / 2);
      for (const query of part) sum += curve.functions.at(query, point);
    }
    return { chosen: chosenPoints, mean: sum / all.length };
  };
  const { leave_one_out: left, five_folds: folds } = expected;
  if (left !== undefined && all.length > 1) {
    const byId = order.map((id) => queries.findIndex(({ judged }) => judged.queryId === id));
    const got = held(byId.map((query) => [query]));
    expect(got.mean).toBeCloseTo(left.score, 9);
    left.chosen?.forEach((weight, query) =>
      expect(close(present(got.chosen[query]), weight), `without ${order[query]}`).toBe(true),
    );
    if (left.chosen_lowest !== undefined) {
      expect(Math.min(...got.chosen)).toBeCloseTo(left.chosen_lowest, 9);
      expect(Math.max(...got.chosen)).toBeCloseTo(present(left.chosen_highest), 9);
    }
  }
  if (folds !== undefined) {
    const parts = [0, 1, 2, 3, 4].map((fold) => all.filter((_, at) => at % 5 === fold));
    const got = held(parts);
    got.chosen.forEach((weight, fold) => expect(close(weight, present(folds.chosen[fold]))).toBe(true));
    expect(got.mean).toBeCloseTo(folds.held_out_mean, 9);
  }
}
