import * as z from "zod";
import { failureSchema, latencySchema, metricCardSchema, warningSchema } from "./aggregate.js";
import { conventionsSchema } from "./evaluation.js";
import { corrections, intervalMethods, pairedTests } from "../../stats/index.js";
import { comparedQuerySchema } from "./compared-query.js";
import { correctedScoreSchema, labelTrustSchema } from "./label-trust.js";
import { count, interval, pValue, rank, score } from "./primitives.js";

/** What a comparison can come to. */
export const verdictKindSchema = z.enum(["better", "worse", "equivalent", "inconclusive", "not_comparable"]);

/** The names of a catalogue, in its order. */
function namesOf<Name extends string>(catalog: Readonly<Record<Name, unknown>>): [Name, ...Name[]] {
  return Object.keys(catalog) as [Name, ...Name[]];
}

/** The tests of paired differences. */
export const pairedTestNameSchema = z.enum(namesOf(pairedTests));
/** The ways to adjust p values of a family of tests. */
export const correctionNameSchema = z.enum(namesOf(corrections));

/** How differences were tested and when they count. */
export const comparisonSettingsSchema = z.looseObject({
  test: pairedTestNameSchema.describe("The test of paired differences."),
  seed: z.int().describe("Of everything that is drawn at random."),
  permutations: count.describe(
    "Sign flips drawn where there are too many to enumerate, and resamples of the bootstrap.",
  ),
  resamples: count.describe("Resamples of the bootstrap."),
  confidence: z.number().describe("Share of the intervals, such as 0.95."),
  alpha: z.number().describe("An adjusted p below it is significant."),
  correction: correctionNameSchema.describe("How p values of a family are adjusted."),
  power: z.number().describe("The power that `detectable` and `queries_needed` are for."),
  tolerance: z.number().describe("A query whose scores differ by no more is equal."),
  margin: z
    .number()
    .describe("Differences within it, either way, do not matter: a share of the metric's range."),
  primary: z.string().nullable().describe("The metric that decides; null where there is none."),
  guards: z
    .array(
      z.object({
        metric: z.string().describe("Printed name."),
        allowed_loss: z.number().describe("Loss that is allowed, in the metric's own unit, from 0."),
      }),
    )
    .describe("Metrics that must not fall, each with the loss that is allowed."),
  max_p95_ms: z
    .number()
    .nullable()
    .describe("Highest 95th percentile of milliseconds that is accepted; null for any."),
  max_failed_share: z
    .number()
    .default(1)
    .describe("Share of failed results above which a run is not compared; earlier versions compared any."),
});

/** How many results a run has, how many of them failed, and why. */
export const failedResultsSchema = z.object({
  results: count.describe("Results of the run."),
  failed: count.describe("Those of them with an error."),
  failures: z.array(failureSchema).describe("The most frequent messages first."),
  compared: z
    .object({
      results: count.describe("Results of these queries."),
      failed: count.describe("Those of them with an error."),
    })
    .optional()
    .describe("The same of the queries that are compared, where the run has results of others, too."),
});

/** What a run says of itself, as far as it is known. */
export const runFactsSchema = z.object({
  created_at: z.string().nullish().describe("When it was recorded, ISO 8601."),
  commit_hash: z.string().nullish().describe("The commit that it was recorded at."),
});

/** Why nothing follows from a difference. */
export const undecidedSchema = z.object({
  why: z.string().describe("In a sentence or two."),
  but: verdictKindSchema.optional().describe("What follows all the same, where the numbers say so."),
});

/** What an interval and a test say of a mean difference. */
export const testedSchema = z.object({
  interval: interval.describe("Of the mean difference."),
  p: pValue.describe("P value of the test."),
  is_opposed: z.literal(true).optional().describe("There where the test points the other way than the mean."),
});

/** The paired differences of one metric: run b minus the baseline a. */
export const metricDifferenceSchema = z.object({
  metric: z.string().describe("Printed name, such as nDCG@10."),
  pairs: count.describe("Queries that both runs have a score for; everything here is over them."),
  mean_a: score.describe("Mean of the baseline over the pairs, at 4 decimals."),
  mean_b: score.describe("Mean of run b over the pairs, at 4 decimals."),
  difference: score.describe("Mean of b minus a, at 4 decimals."),
  interval: interval.describe(
    `Of the mean difference, ${intervalMethods.wider.label}; version 1 had ` +
      "that of the bootstrap alone. Null for fewer than two pairs, for wordings of too few intents, and " +
      "where all differences are equal.",
  ),
  bca_interval: interval.optional().describe("By the BCa bootstrap alone."),
  t_interval: interval.describe("By Student's t alone."),
  p: pValue.describe(
    "P value of the test of the settings, two-sided, from 0 to 1; null where there is no test.",
  ),
  p_adjusted: pValue.describe("The same, adjusted within its family by the correction of the settings."),
  is_exact: z
    .boolean()
    .describe("Whether p is over all sign flips or in closed form, not over a sample of flips."),
  is_opposed: z
    .literal(true)
    .optional()
    .describe(
      "There where the test points the other way than the mean, as tests of signs and ranks can; then " +
        "p is no evidence for the difference.",
    ),
  effect_size: z
    .number()
    .nullable()
    .describe(
      "Cohen's d_z: the mean difference in standard deviations of the differences; null where they do " +
        "not vary.",
    ),
  improved: count.describe("Queries where b is better, by the direction of the metric."),
  equal: count.describe("Queries whose scores differ by no more than the tolerance."),
  worse: count.describe("Queries where b is worse."),
  detectable: score.describe(
    "The smallest difference that so many pairs detect with the power of the settings; null where so few " +
      "detect none, and where the differences do not vary.",
  ),
  queries_needed: z
    .int()
    .nullable()
    .describe("Queries that the observed difference would need; null where it is 0."),
  by_query: testedSchema
    .optional()
    .describe(
      "Where some of the pairs are wordings of one intent (`group`): what the pairs say as queries of " +
        "their own. Interval, p and p_adjusted are by this and `by_group`, whichever is less sure.",
    ),
  by_group: testedSchema
    .extend({
      groups: count.describe("Intents that the pairs are wordings of, and pairs that stand alone."),
      effective: z
        .number()
        .optional()
        .describe(
          "How many of one size would say as much, at 4 decimals (Kish 1965); there where sizes differ.",
        ),
      differing: count.describe("Those of them whose wordings together differ."),
    })
    .optional()
    .describe(
      "The same with all wordings of an intent as one; what says less than 5 would has neither interval " +
        "nor p.",
    ),
  undecided: undecidedSchema
    .optional()
    .describe(
      "There where nothing follows from the numbers, such as of runs asked for other numbers of hits.",
    ),
});

/** Whether unjudged hits, had they been judged, could turn the difference of the primary metric around. */
export const unjudgedDoubtSchema = z.object({
  could_overturn: z
    .enum(["yes", "no", "perhaps"])
    .describe("`yes`: there are labels that do it. `no`: no labels can. `perhaps`: neither could be shown."),
  bounds: interval.describe(
    "No labels bring the mean difference outside; null where the metric has no bounds.",
  ),
  unjudged_a: count.describe("Unjudged hits of the baseline that the metric looks at."),
  unjudged_b: count.describe("Unjudged hits of run b that the metric looks at."),
});

/** What the comparison comes to, and why. */
export const verdictSchema = z.looseObject({
  kind: verdictKindSchema.describe("What the comparison comes to."),
  headline: z.string().describe("One sentence."),
  reasons: z.array(z.string()).describe("Further sentences, the weightiest first."),
  primary: z.string().nullable().describe("The metric that decided; null where there was none."),
  guards: z
    .array(
      z.object({
        metric: z.string().describe("Printed name."),
        allowed_loss: z.number().describe("Loss that is allowed, in the metric's own unit."),
        difference: score.describe("Mean of b minus a."),
        p_adjusted: pValue.describe("Its p value, adjusted."),
        is_held: z.boolean().describe("Whether it did not fall further than allowed."),
        why: z.string().describe("One sentence."),
      }),
    )
    .describe("Metrics that must not fall, and whether they held."),
  latency: z
    .object({
      p95_a: z.number().nullable().describe("95th percentile of the baseline's milliseconds."),
      p95_b: z.number().nullable().describe("95th percentile of run b's milliseconds."),
      limit: z.number().describe("Highest that is accepted, in milliseconds."),
      is_held: z.boolean().describe("Whether b is within it."),
      why: z.string().describe("One sentence."),
    })
    .nullable()
    .describe("The limit of time, and whether it held; null without a limit."),
  queries_needed: z
    .int()
    .nullable()
    .describe("For an inconclusive comparison: how many queries the observed difference needs."),
  unjudged: unjudgedDoubtSchema
    .nullable()
    .describe("Whether unjudged hits could overturn it; null where there are none, or it cannot be told."),
});

/** The queries of one kind, such as one language. */
export const sliceSchema = z.object({
  by: z.string().describe("What the queries have in common: `lang` is `ko`."),
  value: z.string().describe("The value that they share, such as `ko`."),
  metrics: z
    .array(
      metricDifferenceSchema.pick({
        metric: true,
        pairs: true,
        mean_a: true,
        mean_b: true,
        difference: true,
        interval: true,
        p: true,
        p_adjusted: true,
        is_opposed: true,
        improved: true,
        equal: true,
        worse: true,
      }),
    )
    .describe("The differences over these queries."),
});

/** An unjudged hit whose judgment could move the difference of the primary metric most. */
export const judgeNextSchema = z.object({
  query_id: z.string().describe("The query."),
  item: z.string().describe("Id of the hit."),
  rank_a: rank.describe("Its rank in the baseline; null where it did not come back."),
  rank_b: rank.describe("Its rank in run b; null where it did not come back."),
  impact: z
    .number()
    .describe(
      "How far the query's difference would move, were the item relevant at the highest grade: above 0 " +
        "in favour of b.",
    ),
});

/** One run against the baseline. */
export const runComparisonSchema = z.object({
  run: z.string().describe("Name of run b."),
  verdict: verdictSchema.describe("What it comes to."),
  metrics: z
    .array(metricDifferenceSchema)
    .describe("The differences, in the order of `metrics` of the whole."),
  answered_by_both: z
    .object({
      queries: z.int().describe("How many these are."),
      decides: z.boolean().describe("Whether the verdict is by these, as the worse ones."),
      metrics: z.array(metricDifferenceSchema).describe("The differences, as in `metrics`."),
      slices: z.array(sliceSchema).describe("Those of kinds of queries, as in `slices`."),
    })
    .optional()
    .describe(
      "The same over the queries that the baseline answered; there where others were not asked or failed " +
        "in it, which count as 0. The verdict and gates go by the worse.",
    ),
  slices: z
    .array(sliceSchema)
    .describe("Of each kind of slice the worst first: by the difference of the primary metric."),
  judge_next: z
    .array(judgeNextSchema)
    .describe("Unjudged hits that are worth judging, the weightiest first."),
  corrected: z
    .array(correctedScoreSchema)
    .nullish()
    .describe("What people's labels make of the differences, where they do; the verdict rests on these."),
});

/** Two runs or more over the same queries: differences, whether they are real, and what follows. */
export const scoreComparisonSchema = z.looseObject({
  schema_version: z
    .union([z.literal(1), z.literal(2)])
    .describe("2 since `interval` is the wider one of two."),
  kind: z.literal("score_comparison").describe("Tells it from other results."),
  runs: z
    .array(
      z.object({
        run: z.string().describe("Name of the run."),
        ...runFactsSchema.shape,
        means: z
          .record(z.string(), score)
          .describe("Over all of the run's own scored queries, by printed name."),
        queries: count.describe("Its scored queries."),
        latency_ms: latencySchema
          .nullable()
          .describe("How long its queries took; null where it does not tell."),
        failed_results: failedResultsSchema
          .nullish()
          .describe("Null or absent where it is not known whether results failed."),
        left_out: z
          .array(z.string())
          .optional()
          .describe(
            "Queries that the run has no result of and that were left out for it, as was asked: neither " +
              "won nor lost. Absent where none was.",
          ),
      }),
    )
    .describe("The first is the baseline."),
  metrics: z.array(z.string()).describe("Printed names, in the order of every table."),
  metric_cards: z
    .record(z.string(), metricCardSchema)
    .describe("Direction and range of every metric, by printed name."),
  relevant_from: z.number().describe("Lowest grade that is relevant."),
  conventions: conventionsSchema
    .nullable()
    .describe("How the runs were scored; null where that is not known."),
  settings: comparisonSettingsSchema.describe("How differences were tested."),
  comparisons: z.array(runComparisonSchema).describe("Every run but the first against the first."),
  trust: labelTrustSchema
    .nullish()
    .describe("Whose labels it rests on; null or absent for a golden set, and in earlier versions."),
  all_pairs: z
    .array(
      z.object({
        run_a: z.string().describe("Name of one run."),
        run_b: z.string().describe("Name of the other."),
        difference: score.describe("Mean of b minus a."),
        p: pValue.describe("P value of the test of the settings, two-sided."),
        p_adjusted: pValue.describe("The same, adjusted over all pairs."),
        is_opposed: z
          .literal(true)
          .optional()
          .describe("There where the test points the other way than the mean; then p is no evidence."),
        p_tukey: pValue.describe("By Tukey's HSD over all runs."),
        p_randomized_tukey: pValue.describe("By the randomized Tukey HSD over all runs."),
        undecided: undecidedSchema
          .optional()
          .describe(
            "There where nothing follows from the numbers (but what `but` says), as in `comparisons`.",
          ),
      }),
    )
    .nullable()
    .describe("Every run against every other by the primary metric; null for two runs."),
  leaderboard: z
    .array(
      z.object({
        run: z.string().describe("Name of the run."),
        scores: z
          .array(
            z.object({
              metric: z.string().describe("Printed name."),
              mean: score.describe("Mean over the queries that the run has a score for, at 4 decimals."),
              interval: interval.describe("Of the mean of the primary metric, as in a report on one run."),
              groups: z
                .array(z.string())
                .nullable()
                .describe("Null where there are more groups than letters."),
            }),
          )
          .describe("Its scores, by metric."),
      }),
    )
    .nullish()
    .describe(
      "For more than two runs every run by every metric, in the order of `runs` and of `metrics`: two " +
        "runs that share a letter of `groups` are not shown to differ by the metric: by the test of " +
        "the settings for the primary one, by the paired t test for the others. Null for two runs, " +
        "absent before.",
    ),
  per_query: z.array(comparedQuerySchema).describe("Every query, in the order of its id."),
  warnings: z.array(warningSchema).describe("What may mislead in this comparison."),
});
