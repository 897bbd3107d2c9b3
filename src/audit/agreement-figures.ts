import { LABEL_SCALE, type LabelAudit } from "../records/index.js";
import { wilsonInterval } from "../stats/index.js";
import { kappaOfCounts } from "../stats/internal.js";
import { eachResample, jackknifeInterval, percentileInterval } from "./resampled-queries.js";

/** The grades of a pair by two raters. */
export interface Grades {
  readonly first: number;
  readonly second: number;
}

const LEVELS = LABEL_SCALE.length;
/** From here on an item is relevant to most readers: Mostly Relevant. */
const RELEVANT = 2;

/** The quadratic kappa of pairs; null where both use one and the same grade. */
export function quadraticKappa(pairs: readonly Grades[]): number | null {
  return kappaOfCounts(rowsOf(countsOf(pairs)), "quadratic");
}

type Resampled = Pick<LabelAudit["agreement"], "kappa" | "quadratic_kappa" | "bias">;

/** What is said of the confusion, and how far it can lie from 0. */
const FIGURES: Readonly<
  Record<
    keyof Resampled,
    { readonly of: (rows: readonly number[][]) => number | null; readonly most: number }
  >
> = {
  kappa: { of: (rows) => kappaOfCounts(rows, "none"), most: 1 },
  quadratic_kappa: { of: (rows) => kappaOfCounts(rows, "quadratic"), most: 1 },
  bias: { of: biasOf, most: LEVELS - 1 },
};

/**
 * Figures of the confusion with their intervals, at each end the wider of the resamples of queries and of
 * Student's t: resamples of few queries hardly differ.
 */
export function agreementFigures(
  queries: readonly (readonly Grades[])[],
  { seed, resamples, confidence }: LabelAudit["settings"],
): Resampled {
  const counts = queries.map(countsOf);
  const whole = countsOf(queries.flat());
  const resampled: number[][][] = [];
  if (queries.length > 1)
    eachResample(queries.length, { seed, resamples }, (places) => {
      const sum = new Float64Array(LEVELS * LEVELS);
      for (const place of places)
        (counts[place] as Float64Array).forEach((count, cell) => (sum[cell] = (sum[cell] as number) + count));
      resampled.push(rowsOf(sum));
    });
  const without = counts.map((own) => rowsOf(whole.map((count, cell) => count - (own[cell] as number))));
  const figure = ({ of, most }: (typeof FIGURES)[keyof Resampled]): Resampled["kappa"] => {
    const value = of(rowsOf(whole));
    const intervals =
      value === null
        ? []
        : [
            percentileInterval(resampled.map(of), confidence),
            jackknifeInterval(value, without.map(of), confidence),
          ].filter((interval) => interval !== null);
    const low = Math.max(-most, Math.min(...intervals.map((each) => each.low)));
    const high = Math.min(most, Math.max(...intervals.map((each) => each.high)));
    // Where all queries say the same, nothing is known of how others differ.
    return intervals.length < 2 || low === high ? { value, low: null, high: null } : { value, low, high };
  };
  return {
    kappa: figure(FIGURES.kappa),
    quadratic_kappa: figure(FIGURES.quadratic_kappa),
    bias: figure(FIGURES.bias),
  };
}

/** Pairs by both grades, in rows of the first. */
function countsOf(pairs: readonly Grades[]): Float64Array {
  const counts = new Float64Array(LEVELS * LEVELS);
  for (const { first, second } of pairs) {
    const cell = first * LEVELS + second;
    counts[cell] = (counts[cell] as number) + 1;
  }
  return counts;
}

function rowsOf(counts: Float64Array): number[][] {
  return LABEL_SCALE.map((grade) => [...counts.subarray(grade * LEVELS, (grade + 1) * LEVELS)]);
}

function biasOf(rows: readonly (readonly number[])[]): number | null {
  let items = 0;
  let sum = 0;
  for (const [i, row] of rows.entries())
    for (const [j, count] of row.entries()) {
      items += count;
      sum += count * (j - i);
    }
  return items === 0 ? null : sum / items;
}

/**
 * Of the pairs that are irrelevant to the first rater those that are relevant to the second, and where their
 * share lies: at each end the wider of Wilson's interval and Student's t over queries, whose pairs are alike.
 */
export function countFalseRelevant(
  byQuery: readonly (readonly Grades[])[],
  confidence: number,
): LabelAudit["false_relevant"] {
  const counts = byQuery.flatMap((pairs) => {
    const irrelevant = pairs.filter(({ first }) => first === 0);
    const lifted = irrelevant.filter(({ second }) => second >= RELEVANT).length;
    return irrelevant.length === 0 ? [] : [{ pairs: irrelevant.length, lifted }];
  });
  const pairs = sumOf(counts, (each) => each.pairs);
  const lifted = sumOf(counts, (each) => each.lifted);
  const { low, high } = wilsonInterval(lifted, pairs, confidence);
  const without = counts.map((own) =>
    pairs === own.pairs ? null : (lifted - own.lifted) / (pairs - own.pairs),
  );
  const overQueries = jackknifeInterval(lifted / pairs, without, confidence) ?? { low: 0, high: 1 };
  return {
    pairs,
    lifted,
    low: Math.max(0, Math.min(low, overQueries.low)),
    high: Math.min(1, Math.max(high, overQueries.high)),
  };
}

function sumOf<T>(list: readonly T[], of: (each: T) => number): number {
  return list.reduce((sum, each) => sum + of(each), 0);
}
