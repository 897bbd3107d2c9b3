import * as z from "zod";
import { count, share, text } from "./primitives.js";

/** What is drawn, or chosen, for people to label, and how. */
export const auditSampleSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("audit_sample").describe("Tells it from other results."),
  sample_id: text.describe("Its id."),
  dataset: text.describe("Id of the dataset."),
  tenant: text.describe("Whose labels they are."),
  created_at: text.describe("When it was drawn, in UTC."),
  seed: z.int().describe("Of the draw: a larger one of the same seed holds the smaller."),
  purpose: z
    .enum(["estimate", "complete", "next"])
    .describe(
      "`estimate`: drawn by chance, so that what people say of it holds for all queries; `complete`: what " +
        "such a sample lacks; `next`: chosen since it may move a comparison, from which nothing follows.",
    ),
  unit: z.enum(["query", "pair"]).default("query").describe("What was drawn: whole queries, or pairs."),
  frame: z
    .array(z.object({ query_id: text.describe("A query."), stratum: text.describe("What kind it is of.") }))
    .describe("All queries that it was drawn from."),
  strata: z
    .array(
      z.object({
        name: text.describe("What its queries have in common; `all` where nothing stratifies."),
        queries: count.describe("Queries of the kind."),
        drawn: count.describe("Those that were drawn."),
      }),
    )
    .describe("Kinds of queries, each drawn by itself."),
  drawn: z
    .array(
      z.object({
        query_id: text.describe("A query."),
        query: text.describe("Its text, as labels are kept under it."),
        stratum: text.describe("What kind it is of."),
        probability: share.describe("By which it was drawn."),
      }),
    )
    .describe("The queries that people label; of pairs those that have any."),
  pairs: z
    .array(
      z.object({
        query_id: text.describe("A query."),
        item: text.describe("Id of an item."),
        weight: z.number().nullable().describe("What a grade of 1 moves; null where none was weighed."),
        probability: share
          .nullable()
          .describe("By which the pair was drawn; null where it was chosen, and not drawn."),
      }),
    )
    .nullish()
    .describe("The pairs that people label; null or left out where it is all pairs of the drawn queries."),
});
