import * as z from "zod";
import { aggregateMetricsSchema, warningSchema } from "./aggregate.js";
import { scoreComparisonSchema } from "./score-comparison.js";
import { rank } from "./primitives.js";

const delta = z.number().nullable();
const deltaAtCutoffs = z.object({
  "1": delta.describe("At cutoff 1."),
  "3": delta.describe("At cutoff 3."),
  "5": delta.describe("At cutoff 5."),
  "10": delta.describe("At cutoff 10."),
});
/** Left out by reports of before it was kept: that nothing is said of answers is not that none got worse. */
const answerChecks = z.array(z.enum(["refusal", "text", "citations"])).optional();

/** What became of a query. */
export const outcomeSchema = z.enum(["win", "loss", "regression", "draw"]);

/** What became of one query from run a to run b. */
export const queryComparisonSchema = z.object({
  query_id: z.string().describe("The golden query."),
  query: z.string().default("").describe("Its text."),
  kind: outcomeSchema.describe(
    "What became of it: `win` and `loss` by the rank of the first expected hit, `regression` where " +
      "only a has one, `draw`.",
  ),
  a_hit_rank: rank.describe("Rank of the first expected hit, null when there is none."),
  b_hit_rank: rank.describe("The same in b."),
  note: z
    .string()
    .nullable()
    .describe(
      "What moved, what fell back to the document, what only one run has; null when there is nothing to say.",
    ),
  gained_chunks: z.array(z.string()).default([]).describe("Expected chunks that b has and a has not."),
  lost_chunks: z.array(z.string()).default([]).describe("Expected chunks that a has and b has not."),
  answer_gained: answerChecks.describe(
    "What b's answer got right and a's did not: the refusal, the text checks, the citations.",
  ),
  answer_lost: answerChecks.describe("What a's answer got right and b's did not."),
});

/** A leaf of the configuration that differs. A leaf that one side lacks is null there. */
export const configDifferenceSchema = z.object({
  path: z.string().describe("Path of the leaf, such as `embedding.model`."),
  a: z.unknown().describe("Its value in a; secrets are redacted."),
  b: z.unknown().describe("Its value in b; secrets are redacted."),
});

/** Differences b - a of the stored values, at 4 decimals; null where either side has none. */
export const deltasSchema = z.object({
  chunker_version_match: z
    .enum(["exact", "fallback_doc_span", "fallback_doc"])
    .describe(
      "`fallback_doc` is read from reports of other programs, which match by documents alone; it is " +
        "never written.",
    ),
  hit_at_k: deltaAtCutoffs.describe("Of hit@k, by k."),
  mrr: delta.describe("Of MRR@10."),
  precision_at_k_chunk: deltaAtCutoffs.describe("Of precision@k of chunks, by k."),
  recall_at_k_doc: deltaAtCutoffs.describe("Of recall@k of documents, by k."),
  citation_coverage: delta.describe("Of the citation coverage."),
  groundedness: delta.describe("Of the text checks."),
  empty_result_rate: delta.describe("Of the share of empty results."),
  refusal_correctness: delta.describe("Of the refusal correctness."),
  metrics: z.record(z.string(), delta).default({}).describe("Of further metrics, by printed name."),
});

/** Two runs side by side. */
export const compareReportSchema = z.object({
  schema_version: z.literal(1).default(1).describe("Version of this shape."),
  run_a: z.string().describe("Id of the baseline."),
  run_b: z.string().describe("Id of the run that is compared with it."),
  aggregate_a: aggregateMetricsSchema.describe("The scores of a."),
  aggregate_b: aggregateMetricsSchema.describe("The scores of b."),
  deltas: deltasSchema.describe("Run b minus run a."),
  counts: z
    .object({
      win: z.number().describe("Queries where b's first expected hit stands higher, or a has none."),
      loss: z.number().describe("Queries where it stands lower."),
      regression: z.number().describe("Queries where a has an expected hit and b none."),
      draw: z.number().describe("Queries where it stands at the same rank, or is in neither."),
    })
    .default({ win: 0, loss: 0, regression: 0, draw: 0 })
    .describe("How many queries became what."),
  per_query: z.array(queryComparisonSchema).describe("Every golden query that either run has a result for."),
  causes: z
    .array(
      z.object({
        cause: z.string().describe("What differs, such as `embedding model`."),
        a: z.string().nullable().describe("What a has; null where it does not say."),
        b: z.string().nullable().describe("What b has; null where it does not say."),
      }),
    )
    .default([])
    .describe("Differences in configuration that are known to move results, said once."),
  config_diff: z
    .array(configDifferenceSchema)
    .default([])
    .describe("Every leaf of the configuration that differs."),
  fallback_queries: z
    .number()
    .default(0)
    .describe(
      "Queries of which an expected chunk was matched by its document, because its spans are unknown.",
    ),
  statistics: scoreComparisonSchema
    .nullable()
    .default(null)
    .describe(
      "Whether the differences are real: tests, intervals, slices and the verdict. Null in reports of " +
        "earlier versions.",
    ),
  warnings: z.array(warningSchema).default([]).describe("What may mislead in this report."),
});
