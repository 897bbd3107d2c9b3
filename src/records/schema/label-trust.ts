import * as z from "zod";
import { count, interval, pValue } from "./primitives.js";

/**
 * A metric by the labels of a model and, where a probability sample of queries was labelled by people, what
 * these make of it: a mean of one run, or a mean difference.
 */
export const correctedScoreSchema = z.object({
  metric: z.string().describe("Printed name, such as nDCG@10."),
  raw: z.number().describe("By the model's labels alone, over all queries of the sample's frame."),
  corrected: z.number().describe("By PPI++: people's labels, helped by the model's as far as they agree."),
  interval: interval.describe("Of the corrected one, by Student's t; null for fewer than two queries."),
  p: pValue.describe("That the corrected one is 0; two-sided."),
  p_adjusted: pValue.describe("The same, adjusted within its family; null for the mean of one run."),
  people: z
    .object({
      mean: z.number().describe("By people's labels alone."),
      interval: interval.describe("By Student's t."),
    })
    .describe("What the people's queries say by themselves."),
  lambda: z.number().describe("How much the model's labels count, from 0 to 1."),
  correlation: z.number().nullable().describe("Of both scores of a query; null where there is none."),
  queries: count.describe("Queries labelled by people."),
  further: count.describe("Further queries, labelled by the model only."),
  worth: z.number().describe("How many queries labelled by people alone would do as well."),
  improved: count
    .optional()
    .describe("Queries labelled by people where the run is better; absent for the mean of one run."),
  equal: count.optional().describe("Those where it is as good."),
  worse: count.optional().describe("Those where it is worse."),
});

/** Whose labels a result rests on, and how far they carry. */
export const labelTrustSchema = z.object({
  status: z
    .enum(["people", "audited", "not_audited", "unknown"])
    .describe(
      "`people`: all labels are people's. `audited`: a model's, corrected by a sample of people's. " +
        "`not_audited`: a model's, and no verdict rests on them. `unknown`: nothing is known of who judged.",
    ),
  sentence: z.string().describe("What that means, in one sentence."),
  next: z.string().nullable().describe("What to do about it; null where nothing is to be done."),
  labeler: z.string().nullable().describe("The model behind the labels; null where none is known."),
  labels: z
    .object({
      people: count.describe("Labels that people decided."),
      model: count.describe("Labels by the model alone."),
    })
    .nullable()
    .describe("Null where nothing is known of them."),
  sample: z
    .object({
      drawn: count.describe("Queries drawn to be labelled by people."),
      frame: count.describe("Queries that they were drawn from."),
    })
    .nullable()
    .describe("The probability sample; null where there is none."),
  missing_pairs: count.describe("Pairs of query and item that people have still to label."),
  pool: z
    .enum(["labelled", "viewed"])
    .nullable()
    .describe(
      "What the ideal of a metric is over, by both kinds of labels: all labelled items, or the items in " +
        "view of the runs; null without an estimate.",
    ),
  self_judged: z
    .array(z.string())
    .describe("Runs that search with the model that labelled: a judge likes its own."),
});
