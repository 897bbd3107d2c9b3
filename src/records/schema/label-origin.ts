import * as z from "zod";
import { raterSchema } from "./assessment.js";

const text = z.string({ error: "must be a string" });
const WHOLE = { error: "must be a whole number from 0" };
const whole = z.int(WHOLE).min(0, WHOLE);

/** Where judgments come from that are made of labels: the file beside a qrels file, FILE.labels.json. */
export const labelOriginSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("label_origin").describe("Tells it from other results."),
  digest: text.describe("SHA-256 of the judgments' file, unpacked, in hexadecimal digits."),
  dataset: text.describe("Id of the dataset."),
  tenant: text.describe("Whose labels they are."),
  licence: text.nullish().describe("Of the dataset."),
  queries: whole.describe("Queries with a label."),
  labels: z
    .object({
      adjudicator: whole.describe("Labels that an adjudicator decided."),
      people: whole.describe("Labels that people decided."),
      labeler: whole.describe("Labels by the labeler alone."),
    })
    .describe("Labels by who decided."),
  stale: whole.describe("Labels whose item has changed since."),
  per_query: z
    .object({
      fewest: whole.describe("Labels of the query that has fewest."),
      most: whole.describe("Labels of the query that has most."),
    })
    .describe("How deep the labels go."),
  votes: z
    .object({
      fewest: whole.describe("Votes behind the label that has fewest."),
      most: whole.describe("Votes behind the label that has most."),
    })
    .describe("How often a pair was judged."),
  raters: z
    .array(
      z.object({
        rater: raterSchema.describe("Who it is."),
        labels: whole.describe("Labels that this rater decided, alone or with others."),
      }),
    )
    .describe("Raters whose labels decide."),
});
