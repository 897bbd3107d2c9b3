import * as z from "zod";
import { aggregateMetricsSchema } from "./aggregate.js";
import { fractionSumSchema, shardsSchema } from "./evaluation-partial.js";
import { texts } from "./primitives.js";

const WHOLE = { error: "must be a whole number" };
const whole = z.int(WHOLE);
const count = whole.min(0, { error: "must be 0 or more" });

/**
 * What some shards of a golden set's queries add to the aggregate of a run: merged with the others it gives
 * the bytes of one pass.
 */
export const aggregatePartialSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("aggregate_partial").describe("Tells it from other results."),
  run: z.string().describe("Id of the run."),
  run_digest: z.string().describe("Tells other results; the same whatever their order."),
  golden: z
    .object({
      digest: z.string().describe("Tells other golden queries; the same whatever their order."),
      queries: whole.describe("Golden queries, of all shards."),
    })
    .describe("What the whole run is held against."),
  settings: z
    .object({
      matching: z.enum(["exact", "docSpan"]).describe("How expected chunks are found."),
      missing_queries: z.enum(["zero", "skip"]).describe("What a query without a result scores."),
      text_match: z.enum(["caseSensitive", "caseInsensitive"]).describe("How texts of answers are compared."),
      unit: z.enum(["chunk", "doc"]).describe("What the further metrics are about."),
      checks_citations: z.boolean().describe("Whether there were chunks to look citations up in."),
      corpus_digest: z
        .string()
        .nullable()
        .describe("Tells other chunks, the same whatever their order; null where there were none."),
    })
    .describe("How it was scored."),
  metrics: texts.describe("Printed names of the further metrics."),
  shards: shardsSchema,
  of_run: aggregateMetricsSchema
    .pick({
      empty_result_rate: true,
      total_queries: true,
      failed_queries: true,
      failures: true,
      unmatched_results: true,
      latency_ms: true,
      warnings: true,
    })
    .describe("What is known of the run as a whole, which every shard says."),
  chunker_version: z.string().nullable().describe("Of the run, where it is known and ids are matched."),
  query_ids: texts.describe("Golden queries of these shards, sorted."),
  missing_queries: texts.describe("Those without a result, sorted."),
  fractions: z
    .array(fractionSumSchema)
    .describe("Exact sums: of the fields of an aggregate, then of the further metrics that are fractions."),
  scores: z
    .array(z.array(z.number({ error: "must be a number" }).nullable()))
    .describe("Of the further metrics, by metric and then by query; null where nothing is judged."),
  noticed: z
    .object({
      repeats: count.describe("Hits that repeat a chunk."),
      repeating: texts.describe("Queries with such hits."),
      tied: texts.describe("Queries with several hits at one rank."),
      unplaced: texts.describe("Queries with an expected chunk of unknown place."),
      without_spans: count.describe("Hits in expected documents that have no spans to be matched by."),
      foreign: texts.describe("Queries that expect a chunk of another chunker."),
      near: texts.describe("Queries with a hit that differs from an expected id by its writing alone."),
      blind: z
        .array(
          z.object({
            query: z.string().describe("The query."),
            expected: z.string().describe("What it expects first."),
            hit: z.string().describe("Its first hit."),
          }),
        )
        .nullable()
        .describe("Queries whose hits are none that is expected; null once any query found something."),
    })
    .describe("What can mislead about these queries, sorted by id."),
});
