import * as z from "zod";
import { reportedQuerySchema, runReportSchema } from "./run-report.js";
import { correctedScoreSchema, labelTrustSchema } from "./label-trust.js";
import { count, rank } from "./primitives.js";

const grade = z.int().min(0).nullable();
const byGrade = z.array(count).length(4);

/** One of the first hits of a query, as a reader wants to see it. */
export const batchHitSchema = z.object({
  rank: z.int().min(1).describe("Its rank."),
  id: z.string().describe("Id of the item."),
  label: grade.describe("Its label; null where it has none."),
  title: z.string().nullable().describe("What it is called; null where nothing is known of it."),
  relevance_score: z.number().nullable().describe("The search's own score."),
});

/** A judged useful item that did not come back. */
export const missedItemSchema = z.object({
  id: z.string().describe("Id of the item."),
  label: z.int().min(1).describe("Its label."),
  title: z.string().nullable().describe("What it is called; null where nothing is known of it."),
  channels: z
    .record(z.string(), rank)
    .describe("Its rank in each stage that the search told of; null where it was not there."),
});

/** A query as the live search answered it. */
export const batchQuerySchema = reportedQuerySchema.extend({
  request_ids: z.array(z.string()).describe("`X-Request-ID` of each request of this query."),
  returned: count.describe("Hits that came back."),
  judged: count.describe("Those of them that have a label."),
  top_label_sequence_top10: z
    .string()
    .describe("Labels of the first 10 hits, `1:L3 | 2:L?`: `L?` is a hit without a label."),
  top_label_sequence_top20: z.string().describe("Labels of the first 20 hits."),
  top_results: z.array(batchHitSchema).describe("The first 20 hits."),
  missed: z.array(missedItemSchema).describe("Judged useful items that did not come back, best first."),
  missed_count: count.describe("How many they are, of which `missed` has the first."),
  tips: z.array(z.string()).describe("What would make this query's scores surer, in sentences."),
  stages: z
    .record(
      z.string(),
      z.object({
        returned: count.describe("Items that it had."),
        first10: count.describe("How many of the first 10 hits were among them."),
        missed: count.describe("How many of the missed items were among them."),
      }),
    )
    .describe("What each stage of the search had, by its name, where the search told of them."),
  signals: z
    .record(z.string(), z.number())
    .describe("Means of the numbers that came with the first 10 hits, by name."),
  plan: z.unknown().optional().describe("What the service says of how it searched."),
});

/** A live search held against labels: scores, every query, whose labels these are. */
export const batchReportSchema = runReportSchema.extend({
  kind: z.literal("batch_report").describe("Tells it from other results."),
  batch_id: z.string().describe("Id of the batch, and of its run in the store."),
  dataset: z.string().describe("Id of the dataset."),
  tenant: z.string().describe("Whose labels they are."),
  licence: z.string().nullish().describe("Of the dataset."),
  created_at: z.string().describe("When the search was asked, in UTC."),
  evaluated_at: z.string().describe("When it was scored, in UTC."),
  top_k: z.int().min(1).describe("Hits that were asked for."),
  backend: z
    .object({
      name: z.string().describe("Name of the search in the configuration."),
      kind: z.string().describe("What it is, such as `http`."),
    })
    .describe("Who was asked."),
  scorecard: z
    .object({
      name: z.string().describe("Its name."),
      primary: z.string().describe("The metric that decides."),
      gain: z.string().describe("What a grade is worth in nDCG."),
      top_grade: z.int().describe("The highest grade."),
    })
    .describe("How it was scored; the metrics stand in `metrics`."),
  labels: z
    .object({
      labeler: z.string().nullable().describe("Identity of the labeler whose labels count; null for none."),
      by: z
        .object({
          adjudicator: count.describe("Labels that an adjudicator decided."),
          people: count.describe("Labels that people decided."),
          labeler: count.describe("Labels by the labeler alone."),
        })
        .describe("Labels of these queries by who decided."),
      grades: byGrade.describe("Labels of these queries by grade, from 0."),
      top10: byGrade.describe("Labels of the first 10 hits by grade, from 0."),
      pairs: count.describe("Hits of all queries."),
      labelled: count.describe("Those of them that have a label."),
      stale: count.describe("Labelled hits whose item has changed since."),
      queries_without: count.describe("Queries without any label."),
    })
    .describe("What the scores rest on."),
  trust: labelTrustSchema.describe("Whose labels the scores rest on, and how far they carry."),
  corrected: z
    .array(correctedScoreSchema)
    .nullable()
    .describe("What people's labels make of the means, where they do."),
  per_query: z.array(batchQuerySchema).describe("Every query, in the order of its id."),
});

/** A batch as a list shows it. */
export const batchSummarySchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("batch_summary").describe("Tells it from other results."),
  batch_id: z.string().describe("Id of the batch."),
  dataset: z.string().describe("Id of the dataset."),
  created_at: z.string().describe("When the search was asked, in UTC."),
  backend: z.string().describe("Name of the search."),
  queries: count.describe("Queries."),
  failed: count.describe("Queries that the search failed for."),
  primary: z.string().describe("The metric that decides."),
  metrics: z
    .record(z.string(), z.number().nullable())
    .describe("Means of the first metrics by the labels as they are, at 4 decimals, by printed name."),
  interval: z
    .object({ low: z.number().describe("Lower end."), high: z.number().describe("Upper end.") })
    .nullish()
    .describe("Of the mean of the metric that decides; absent in earlier versions."),
  trust: z
    .enum(["people", "audited", "not_audited", "unknown"])
    .optional()
    .describe("Whose labels these rest on, as in the report."),
  corrected: z
    .number()
    .nullish()
    .describe("What people's labels make of the metric that decides; null where they do not."),
});
