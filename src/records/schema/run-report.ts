import * as z from "zod";
import { latencySchema, metricCardSchema, warningSchema } from "./aggregate.js";
import { conventionsSchema } from "./evaluation.js";
import {
  comparedQuerySchema,
  comparisonSettingsSchema,
  failedResultsSchema,
  runFactsSchema,
} from "./score-comparison.js";

const count = z.int().min(0);

/** The mean of one metric over the queries that have a score. */
export const meanScoreSchema = z.object({
  metric: z.string().describe("printed name, such as nDCG@10"),
  queries: count.describe("how many queries have a score; the mean is over these"),
  mean: z.number().nullable().describe("at 4 decimals; null where no query has a score"),
  interval: z
    .object({ low: z.number(), high: z.number() })
    .nullable()
    .describe(
      "where the mean over all queries of this kind lies: at each end the wider one of BCa bootstrap and " +
        "Student's t; null for fewer than 5 queries, and where all scores are equal",
    ),
});

/** A query as one run answered it; lists by run have one element. */
export const reportedQuerySchema = comparedQuerySchema.omit({ overlap: true }).extend({
  elapsed_ms: z.number().nullable().describe("milliseconds; null where the run does not tell"),
  answer: z
    .object({
      refusal: z.boolean().nullable().describe("it should be refused, and was"),
      text: z.boolean().nullable().describe("it has what it must contain and nothing that is forbidden"),
      citations: z.boolean().nullable().describe("it has citations, and every one resolves"),
    })
    .nullable()
    .describe("what the answer got right, null where there is nothing to judge; null without answers"),
});

/** One run by itself: its scores with intervals, where its first relevant hits stand, and every query. */
export const runReportSchema = z.looseObject({
  schema_version: z.literal(1),
  kind: z.literal("run_report"),
  run: z.object({
    run: z.string(),
    ...runFactsSchema.shape,
    queries: count.describe("queries of the golden set or the judgments"),
    answered: count.describe("those of them that the run has a result for"),
  }),
  metrics: z.array(meanScoreSchema).describe("in the order of every table"),
  metric_cards: z.record(z.string(), metricCardSchema),
  primary: z.string().nullable().describe("the metric that queries are sorted by"),
  relevant_from: z.number().describe("lowest grade that is relevant"),
  conventions: conventionsSchema.nullable(),
  settings: comparisonSettingsSchema.pick({ seed: true, resamples: true, confidence: true }),
  first_ranks: z
    .object({
      ranks: z
        .array(z.object({ from: z.int(), to: z.int().nullable(), queries: count }))
        .describe(
          "how many queries have their first relevant hit at these ranks, both ends included; null: any " +
            "below",
        ),
      missed: count.describe("queries with something relevant, none of which came back"),
    })
    .describe("over the queries that anything is relevant to"),
  latency_ms: latencySchema.nullable(),
  failed_results: failedResultsSchema.nullable(),
  slices: z
    .array(z.object({ by: z.string(), value: z.string(), metrics: z.array(meanScoreSchema) }))
    .describe("queries of one kind; of each label the lowest mean of the primary metric first"),
  per_query: z.array(reportedQuerySchema),
  warnings: z.array(warningSchema),
});

/** The mean of one metric, with its interval. */
export type MeanScore = z.infer<typeof meanScoreSchema>;
/** A query as one run answered it. */
export type ReportedQuery = z.infer<typeof reportedQuerySchema>;
/** One run by itself, for people. */
export type RunReport = z.infer<typeof runReportSchema>;
