import type {
  AggregateMetrics,
  CompareReport,
  ComparedQuery,
  EvaluationRecord,
  MetricDifference,
  RunComparison,
  ScoreComparison,
  Slice,
  Verdict,
} from "../../src/records/index.js";
import { CONVENTIONS } from "./conventions.js";

/** Small results by hand, for what reads results: every number is given, none is computed. */

const card = { higher_is_better: true, range: [0, 1] as [number, number] };

export function anAggregate(more: Partial<AggregateMetrics> = {}): AggregateMetrics {
  const all = (score: number) => ({ "1": score, "3": score, "5": score, "10": score });
  return {
    schema_version: 1,
    hit_at_k: { ...all(0.7), "5": 0.8 },
    mrr: 0.6,
    precision_at_k_chunk: all(0.2),
    recall_at_k_doc: all(0.9),
    citation_coverage: null,
    groundedness: 0,
    empty_result_rate: 0.01,
    refusal_correctness: null,
    total_queries: 40,
    failed_queries: 1,
    failures: [{ message: "timeout", count: 1, query_ids: ["q1"] }],
    support: {
      hit_at_k: 40,
      mrr: 40,
      precision_at_k_chunk: 40,
      recall_at_k_doc: 40,
      citation_coverage: 0,
      groundedness: 0,
      empty_result_rate: 40,
      refusal_correctness: 0,
      "nDCG@10": 40,
    },
    missing_queries: [],
    unmatched_results: [],
    latency_ms: { mean: 50, p50: 40, p95: 180.5, max: 400 },
    metrics: { "nDCG@10": 0.45, "RBP(p=0.8)": 0.3 },
    metric_cards: { "nDCG@10": card },
    warnings: [],
    ...more,
  };
}

export function anEvaluation(more: Partial<EvaluationRecord> = {}): EvaluationRecord {
  return {
    schema_version: 1,
    run: "bm25",
    conventions: CONVENTIONS,
    metrics: { "nDCG@10": 0.45, RR: 0.6 },
    metric_cards: { "nDCG@10": card, RR: card },
    tie_spread: null,
    bounds: null,
    per_query: null,
    counts: {
      queries: 40,
      missing_queries: 0,
      unjudged_queries: 0,
      no_relevant: 0,
      hits: 400,
      unjudged_hits: 12,
      tied_queries: 0,
      ties_at_cutoff: 0,
      duplicates: 0,
    },
    warnings: [],
    ...more,
  };
}

export function aDifference(metric: string, more: Partial<MetricDifference> = {}): MetricDifference {
  return {
    metric,
    pairs: 40,
    mean_a: 0.5,
    mean_b: 0.45,
    difference: -0.05,
    interval: { low: -0.08, high: -0.02 },
    t_interval: { low: -0.08, high: -0.02 },
    p: 0.004,
    p_adjusted: 0.01,
    is_exact: false,
    effect_size: -0.5,
    improved: 4,
    equal: 32,
    worse: 4,
    detectable: 0.02,
    queries_needed: 20,
    ...more,
  };
}

export function aVerdict(more: Partial<Verdict> = {}): Verdict {
  return {
    kind: "worse",
    headline: "after is worse than before in nDCG@10",
    reasons: ["nDCG@10 fell by 0.05"],
    primary: "nDCG@10",
    guards: [],
    latency: null,
    queries_needed: null,
    unjudged: { could_overturn: "no", bounds: { low: -0.06, high: -0.01 }, unjudged_a: 3, unjudged_b: 5 },
    ...more,
  };
}

export function aSlice(by: string, value: string, more: Partial<Slice["metrics"][number]> = {}): Slice {
  const { metric, pairs, mean_a, mean_b, difference, interval, p, p_adjusted, improved, equal, worse } =
    aDifference("nDCG@10");
  return {
    by,
    value,
    metrics: [
      { metric, pairs, mean_a, mean_b, difference, interval, p, p_adjusted, improved, equal, worse, ...more },
    ],
  };
}

export function aQuery(
  query_id: string,
  scores: (number | null)[][],
  more: Partial<ComparedQuery> = {},
): ComparedQuery {
  return {
    query_id,
    query: `text of ${query_id}`,
    labels: {},
    scores,
    rankings: null,
    overlap: null,
    expected: null,
    ...more,
  };
}

export function aRunComparison(run: string, more: Partial<RunComparison> = {}): RunComparison {
  return {
    run,
    verdict: aVerdict(),
    metrics: [
      aDifference("nDCG@10"),
      aDifference("RR", { difference: 0.01, mean_b: 0.51, p: 0.5, p_adjusted: 0.5 }),
    ],
    slices: [],
    judge_next: [],
    ...more,
  };
}

/**
 * `before` against `after`, in nDCG@10 (which falls, significantly) and RR (which rises, insignificantly),
 * and any further runs.
 */
export function aScoreComparison(more: Partial<ScoreComparison> = {}): ScoreComparison {
  const latency_ms = { mean: 50, p50: 40, p95: 180.5, max: 400 };
  return {
    schema_version: 1,
    kind: "score_comparison",
    runs: [
      { run: "before", means: { "nDCG@10": 0.5, RR: 0.5 }, queries: 40, latency_ms },
      { run: "after", means: { "nDCG@10": 0.45, RR: 0.51 }, queries: 40, latency_ms },
    ],
    metrics: ["nDCG@10", "RR"],
    metric_cards: { "nDCG@10": card, RR: card },
    relevant_from: 1,
    conventions: null,
    settings: {
      test: "randomization",
      seed: 1,
      permutations: 100_000,
      resamples: 10_000,
      confidence: 0.95,
      alpha: 0.05,
      correction: "holm",
      power: 0.8,
      tolerance: 0,
      margin: 0.01,
      primary: "nDCG@10",
      guards: [],
      max_p95_ms: null,
      max_failed_share: 0.2,
    },
    comparisons: [aRunComparison("after")],
    all_pairs: null,
    per_query: [
      aQuery("lost", [
        [0.8, 1],
        [0, 0],
      ]),
      aQuery("fell", [
        [0.8, 1],
        [0.5, 1],
      ]),
      aQuery("rose", [
        [0.2, 0.5],
        [0.5, 1],
      ]),
      aQuery("never", [
        [0, 0],
        [0, 0],
      ]),
    ],
    warnings: [],
    ...more,
  };
}

/** A report of two runs: two wins, one loss, one regression; hit@5 falls by 0.1, MRR@10 rises by 0.1. */
export function aReport(more: Partial<CompareReport> = {}): CompareReport {
  const none = { "1": 0, "3": 0, "5": 0, "10": 0 };
  return {
    schema_version: 1,
    run_a: "before",
    run_b: "after",
    aggregate_a: anAggregate({ hit_at_k: { "1": 0.7, "3": 0.7, "5": 0.9, "10": 0.7 }, mrr: 0.5 }),
    aggregate_b: anAggregate(),
    deltas: {
      chunker_version_match: "exact",
      hit_at_k: { ...none, "5": -0.1 },
      mrr: 0.1,
      precision_at_k_chunk: none,
      recall_at_k_doc: none,
      citation_coverage: null,
      groundedness: 0,
      empty_result_rate: 0,
      refusal_correctness: null,
      metrics: { "nDCG@10": 0, "RBP(p=0.8)": 0 },
    },
    counts: { win: 2, loss: 1, regression: 1, draw: 36 },
    per_query: [
      {
        query_id: "lost",
        query: "text of lost",
        kind: "regression",
        a_hit_rank: 1,
        b_hit_rank: null,
        note: "hit→miss",
        gained_chunks: [],
        lost_chunks: [],
        answer_gained: [],
        answer_lost: [],
      },
      {
        query_id: "fell",
        query: "text of fell",
        kind: "loss",
        a_hit_rank: 1,
        b_hit_rank: 3,
        note: "rank 1→3",
        gained_chunks: [],
        lost_chunks: [],
        answer_gained: [],
        answer_lost: [],
      },
    ],
    causes: [],
    config_diff: [],
    fallback_queries: 0,
    statistics: null,
    warnings: [],
    ...more,
  };
}
