import * as z from "zod";
import { raterSchema } from "./assessment.js";
import { text, wholeFrom0 } from "./primitives.js";

/** Where judgments come from that are made of labels: the file beside a qrels file, FILE.labels.json. */
export const labelOriginSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("label_origin").describe("Tells it from other results."),
  digest: text.describe("SHA-256 of the judgments' file, unpacked, in hexadecimal digits."),
  dataset: text.describe("Id of the dataset."),
  tenant: text.describe("Whose labels they are."),
  licence: text.nullish().describe("Of the dataset."),
  queries: wholeFrom0.describe("Queries with a label."),
  labels: z
    .object({
      adjudicator: wholeFrom0.describe("Labels that an adjudicator decided."),
      people: wholeFrom0.describe("Labels that people decided."),
      labeler: wholeFrom0.describe("Labels by the labeler alone."),
    })
    .describe("Labels by who decided."),
  stale: wholeFrom0.describe("Labels whose item has changed since."),
  per_query: z
    .object({
      fewest: wholeFrom0.describe("Labels of the query that has fewest."),
      most: wholeFrom0.describe("Labels of the query that has most."),
    })
    .describe("How deep the labels go."),
  votes: z
    .object({
      fewest: wholeFrom0.describe("Votes behind the label that has fewest."),
      most: wholeFrom0.describe("Votes behind the label that has most."),
    })
    .describe("How often a pair was judged."),
  raters: z
    .array(
      z.object({
        rater: raterSchema.describe("Who it is."),
        labels: wholeFrom0.describe("Labels that this rater decided, alone or with others."),
      }),
    )
    .describe("Raters whose labels decide."),
});
