import * as z from "zod";
import { texts } from "./primitives.js";

const score = z.number();
/** One score for each of the cutoffs 1, 3, 5 and 10. */
export const atCutoffsSchema = z.object({
  "1": score.describe("At cutoff 1."),
  "3": score.describe("At cutoff 3."),
  "5": score.describe("At cutoff 5."),
  "10": score.describe("At cutoff 10."),
});

/** Something worth knowing about a result that is not an error. */
export const warningSchema = z.looseObject({
  code: z.string().describe("One of the documented codes, such as `MISSING_QUERIES`."),
  message: z.string().describe("One sentence for people."),
  count: z.number().optional().describe("How many queries, hits or answers it concerns."),
  query_ids: texts.optional().describe("The first of them, sorted."),
});

/** What is needed to print a metric that is not one of the fixed fields. */
export const metricCardSchema = z.object({
  higher_is_better: z.boolean().describe("Whether a higher value is better."),
  range: z
    .tuple([z.number().nullable(), z.number().nullable()])
    .describe("Lowest and highest possible value, both included; null where there is no bound."),
  question: z.string().optional().describe("The question that the metric answers, in one sentence."),
});

/** What results say that failed alike. */
export const failureSchema = z.object({
  message: z.string().describe("What the results failed with."),
  count: z.number().describe("How many results failed with it."),
  query_ids: texts.describe("The first of their queries, sorted."),
});

/** How long queries took, in milliseconds. */
export const latencySchema = z.object({
  mean: z.number().describe("Arithmetic mean, in milliseconds."),
  p50: z.number().describe("Median, in milliseconds, by nearest rank."),
  p95: z.number().describe("95th percentile, in milliseconds, by nearest rank: a time that was measured."),
  max: z.number().describe("The longest, in milliseconds."),
});

/** The scores of one run. Every score has 4 decimals; the wire names are fixed. */
export const aggregateMetricsSchema = z.looseObject({
  schema_version: z.literal(1).default(1).describe("Version of this shape."),
  hit_at_k: atCutoffsSchema.describe(
    "Share of queries with an expected chunk among the first k hits, by k; from 0 to 1.",
  ),
  mrr: score.describe(
    "Mean reciprocal rank of the first expected chunk among the first 10 hits; from 0 to 1.",
  ),
  precision_at_k_chunk: z
    .union([atCutoffsSchema, z.record(z.string(), z.never())])
    .default({})
    .describe(
      "Share of the first k places that hold an expected chunk, by k; from 0 to 1. Empty in files of " +
        "other programs.",
    ),
  recall_at_k_doc: atCutoffsSchema.describe(
    "Share of the expected documents among the documents of the first k hits, by k; from 0 to 1.",
  ),
  citation_coverage: score
    .nullable()
    .describe(
      "Share of grounded answers that have citations and of which every one resolves; from 0 to 1. " +
        "Null without such answers, or without the current chunks.",
    ),
  groundedness: score.describe(
    "Share of answers that pass their text checks; from 0 to 1. A check of words, not of truth; 0 " +
      "where `support` is 0.",
  ),
  empty_result_rate: score.describe("Share of results without hits; from 0 to 1, lower is better."),
  refusal_correctness: score
    .nullable()
    .describe(
      "Share of the queries that should be refused and were; from 0 to 1. Null where the run has no answers.",
    ),
  total_queries: z.number().describe("Results in the run."),
  failed_queries: z.number().describe("Results with an error."),
  failures: z
    .array(failureSchema)
    .default([])
    .describe("Why results failed, the most frequent message first; the ten most frequent."),
  support: z
    .record(z.string(), z.number())
    .default({})
    .describe("The denominator of every metric, by its name in this record."),
  missing_queries: texts.default([]).describe("Golden queries without a result, sorted."),
  unmatched_results: texts.default([]).describe("Results without a golden query, sorted."),
  latency_ms: latencySchema
    .nullable()
    .default(null)
    .describe("Milliseconds; null when no result has a time."),
  metrics: z
    .record(z.string(), score)
    .default({})
    .describe("Further metrics that were asked for, by printed name."),
  metric_cards: z
    .record(z.string(), metricCardSchema)
    .default({})
    .describe("Direction and range of every metric in `metrics`, by its printed name."),
  warnings: z.array(warningSchema).default([]).describe("What may mislead in these scores."),
});
