import { scoreField } from "../bench-names.js";
import { exactSum, nearestRankPercentile, roundTo4 } from "../numbers/index.js";
import type { BenchScores } from "../schema/index.js";
import type { CaseScores } from "./case-scores.js";

/** One case as it is averaged. */
export interface ScoredCase extends CaseScores {
  readonly latency_ms: number;
}

/** Microseconds: further digits of a clock are noise. */
const CLOCK_DIGITS = 3;

/** A time as it is stored. */
export function storedMilliseconds(milliseconds: number): number {
  return Number(milliseconds.toFixed(CLOCK_DIGITS));
}

/** The means over cases; all 0 where there are none. */
export function benchScores(cases: readonly ScoredCase[], topK: number | null): BenchScores {
  const meanOf = (of: (one: ScoredCase) => number): number => (cases.length === 0 ? 0 : exactSum(cases.map(of)) / cases.length);
  const latencies = cases.map(({ latency_ms }) => latency_ms).sort((a, b) => a - b);
  return {
    case_count: cases.length,
    [scoreField("recall", topK)]: roundTo4(meanOf(({ recall }) => recall)),
    [scoreField("mrr", topK)]: roundTo4(meanOf(({ mrr }) => mrr)),
    [scoreField("ndcg", topK)]: roundTo4(meanOf(({ ndcg }) => ndcg)),
    evidence_hit_rate: roundTo4(meanOf(({ is_hit }) => (is_hit ? 1 : 0))),
    avg_latency_ms: storedMilliseconds(meanOf(({ latency_ms }) => latency_ms)),
    p95_latency_ms: cases.length === 0 ? 0 : nearestRankPercentile(latencies, 95),
  };
}
