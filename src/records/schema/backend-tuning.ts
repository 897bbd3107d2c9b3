import * as z from "zod";
import { metricCardSchema, warningSchema } from "./aggregate.js";
import { labelTrustSchema } from "./label-trust.js";
import { heldOutGainSchema, searchTestSchema, tuningVerdictSchema } from "./tuning.js";
import { count, filled, text } from "./primitives.js";

const name = filled.max(200, { error: "must have at most 200 characters" });
const NUMBER = { error: "must be a number" };
const STEPS = { error: "must be a whole number from 2" };

/** What a parameter may be: anything that JSON has. */
const parametersSchema = z
  .record(z.string(), z.unknown(), { error: "must be a mapping of names to values" })
  .describe("Values of parameters, by name.");

/** Values of one parameter: a list, or so many from one number to another. */
export const parameterValuesSchema = z.union(
  [
    z.array(z.unknown()).min(1),
    z.strictObject({
      min: z.number(NUMBER).describe("The first value."),
      max: z.number(NUMBER).describe("The last value."),
      steps: z.int(STEPS).min(2, STEPS).describe("How many values, from 2."),
    }),
  ],
  { error: "must be a list of values, or {min, max, steps} with 2 steps or more" },
);

/** What is tried on a live search. */
export const experimentsSchema = z.strictObject(
  {
    $schema: text.optional().describe("For editors; not read."),
    experiments: z
      .array(
        z.strictObject(
          {
            name: name.describe("What it is called in reports."),
            parameters: parametersSchema,
          },
          { error: "must be a mapping with name and parameters" },
        ),
        { error: "must be a list of experiments" },
      )
      .optional()
      .describe("Settings that are tried, in this order."),
    space: z
      .record(z.string(), parameterValuesSchema, { error: "must be a mapping of names to values" })
      .optional()
      .describe("Every combination of these values is tried, too."),
    defaults: parametersSchema.optional().describe("Values of parameters that an experiment does not name."),
  },
  { error: "must be a mapping with `experiments`, `space` or both" },
);

/** A setting as it was measured. */
export const experimentResultSchema = z.object({
  name: text.describe("Its name; `current` for the original configuration."),
  parameters: parametersSchema.nullable().describe("Null for the original configuration."),
  batch_id: text.nullable().describe("Its run in the store; null where it was not measured."),
  error: text.nullable().describe("Why it was not measured; null where it was."),
  mean: z.number().nullable().describe("Mean of the metric, at 4 decimals; null where it was not measured."),
  difference: z.number().nullable().describe("That minus the mean of the original configuration."),
  p: z
    .number()
    .nullable()
    .describe(
      "How often the best of all settings would seem so much better by chance; null for the original one.",
    ),
  improved: count.describe("Queries that gain."),
  equal: count.describe("Queries that stay as they are."),
  worse: count.describe("Queries that lose."),
  failed: count.describe("Queries that the search failed for; they score what an empty ranking does."),
  unjudged: count.describe("Hits in view without a label; they count as Irrelevant."),
});

/** What experiments on a live search found, and whether it holds. */
export const backendTuningSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("backend_tuning").describe("Tells it from other results."),
  tuning_id: text.describe("Its id, and the name of its folder."),
  dataset: text.describe("Id of the dataset."),
  tenant: text.describe("Whose labels they are."),
  backend: z
    .object({ name: text.describe("Its name in the configuration."), kind: text.describe("What it is.") })
    .describe("The search that was tuned."),
  started_at: text.describe("When it was begun, in UTC."),
  evaluated_at: text.describe("When it was scored, in UTC."),
  metric: text.describe("Printed name of the metric that was tuned for."),
  metric_card: metricCardSchema.describe("Its direction and range."),
  top_k: z.int().min(1).describe("Hits that were asked for."),
  queries: count.describe("Queries."),
  seed: z.int().describe("Of sign flips, resamples and parts."),
  verdict: tuningVerdictSchema,
  chosen: z
    .object({
      name: text.describe("Its name; `current` where nothing is better."),
      parameters: parametersSchema.nullable().describe("Null for the original configuration."),
      mean: z.number().describe("Of the queries that chose it, and too good; at 4 decimals."),
    })
    .describe("What all queries together choose: the highest mean, the first of equal ones."),
  held_out: heldOutGainSchema
    .extend({
      chosen: z
        .array(
          z.object({
            name: text.describe("Of the setting."),
            times: count.describe("In how many parts it was chosen."),
          }),
        )
        .describe("How much the choice varies from part to part, the most frequent first."),
    })
    .nullable()
    .describe("What the choice is worth for queries that had no say in it; null for fewer than two."),
  search_test: searchTestSchema,
  experiments: z.array(experimentResultSchema).describe("Every setting, in the order in which it was tried."),
  unjudged: z
    .object({
      items: count.describe("Pairs of a query and an item in view of some setting without a label."),
      of: count.describe("All pairs in view of some setting."),
    })
    .describe("Unjudged hits that might change the choice."),
  trust: labelTrustSchema.describe("Whose labels the scores rest on, and how far they carry."),
  per_query: z
    .array(
      z.object({
        query_id: text.describe("Its id."),
        query: text.nullable().describe("Its words."),
        current: z.number().describe("Score with the original configuration."),
        chosen: z.number().describe("Score with the chosen setting."),
        held_out: z.number().nullable().describe("Mean score with what the other queries chose."),
      }),
    )
    .describe("Every query, by id."),
  restored: z
    .array(
      z.object({
        file: text.describe("A configuration file."),
        sha256: text.describe("Its digest before the tuning, and after it."),
      }),
    )
    .describe("The original configuration, which was put back."),
  applied: text
    .nullable()
    .describe("Name of the setting that was written into the configuration afterwards; null for none."),
  warnings: z.array(warningSchema).describe("What may mislead here."),
});
