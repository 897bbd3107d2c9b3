import * as z from "zod";

const score = z.number();
const atCutoffs = z.object({ "1": score, "3": score, "5": score, "10": score });
const ids = z.array(z.string());

/** Something worth knowing about a result that is not an error. */
export const warningSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  /** How many queries, hits or answers it concerns. */
  count: z.number().optional(),
  /** The first of them, sorted. */
  query_ids: ids.optional(),
});

/** What is needed to print a metric that is not one of the fixed fields. */
export const metricCardSchema = z.object({
  higher_is_better: z.boolean(),
  /** Lowest and highest possible value, both included; null where there is no bound. */
  range: z.tuple([z.number().nullable(), z.number().nullable()]),
  question: z.string().optional().describe("the question that the metric answers, in one sentence"),
});

/** What results say that failed alike. */
export const failureSchema = z.object({
  message: z.string(),
  /** How many results failed with it. */
  count: z.number(),
  /** The first of their queries, sorted. */
  query_ids: ids,
});

/** How long queries took, in milliseconds. */
export const latencySchema = z.object({
  mean: z.number(),
  p50: z.number(),
  p95: z.number(),
  max: z.number(),
});

/** The scores of one run. Every score has 4 decimals; the wire names are fixed. */
export const aggregateMetricsSchema = z.looseObject({
  schema_version: z.literal(1).default(1),
  hit_at_k: atCutoffs,
  mrr: score,
  precision_at_k_chunk: z.union([atCutoffs, z.record(z.string(), z.never())]).default({}),
  recall_at_k_doc: atCutoffs,
  citation_coverage: score.nullable(),
  groundedness: score,
  empty_result_rate: score,
  refusal_correctness: score.nullable(),
  total_queries: z.number(),
  failed_queries: z.number(),
  /** Why results failed, the most frequent message first; the ten most frequent. */
  failures: z.array(failureSchema).default([]),
  /** The denominator of every metric, by its name in this record. */
  support: z.record(z.string(), z.number()).default({}),
  /** Golden queries without a result, sorted. */
  missing_queries: ids.default([]),
  /** Results without a golden query, sorted. */
  unmatched_results: ids.default([]),
  /** Milliseconds; null when no result has a time. */
  latency_ms: latencySchema.nullable().default(null),
  /** Further metrics that were asked for, by printed name. */
  metrics: z.record(z.string(), score).default({}),
  metric_cards: z.record(z.string(), metricCardSchema).default({}),
  warnings: z.array(warningSchema).default([]),
});

/** Something worth knowing about a result that is not an error: a code, a sentence, and whom it concerns. */
export type Warning = z.infer<typeof warningSchema>;
/** Direction and range of a metric, as a result carries them. */
export type MetricCard = z.infer<typeof metricCardSchema>;
/** One message that results failed with, and how many. */
export type Failure = z.infer<typeof failureSchema>;
/** One score for each of the cutoffs 1, 3, 5 and 10. */
export type AtCutoffs = z.infer<typeof atCutoffs>;
/** The scores of one run, at 4 decimals, with their denominators. */
export type AggregateMetrics = z.infer<typeof aggregateMetricsSchema>;
