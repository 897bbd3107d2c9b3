import { type BenchScores, scoreField } from "../records/index.js";
import {
  ascending,
  exactMean,
  nearestRankPercentile,
  RationalSum,
  roundTo4,
  type Fraction,
} from "../foundation/numbers/index.js";
import type { CaseScores } from "./case-scores.js";

/** One case as it is averaged. */
export interface ScoredCase extends Omit<CaseScores, "exact"> {
  readonly latency_ms: number;
  /** Where all cases have it, means are rounded from exact fractions. */
  readonly exact?: CaseScores["exact"] | undefined;
}

/** Of the exact fractions: a mean of doubles can lie on the other side of a half. */
function meanOfFractions(fractions: readonly Fraction[]): number {
  const sum = new RationalSum();
  for (const { numerator, denominator } of fractions) sum.add(numerator, denominator);
  return sum.roundMean(fractions.length);
}

/** Microseconds: further digits of a clock are noise. */
const CLOCK_DIGITS = 3;

/** A time as it is stored. */
export function roundMilliseconds(milliseconds: number): number {
  return Number(milliseconds.toFixed(CLOCK_DIGITS));
}

/** The means over cases; all 0 where there are none. */
export function benchScores(cases: readonly ScoredCase[], topK: number | null): BenchScores {
  const meanOf = (of: (one: ScoredCase) => number): number =>
    cases.length === 0 ? 0 : exactMean(cases.map(of));
  const roundMean = (score: "recall" | "mrr"): number => {
    const fractions = cases.flatMap(({ exact }) => (exact === undefined ? [] : [exact[score]]));
    return fractions.length === cases.length
      ? meanOfFractions(fractions)
      : roundTo4(meanOf((one) => one[score]));
  };
  const latencies = cases.map(({ latency_ms }) => latency_ms).sort(ascending);
  return {
    case_count: cases.length,
    [scoreField("recall", topK)]: roundMean("recall"),
    [scoreField("mrr", topK)]: roundMean("mrr"),
    [scoreField("ndcg", topK)]: roundTo4(meanOf(({ ndcg }) => ndcg)),
    evidence_hit_rate: meanOfFractions(
      cases.map(({ is_hit }) => ({ numerator: is_hit ? 1 : 0, denominator: 1 })),
    ),
    avg_latency_ms: roundMilliseconds(meanOf(({ latency_ms }) => latency_ms)),
    p95_latency_ms: cases.length === 0 ? 0 : nearestRankPercentile(latencies, 95),
  };
}
