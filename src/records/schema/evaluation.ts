import * as z from "zod";
import { metricCardSchema, warningSchema } from "./aggregate.js";

/** Everything about which evaluation tools disagree, and what was decided. */
export const conventionsSchema = z.object({
  profile: z
    .string()
    .describe("Name of the profile that decides what was not set by itself, such as `trec_eval`."),
  ties: z
    .enum(["trec", "expected", "input"])
    .describe(
      "Hits of equal score: by id descending as trec_eval, the mean over all orders, or in the order " +
        "of the input.",
    ),
  precision: z.enum(["double", "single"]).describe("The precision in which scores are held."),
  queries: z
    .enum(["judged", "intersection"])
    .describe("Averaged over all judged queries, or over those that the run answers."),
  noRelevant: z
    .enum(["zero", "skip", "one"])
    .describe("A query without anything relevant scores 0 and counts, is left out, or scores 1."),
  unjudged: z
    .enum(["irrelevant", "remove"])
    .describe("Unjudged hits are not relevant, or are left out of the ranking first."),
  duplicates: z
    .enum(["first", "error", "count"])
    .describe("Of the same item twice in one ranking the first counts, it is an error, or each counts."),
  grades: z.enum(["as given", "cut"]).describe("Grades as they are, or cut to whole numbers as C does."),
  means: z
    .enum(["exact", "in order"])
    .describe("Means are rounded once, or are sums in the order of the query ids divided by their number."),
  identicalIds: z.enum(["keep", "drop"]).describe("Whether a hit with the id of its query counts."),
  depth: z.number().nullable().describe("Hits looked at; null for all."),
});

/** Lowest and highest value that something could have had. */
const span = z.object({ low: z.number().describe("Lowest."), high: z.number().describe("Highest.") });

/** How much was scored, and what could not be. */
export const evaluationCountsSchema = z.object({
  queries: z.number().describe("Queries that the aggregates are over."),
  missing_queries: z.number().describe("Judged queries that the run does not answer."),
  unjudged_queries: z.number().describe("Queries of the run without judgments."),
  no_relevant: z.number().describe("Queries without anything relevant."),
  hits: z.number().describe("Hits that were looked at."),
  unjudged_hits: z.number().describe("Those of them without a judgment."),
  tied_queries: z.number().describe("Queries with hits of equal score."),
  ties_at_cutoff: z
    .number()
    .describe("Those of `tied_queries` where such hits stand on both sides of a cutoff."),
  duplicates: z.number().describe("Hits that repeat an item of the same query."),
});

/**
 * The scores of one run against judgments. Aggregates have 4 decimals, the scores of queries all of theirs.
 */
export const evaluationRecordSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  run: z.string().nullable().describe("Name of the run; null where it has none."),
  conventions: conventionsSchema.describe("How it was scored."),
  metrics: z.record(z.string(), z.number()).describe("Aggregates by printed name of the metric."),
  metric_cards: z
    .record(z.string(), metricCardSchema)
    .describe("Direction and range of every metric, by printed name."),
  tie_spread: z
    .record(z.string(), span)
    .nullable()
    .describe(
      "What the aggregates would be with tied hits in the worst and in the best order; null unless " +
        "asked for.",
    ),
  bounds: z
    .record(z.string(), span)
    .nullable()
    .describe(
      "What the aggregates could be, were every unjudged hit judged; null unless asked for. A metric " +
        "without an exact form is absent.",
    ),
  per_query: z
    .array(
      z.object({
        query_id: z.string().describe("The query."),
        scores: z.array(z.number()).describe("Its scores, in the order of `metrics`."),
      }),
    )
    .nullable()
    .describe("Scores by query id, in the order of `metrics`; null unless asked for."),
  counts: evaluationCountsSchema.describe("How much was scored, and what could not be."),
  warnings: z.array(warningSchema).describe("What may mislead in these scores."),
});
