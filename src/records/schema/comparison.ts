import * as z from "zod";
import { aggregateMetricsSchema, warningSchema } from "./aggregate.js";
import { scoreComparisonSchema } from "./score-comparison.js";

const delta = z.number().nullable();
const deltaAtCutoffs = z.object({ "1": delta, "3": delta, "5": delta, "10": delta });
const rank = z.int().min(1).nullable();
const answerChecks = z.array(z.enum(["refusal", "text", "citations"])).default([]);
const kinds = ["win", "loss", "regression", "draw"] as const;

/** What became of one query from run a to run b. */
export const queryComparisonSchema = z.object({
  query_id: z.string(),
  query: z.string().default(""),
  kind: z.enum(kinds),
  /** Rank of the first expected hit, null when there is none. */
  a_hit_rank: rank,
  b_hit_rank: rank,
  /** What moved, what fell back to the document, what only one run has; null when there is nothing to say. */
  note: z.string().nullable(),
  /** Expected chunks that b has and a has not. */
  gained_chunks: z.array(z.string()).default([]),
  /** Expected chunks that a has and b has not. */
  lost_chunks: z.array(z.string()).default([]),
  /** What b's answer got right and a's did not: the refusal, the text checks, the citations. */
  answer_gained: answerChecks,
  /** What a's answer got right and b's did not. */
  answer_lost: answerChecks,
});

/** A leaf of the configuration that differs. A leaf that one side lacks is null there. */
export const configDifferenceSchema = z.object({ path: z.string(), a: z.unknown(), b: z.unknown() });

/** Two runs side by side. */
export const compareReportSchema = z.object({
  schema_version: z.literal(1).default(1),
  run_a: z.string(),
  run_b: z.string(),
  aggregate_a: aggregateMetricsSchema,
  aggregate_b: aggregateMetricsSchema,
  /** b - a of the stored values, 4 decimals; null where either side has none. */
  deltas: z.object({
    /**
     * `fallback_doc` is read from reports of other programs, which match by documents alone; it is never
     * written.
     */
    chunker_version_match: z.enum(["exact", "fallback_doc_span", "fallback_doc"]),
    hit_at_k: deltaAtCutoffs,
    mrr: delta,
    precision_at_k_chunk: deltaAtCutoffs,
    recall_at_k_doc: deltaAtCutoffs,
    citation_coverage: delta,
    groundedness: delta,
    empty_result_rate: delta,
    refusal_correctness: delta,
    metrics: z.record(z.string(), delta).default({}),
  }),
  counts: z
    .object({ win: z.number(), loss: z.number(), regression: z.number(), draw: z.number() })
    .default({ win: 0, loss: 0, regression: 0, draw: 0 }),
  per_query: z.array(queryComparisonSchema),
  /** Differences in configuration that are known to move results, said once. */
  causes: z
    .array(z.object({ cause: z.string(), a: z.string().nullable(), b: z.string().nullable() }))
    .default([]),
  config_diff: z.array(configDifferenceSchema).default([]),
  /** Queries of which an expected chunk was matched by its document, because its spans are unknown. */
  fallback_queries: z.number().default(0),
  /**
   * Whether the differences are real: tests, intervals, slices and the verdict. Null in reports of earlier
   * versions.
   */
  statistics: scoreComparisonSchema.nullable().default(null),
  warnings: z.array(warningSchema).default([]),
});

/** What became of a query: `win`, `loss`, `regression` or `draw`. */
export type Outcome = (typeof kinds)[number];
/** One query in both runs. */
export type QueryComparison = z.infer<typeof queryComparisonSchema>;
/** One leaf in which two configurations differ. */
export type ConfigDifference = z.infer<typeof configDifferenceSchema>;
/** Two runs side by side: scores, differences, and what became of every query. */
export type CompareReport = z.infer<typeof compareReportSchema>;
/** Differences b - a of the stored scores. */
export type Deltas = CompareReport["deltas"];
