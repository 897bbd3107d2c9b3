import * as z from "zod";
import { intervalMethods } from "../../stats/index.js";
import { latencySchema, metricCardSchema, warningSchema } from "./aggregate.js";
import { conventionsSchema } from "./evaluation.js";
import { comparedQuerySchema } from "./compared-query.js";
import { comparisonSettingsSchema, failedResultsSchema, runFactsSchema } from "./score-comparison.js";
import { count, interval } from "./primitives.js";

/** The mean of one metric over the queries that have a score. */
export const meanScoreSchema = z.object({
  metric: z.string().describe("Printed name, such as nDCG@10."),
  queries: count.describe("How many queries have a score; the mean is over these."),
  mean: z.number().nullable().describe("At 4 decimals; null where no query has a score."),
  interval: interval.describe(
    `Where the mean over all queries of this kind lies: ${intervalMethods.wider.label}; ` +
      "null for fewer than 5 queries, or intents that they are wordings of, and where all scores are equal.",
  ),
});

/** A query as one run answered it; lists by run have one element. */
export const reportedQuerySchema = comparedQuerySchema.omit({ overlap: true }).extend({
  elapsed_ms: z.number().nullable().describe("Milliseconds; null where the run does not tell."),
  answer: z
    .object({
      refusal: z.boolean().nullable().describe("It should be refused, and was."),
      text: z.boolean().nullable().describe("It has what it must contain and nothing that is forbidden."),
      citations: z.boolean().nullable().describe("It has citations, and every one resolves."),
    })
    .nullable()
    .describe("What the answer got right, null where there is nothing to judge; null without answers."),
});

/** One run by itself: its scores with intervals, where its first relevant hits stand, and every query. */
export const runReportSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z
    .enum(["run_report", "batch_report"])
    .describe("Tells it from other results; `batch_report` is of a live search, and says more."),
  run: z
    .object({
      run: z.string().describe("Name of the run."),
      ...runFactsSchema.shape,
      queries: count.describe("Queries of the golden set or the judgments."),
      answered: count.describe("Those of them that the run has a result for."),
    })
    .describe("What was scored."),
  metrics: z.array(meanScoreSchema).describe("In the order of every table."),
  metric_cards: z
    .record(z.string(), metricCardSchema)
    .describe("Direction, range and meaning of every metric, by printed name."),
  primary: z.string().nullable().describe("The metric that queries are sorted by."),
  relevant_from: z.number().describe("Lowest grade that is relevant."),
  conventions: conventionsSchema
    .nullable()
    .describe("How it was scored; null for a golden set, which has one way."),
  settings: comparisonSettingsSchema
    .pick({ seed: true, resamples: true, confidence: true })
    .describe("Of the intervals."),
  first_ranks: z
    .object({
      ranks: z
        .array(
          z.object({
            from: z.int().describe("First rank."),
            to: z.int().nullable().describe("Last rank; null: any below."),
            queries: count.describe("Queries whose first relevant hit stands there."),
          }),
        )
        .describe(
          "How many queries have their first relevant hit at these ranks, both ends included; null: " +
            "any below.",
        ),
      missed: count.describe("Queries with something relevant, none of which came back."),
    })
    .describe("Over the queries that anything is relevant to."),
  latency_ms: latencySchema.nullable().describe("How long queries took; null where the run does not tell."),
  failed_results: failedResultsSchema
    .nullable()
    .describe("How many results failed, and why; null where it is not known."),
  slices: z
    .array(
      z.object({
        by: z.string().describe("What the queries have in common, such as `lang`."),
        value: z.string().describe("Its value, such as `ko`."),
        metrics: z.array(meanScoreSchema).describe("Means over these queries."),
      }),
    )
    .describe("Queries of one kind; of each label the lowest mean of the primary metric first."),
  per_query: z.array(reportedQuerySchema).describe("Every query, in the order of its id."),
  warnings: z.array(warningSchema).describe("What may mislead in this report."),
});
