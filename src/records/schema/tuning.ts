import * as z from "zod";
import { intervalMethods } from "../../stats/index.js";
import { metricCardSchema, warningSchema } from "./aggregate.js";
import { count, text } from "./primitives.js";

const pair = z.object({ low: z.number().describe("Lower end."), high: z.number().describe("Upper end.") });
const interval = pair.nullable();
/** Part of the axis of a search. */
const part = z.object({
  from: z.number().describe("Where it begins."),
  to: z.number().describe("Where it ends."),
});

/** A way to fuse runs, and what it scores. */
export const fusionSettingSchema = z.object({
  method: text.describe("Printed name with parameters, as `fuse --method` takes it."),
  normalize: text.describe("Name of the normalizer."),
  mean: z.number().describe("Mean over the queries, at 4 decimals."),
});

/** Whether a choice beats what is there, on queries that had no say in it. */
export const tuningVerdictSchema = z
  .object({
    kind: z
      .enum(["better", "not_better", "worse"])
      .describe(
        "`better` where the held-out interval lies above the margin and the p value of the search is " +
          "below 1 minus the confidence, `worse` where the interval lies below 0.",
      ),
    sentence: text.describe("The same in words."),
  })
  .describe("Whether what would be chosen beats what is there, on queries that had no say in the choice.");

/** What a choice is worth for queries that had no say in it. */
export const heldOutGainSchema = z.object({
  validation: z.enum(["leave_one_out", "folds", "given"]).describe("How queries were held out."),
  parts: count.describe("Parts of a repeat; each is scored by what the others chose."),
  repeats: count.describe("How often the parts were drawn."),
  seed: z.int().nullable().describe("Of the draw of parts; null where nothing was drawn."),
  mean: z.number().describe("Mean of what queries score with what the others chose, at 4 decimals."),
  gain: z.number().describe("That minus the mean of the current setting, at 4 decimals."),
  interval: interval.describe(
    `Of the gain, ${intervalMethods.wider.label}; null for fewer than two ` +
      "queries, and where all gains are equal.",
  ),
  confidence: z.number().describe("Share of the interval."),
  margin: z.number().describe("What the interval must lie above for `better`."),
  improved: count.describe("Queries that gain."),
  equal: count.describe("Queries that stay as they are."),
  worse: count.describe("Queries that lose."),
});

/** One p value for a whole search. */
export const searchTestSchema = z
  .object({
    p: z.number().min(0).max(1).describe("One p value for the whole search, one-sided."),
    is_exact: z.boolean().describe("Whether every sign flip was counted."),
    flips: count.describe("Sign flips, the same for all settings; no more where 200 of them reach as far."),
    variants: count.describe("Settings whose scores differ."),
  })
  .describe("How often a search would find so much where nothing is better (max-T).");

/** What a search over ways to fuse runs found, and whether it holds. */
export const fusionTuningSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("fusion_tuning").describe("Tells it from other results."),
  runs: z.array(text).describe("Names of the runs, in the order of the weights."),
  metric: text.describe("Printed name of the metric that was tuned for."),
  metric_card: metricCardSchema.describe("Its direction and range."),
  queries: count.describe("Judged queries; one that no run answers scores what an empty ranking does."),
  groups: count.describe(
    "Groups of queries that are held out and drawn together; one for each query where none is.",
  ),
  seed: z.int().describe("Of sign flips, resamples and parts."),
  verdict: tuningVerdictSchema,
  current: fusionSettingSchema.describe("The setting that is there."),
  chosen: fusionSettingSchema
    .extend({
      point: z
        .number()
        .nullable()
        .describe(
          "Where on the axis it lies: the middle of an interval, of weights with as few decimals as lie " +
            "well within it; null where there are several axes.",
        ),
    })
    .describe("What all queries together choose; its mean is of those same queries, and too good."),
  choice: z
    .object({
      rule: z.enum(["one_standard_error", "plateau"]).describe("By which the point is chosen."),
      maximum: z.number().describe("The highest mean, at 4 decimals; of the queries that chose it."),
      plateau: z.array(part).describe("Where it is reached, without the ends; at most 20, the widest first."),
      standard_error: z.number().describe("Of the mean at the widest plateau, at 4 decimals."),
      interval: part.describe("The interval whose middle is chosen."),
    })
    .nullable()
    .describe("How the point was chosen; null where there are several axes."),
  held_out: heldOutGainSchema
    .extend({
      chosen: z
        .array(
          z.object({
            method: text.describe("Without parameters."),
            normalize: text.describe("Name of the normalizer."),
            times: count.describe("In how many parts it was chosen."),
            point: z
              .object({
                low: z.number().describe("The lowest."),
                median: z.number().describe("The middle one."),
                high: z.number().describe("The highest."),
              })
              .nullable()
              .describe("Points that were chosen."),
          }),
        )
        .describe("How much the choice varies from part to part, the most frequent first."),
    })
    .nullable()
    .describe("What the choice is worth for queries that had no say in it; null for fewer than two."),
  search_test: searchTestSchema,
  searched: z
    .array(
      z.object({
        method: text.describe("Without parameters."),
        normalize: text.describe("Name of the normalizer."),
        axis: text.describe("What was tuned."),
        maximum: z.number().describe("The highest mean, at 4 decimals."),
        variants: count.describe("Settings whose scores differ."),
      }),
    )
    .describe("What was searched, in the order that was given."),
  axis: part
    .extend({ name: text.describe("What it is: `weight of dense`, `k`.") })
    .nullable()
    .describe("The axis of the chosen method; null where it has several."),
  curve: z
    .array(
      z.object({
        from: z.number().describe("Where on the axis the piece begins; it ends where the next one begins."),
        low: z.number().describe("Lowest mean within the piece, at 4 decimals."),
        high: z.number().describe("Highest mean within the piece, at 4 decimals."),
      }),
    )
    .nullable()
    .describe(
      "The mean by the axis of the chosen method, in pieces: exact where there are at most 2,000 steps, " +
        "else the lowest and the highest mean of each 2,000th. Null where there are several axes.",
    ),
  unjudged: z
    .object({
      items: count.describe("Pairs of a query and an item that some setting brings into view."),
      of: count.describe("All pairs that some setting brings into view."),
      in_chosen: count.describe("Those of them that the chosen setting brings into view."),
    })
    .describe("Unjudged hits that might change the choice."),
  per_query: z
    .array(
      z.object({
        query_id: text.describe("Its id."),
        current: z.number().describe("Score with the current setting."),
        chosen: z.number().describe("Score with the chosen setting."),
        held_out: z.number().nullable().describe("Mean score with what the other queries chose."),
      }),
    )
    .describe("Every query, by id."),
  warnings: z.array(warningSchema).describe("What may mislead here."),
});
