import * as z from "zod";
import { warningSchema } from "./aggregate.js";
import { conventionsSchema, evaluationCountsSchema } from "./evaluation.js";
import { texts } from "./primitives.js";

const WHOLE = { error: "must be a whole number" };
const whole = z.int(WHOLE);
const counted = z.int(WHOLE).min(0, { error: "must be 0 or more" });
const divisor = z.int(WHOLE).min(1, { error: "must be 1 or more" });
const columns = z.array(z.array(z.number({ error: "must be a number" })));
const spanColumns = z.object({
  low: columns.describe("Lowest scores, by metric and then by query."),
  high: columns.describe("Highest scores, by metric and then by query."),
});

/** Which part of the queries a partial has. */
export const shardsSchema = z
  .object({
    of: divisor.describe("How many the queries are split into."),
    has: z.array(divisor).describe("Those that are in here, from 1, rising."),
  })
  .describe("Shards by the 32-bit FNV-1a hash of the query id modulo their number, and 1.");

/** The exact sum of scores that are fractions. */
export const fractionSumSchema = z.object({
  count: counted.describe("Scores that are fractions."),
  terms: z.array(z.tuple([whole, divisor])).describe("Their sum: numerators by denominator."),
});

/**
 * The scores of some shards of a run's queries: merged with those of the others it gives the bytes of one
 * pass.
 */
export const evaluationPartialSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("evaluation_partial").describe("Tells it from other results."),
  run: z.string().nullable().describe("Name of the run; null where it has none."),
  conventions: conventionsSchema.describe("How it was scored."),
  metrics: texts.describe("Printed names of the metrics."),
  tie_spread: z.boolean().describe("Whether there are scores with tied hits in the worst and best order."),
  bounds: z.boolean().describe("Whether there are scores as if unjudged hits were judged."),
  judgments: z
    .object({
      digest: z.string().describe("Tells other judgments; the same whatever the order of their lines."),
      queries: whole.describe("Judged queries, of all shards."),
      highest: z.number().describe("The highest grade."),
    })
    .describe("What the whole run is scored against."),
  shards: shardsSchema,
  query_ids: texts.describe("Queries that are scored, by id."),
  missing_queries: texts.describe("Judged queries that the run does not answer, by id."),
  scores: columns.describe("Scores in full precision, by metric and then by query."),
  spreads: spanColumns.nullable().describe("With tied hits in the worst and in the best order."),
  unjudged_bounds: spanColumns.nullable().describe("As if unjudged hits were judged."),
  fractions: z
    .array(fractionSumSchema)
    .describe("Exact sums of metrics that are fractions, in the order of `metrics`."),
  counts: evaluationCountsSchema.describe("How much was scored, and what could not be."),
  answered: whole.describe("Judged queries that the run answers."),
  first_unjudged: z.string().nullable().describe("The first query of the run without judgments."),
  has_subtopics: z.boolean().describe("Whether a query has more than one subtopic, where it matters."),
  near_ids: z
    .array(
      z.object({ query_id: z.string().describe("The query."), text: z.string().describe("Both texts.") }),
    )
    .describe("Unjudged ids that differ from judged ones by how they are written, by query id."),
  warnings: z.array(warningSchema).describe("What is to be said of the run as a whole."),
});
