import * as z from "zod";
import { failureSchema, latencySchema, metricCardSchema, warningSchema } from "./aggregate.js";
import { conventionsSchema } from "./evaluation.js";
import { correctionLabels, pairedTestLabels } from "../statistics-names.js";

/**
 * Null where nothing could be computed. Means and their differences have 4 decimals; nothing else is rounded.
 */
const score = z.number().nullable();
/** Above 0 unless it was computed in closed form; null where there is no test. */
const pValue = z.number().min(0).max(1).nullable();
const interval = z.object({ low: z.number(), high: z.number() }).nullable();
const rank = z.int().min(1).nullable();
const count = z.int().min(0);

/** What a comparison can come to. */
export const verdictKinds = ["better", "worse", "equivalent", "inconclusive", "not_comparable"] as const;

/** The names of a catalogue, in its order. */
function namesOf<Name extends string>(labels: Readonly<Record<Name, string>>): [Name, ...Name[]] {
  return Object.keys(labels) as [Name, ...Name[]];
}

/** The tests of paired differences. */
export const pairedTestNames = namesOf(pairedTestLabels);
/** The ways to adjust p values of a family of tests. */
export const correctionNames = namesOf(correctionLabels);

/** How differences were tested and when they count. */
export const comparisonSettingsSchema = z.looseObject({
  test: z.enum(pairedTestNames),
  /** Of everything that is drawn at random. */
  seed: z.int(),
  /** Sign flips drawn where there are too many to enumerate, and resamples of the bootstrap. */
  permutations: count,
  resamples: count,
  /** Share of the intervals, such as 0.95. */
  confidence: z.number(),
  alpha: z.number(),
  correction: z.enum(correctionNames),
  /** The power that `detectable` and `queries_needed` are for. */
  power: z.number(),
  /** A query whose scores differ by no more is equal. */
  tolerance: z.number(),
  /** Differences within it, either way, do not matter: a share of the metric's range. */
  margin: z.number(),
  /** The metric that decides; null where there is none. */
  primary: z.string().nullable(),
  /** Metrics that must not fall, each with the loss that is allowed. */
  guards: z.array(z.object({ metric: z.string(), allowed_loss: z.number() })),
  /** Highest 95th percentile of milliseconds that is accepted; null for any. */
  max_p95_ms: z.number().nullable(),
  /** Share of failed results above which a run is not compared; earlier versions compared any. */
  max_failed_share: z.number().default(1),
});

/** How many results a run has, how many of them failed, and why. */
export const failedResultsSchema = z.object({
  results: count,
  failed: count,
  /** The most frequent messages first. */
  failures: z.array(failureSchema),
});

/** What a run says of itself, as far as it is known. */
export const runFactsSchema = z.object({
  created_at: z.string().nullish().describe("when it was recorded, ISO 8601"),
  commit_hash: z.string().nullish().describe("the commit that it was recorded at"),
});

/** The paired differences of one metric: run b minus the baseline a. */
export const metricDifferenceSchema = z.object({
  metric: z.string(),
  /** Queries that both runs have a score for; everything here is over them. */
  pairs: count,
  mean_a: score,
  mean_b: score,
  difference: score,
  /**
   * Of the mean difference, at each end the wider one of BCa bootstrap and Student's t; version 1 had that of
   * the bootstrap alone. Null for fewer than two pairs, and where all differences are equal.
   */
  interval,
  /** By the BCa bootstrap alone. */
  bca_interval: interval.optional(),
  /** By Student's t alone. */
  t_interval: interval,
  /**
   * Two-sided; adjusted within its family: the primary metric over all runs, or all other metrics over all
   * runs.
   */
  p: pValue,
  p_adjusted: pValue,
  /** Whether p is over all sign flips or in closed form, not over a sample of flips. */
  is_exact: z.boolean(),
  /**
   * There where the test points the other way than the mean, as tests of signs and ranks can; then p is no
   * evidence for the difference.
   */
  is_opposed: z.literal(true).optional(),
  /**
   * Cohen's d_z: the mean difference in standard deviations of the differences; null where they do not vary.
   */
  effect_size: z.number().nullable(),
  /** Queries by the direction of the metric. */
  improved: count,
  equal: count,
  worse: count,
  /** The smallest difference that so many pairs detect with the power of the settings. */
  detectable: score,
  /** Queries that the observed difference would need; null where it is 0. */
  queries_needed: z.int().nullable(),
});

/** Whether unjudged hits, had they been judged, could turn the difference of the primary metric around. */
export const unjudgedDoubtSchema = z.object({
  /** `yes`: there are labels that do it. `no`: no labels can. `perhaps`: neither could be shown. */
  could_overturn: z.enum(["yes", "no", "perhaps"]),
  /** No labels bring the mean difference outside; null where the metric has no bounds. */
  bounds: interval,
  unjudged_a: count,
  unjudged_b: count,
});

/** What the comparison comes to, and why. */
export const verdictSchema = z.looseObject({
  kind: z.enum(verdictKinds),
  /** One sentence. */
  headline: z.string(),
  /** Further sentences, the weightiest first. */
  reasons: z.array(z.string()),
  primary: z.string().nullable(),
  guards: z.array(
    z.object({
      metric: z.string(),
      allowed_loss: z.number(),
      difference: score,
      p_adjusted: pValue,
      is_held: z.boolean(),
      why: z.string(),
    }),
  ),
  latency: z
    .object({
      p95_a: z.number().nullable(),
      p95_b: z.number().nullable(),
      limit: z.number(),
      is_held: z.boolean(),
      why: z.string(),
    })
    .nullable(),
  /** For an inconclusive comparison: how many queries the observed difference needs. */
  queries_needed: z.int().nullable(),
  unjudged: unjudgedDoubtSchema.nullable(),
});

/** The queries of one kind, such as one language. */
export const sliceSchema = z.object({
  /** What the queries have in common: `lang` is `ko`. */
  by: z.string(),
  value: z.string(),
  metrics: z.array(
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
  ),
});

/** An unjudged hit whose judgment could move the difference of the primary metric most. */
export const judgeNextSchema = z.object({
  query_id: z.string(),
  item: z.string(),
  rank_a: rank,
  rank_b: rank,
  /**
   * How far the query's difference would move, were the item relevant at the highest grade: above 0 in favour
   * of b.
   */
  impact: z.number(),
});

/** One run against the baseline. */
export const runComparisonSchema = z.object({
  run: z.string(),
  verdict: verdictSchema,
  metrics: z.array(metricDifferenceSchema),
  /** Of each kind of slice the worst first: by the difference of the primary metric. */
  slices: z.array(sliceSchema),
  judge_next: z.array(judgeNextSchema),
});

/** What became of a relevant item in one run. */
export const fateSchema = z.object({
  /** Its rank; null when it did not come back. */
  rank,
  /** Its rank in each channel that the run tells of, such as `lexical` and `embedding`. */
  channels: z.record(z.string(), rank),
  /**
   * `found` within the cutoff, `cut_off` below it, `lost_by_fusion` when a channel had it within the cutoff,
   * `never_retrieved`, `not_in_index`.
   */
  fate: z.enum(["found", "cut_off", "lost_by_fusion", "never_retrieved", "not_in_index"]),
});

/** A query in every run. */
export const comparedQuerySchema = z.object({
  query_id: z.string(),
  /** Null where its text is unknown. */
  query: z.string().nullable(),
  /** What slices are made by: `lang` to `ko`. */
  labels: z.record(z.string(), z.string()),
  /**
   * By run in the order of `runs`, then by metric in the order of `metrics`; null where a run has no score.
   */
  scores: z.array(z.array(score)),
  /**
   * The first hits of each run, in the order of `runs`; a grade of null is unjudged. Null where the rankings
   * were not kept.
   */
  rankings: z.array(z.array(z.object({ id: z.string(), grade: z.number().nullable() }))).nullable(),
  /**
   * By run how alike its ranking is to the baseline's, without regard to judgments: rank-biased overlap of
   * the first 100 hits, from 0 to 1. Null where the rankings were not kept.
   */
  overlap: z.array(z.number()).nullable(),
  /**
   * By run the rank of its first relevant hit, null where there is none; null or absent where the rankings
   * were not kept.
   */
  first_relevant: z.array(rank).nullish(),
  /** By run what its result failed with, null where it did not; absent where no run failed. */
  errors: z.array(z.string().nullable()).optional(),
  /** The relevant items, best grade first, and what became of each in every run. */
  expected: z.array(z.object({ id: z.string(), grade: z.number(), runs: z.array(fateSchema) })).nullable(),
});

/** Two runs or more over the same queries: differences, whether they are real, and what follows. */
export const scoreComparisonSchema = z.looseObject({
  /** 2 since `interval` is the wider one of two. */
  schema_version: z.union([z.literal(1), z.literal(2)]),
  kind: z.literal("score_comparison"),
  /** The first is the baseline. */
  runs: z.array(
    z.object({
      run: z.string(),
      ...runFactsSchema.shape,
      /** Over all of the run's own scored queries, by printed name. */
      means: z.record(z.string(), score),
      queries: count,
      latency_ms: latencySchema.nullable(),
      /** Null or absent where it is not known whether results failed. */
      failed_results: failedResultsSchema.nullish(),
    }),
  ),
  /** Printed names, in the order of every table. */
  metrics: z.array(z.string()),
  metric_cards: z.record(z.string(), metricCardSchema),
  /** Lowest grade that is relevant. */
  relevant_from: z.number(),
  conventions: conventionsSchema.nullable(),
  settings: comparisonSettingsSchema,
  comparisons: z.array(runComparisonSchema),
  /** Every run against every other by the primary metric; null for two runs. */
  all_pairs: z
    .array(
      z.object({
        run_a: z.string(),
        run_b: z.string(),
        difference: score,
        p: pValue,
        p_adjusted: pValue,
        p_tukey: pValue,
        p_randomized_tukey: pValue,
      }),
    )
    .nullable(),
  /**
   * For more than two runs every run by every metric, in the order of `runs` and of `metrics`: two runs that
   * share a letter of `groups` do not differ significantly by the metric: by the test of the settings for the
   * primary one, by the paired t test for the others. Null for two runs, absent before.
   */
  leaderboard: z
    .array(
      z.object({
        run: z.string(),
        scores: z.array(
          z.object({
            metric: z.string(),
            mean: score,
            /** Of the mean of the primary metric, as in a report on one run. */
            interval,
            /** Null where there are more groups than letters. */
            groups: z.array(z.string()).nullable(),
          }),
        ),
      }),
    )
    .nullish(),
  per_query: z.array(comparedQuerySchema),
  warnings: z.array(warningSchema),
});

/** A test of paired differences. */
export type PairedTestName = keyof typeof pairedTestLabels;
/** A way to adjust p values. */
export type CorrectionName = keyof typeof correctionLabels;
/** What a comparison can come to. */
export type VerdictKind = (typeof verdictKinds)[number];
/** What a run says of itself. */
export type RunFacts = z.infer<typeof runFactsSchema>;
/** How differences were tested and when they count. */
export type ComparisonSettings = z.infer<typeof comparisonSettingsSchema>;
/** The paired differences of one metric. */
export type FailedResults = z.infer<typeof failedResultsSchema>;
/** The paired differences of one metric. */
export type MetricDifference = z.infer<typeof metricDifferenceSchema>;
/** Whether unjudged hits could overturn a difference. */
export type UnjudgedDoubt = z.infer<typeof unjudgedDoubtSchema>;
/** What a comparison comes to, and why. */
export type Verdict = z.infer<typeof verdictSchema>;
/** The queries of one kind. */
export type Slice = z.infer<typeof sliceSchema>;
/** An unjudged hit that is worth judging. */
export type JudgeNext = z.infer<typeof judgeNextSchema>;
/** One run against the baseline. */
export type RunComparison = z.infer<typeof runComparisonSchema>;
/** What became of a relevant item in one run. */
export type Fate = z.infer<typeof fateSchema>;
/** A query in every run. */
export type ComparedQuery = z.infer<typeof comparedQuerySchema>;
/** Two runs or more over the same queries. */
export type ScoreComparison = z.infer<typeof scoreComparisonSchema>;
