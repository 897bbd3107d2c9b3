import * as z from "zod";
import { warningSchema } from "./aggregate.js";
import { scoreComparisonSchema } from "./score-comparison.js";

const score = z.number();
const count = z.int().min(0);
const milliseconds = z.number().min(0);
const text = z.string();

/** Whether vectors come from hashes, the same on every machine, or from a real provider that is tried out. */
export const benchTiers = ["offline", "live_shadow"] as const;

/**
 * The scores of one mode over some cases, at 4 decimals. Besides these `recall_at_5`, `mrr_at_5` and
 * `ndcg_at_5` (exponential gain), named by the `top_k` of the cases; `recall_at_k` and so on where cases
 * differ in it.
 */
export const benchScoresSchema = z
  .object({
    case_count: count,
    /** Share of cases with anything of grade 1 or more within `top_k`. */
    evidence_hit_rate: score,
    avg_latency_ms: milliseconds,
    /** The nearest rank. */
    p95_latency_ms: milliseconds,
  })
  .catchall(score);

/** What one mode returned for one case. */
export const benchCaseSchema = z.object({
  case_id: text,
  /** What was found, best first: chunk refs, or documents. Deeper than `top_k`, which the scores look at. */
  ranked: z.array(text),
  /**
   * By the first documents of `ranked` the chunk that was found; absent where documents are not cut, or
   * chunks are judged.
   */
  passages: z.array(text).optional(),
  recall: score,
  mrr: score,
  ndcg: score,
  is_hit: z.boolean(),
  /** The median over the repeats. */
  latency_ms: milliseconds,
  /** What the retriever failed with, if it did; then nothing was found. */
  error: text.nullable(),
});

/** One way to retrieve, measured. */
export const benchModeSchema = z.object({
  /** `fts_only`, `embedding_only`, `hybrid`; `hybrid@live` in the live tier; a name of your own. */
  mode: text,
  tier: z.enum(benchTiers),
  /** What it consists of, in words. */
  description: text,
  /** The embedding model, null where there is none. */
  embedding_model: text.nullable(),
  /** How a hybrid fuses its channels: `rrf(k=60)`. */
  fusion: text.optional(),
  overall: benchScoresSchema,
  by_query_type: z.record(text, benchScoresSchema),
  per_case: z.array(benchCaseSchema),
});

const difference = z.object({ difference: score, low: score, high: score });

/** How one mode does against `fts_only`. */
export const benchEvidenceSchema = z.object({
  mode: text,
  /** Differences of the means, with their intervals; null for fewer than 5 cases. */
  ndcg: difference.nullable(),
  evidence_hit_rate: difference.nullable(),
  p95_latency_ms: milliseconds,
  /** nDCG's interval lies above the margin, and that of the hit rate not below 0. */
  improves: z.boolean(),
  is_within_budget: z.boolean(),
  /** Cases that would tell its difference from the margin; null where no number would. */
  cases_needed: z.int().nullable(),
});

/** What to run, and why. */
export const benchDecisionSchema = z.object({
  outcome: z.enum(["keep_hybrid", "keep_embedding_only", "fall_back_to_fts_only", "inconclusive"]),
  /** The first rule that held. */
  rule: z.enum(["hybrid_improves", "embedding_improves", "latency", "no_gain", "undecided"]),
  /** The mode to run until there is better evidence. */
  run: text,
  tier: z.enum(benchTiers),
  /** One sentence. */
  headline: text,
  /** Further sentences, the weightiest first. */
  reasons: z.array(text),
  margin: score,
  confidence: score,
  latency_budget_ms: milliseconds,
  seed: z.int(),
  resamples: count,
  evidence: z.array(benchEvidenceSchema),
  cases_needed: z.int().nullable(),
  /** What to switch off if the numbers do not hold. */
  rollback: text,
});

/** The labels that a person gives to a hit. */
export const sampleLabels = ["grounded", "broad", "miss"] as const;

/** One hit on a sheet for people. Which modes found it is not said. */
export const sampleRowSchema = z.object({
  case_id: text,
  query_type: text,
  query: text,
  item: text,
  text,
  /** Null until the sheet is labelled. */
  label: z.enum(sampleLabels).nullable(),
});

/** What people said of the hits that they looked at. */
export const samplePassSchema = z.object({
  /** Labelled, and how many a sheet should have: 20, or all that anything was found for. */
  queries: count,
  queries_due: count,
  /** Labelled hits, each counted once, and those that are not labelled yet. */
  hits: count,
  unlabelled: count,
  /** By mode: how many of its places have each label; `empty` are those where it found nothing. */
  modes: z.array(z.object({ mode: text, grounded: count, broad: count, miss: count, empty: count })),
  /** The mode that is held against `fts_only`. */
  against: text,
  /**
   * `unchanged` where no place of any query differs; `cannot_tell` where some do and the test does not tell
   * them from chance.
   */
  answer: z.enum(["more_relevant", "more_vague", "less_relevant", "unchanged", "cannot_tell"]),
  /**
   * The mean difference of the share of grounded places over the queries, its 95 % interval (null where all
   * differ by the same), and the p value of the paired randomization test. Earlier versions had none.
   */
  grounded: z
    .object({
      difference: score,
      interval: z.object({ low: score, high: score }).nullable(),
      p: z.number().min(0).max(1),
    })
    .optional(),
  headline: text,
});

/** What has to be there before embeddings are promoted. */
export const checklistItemSchema = z.object({
  item: z.enum(["judged_dataset", "side_by_side", "metrics", "manual_sampling", "rollback"]),
  is_done: z.boolean(),
  /** What there is, or what to do. */
  note: text,
});

/** Retrieval modes side by side on one fixture, and the decision. */
export const benchReportSchema = z.looseObject({
  schema_version: z.literal(1),
  kind: z.literal("bench_report"),
  fixture: z.object({
    name: text,
    version: text.nullable(),
    description: text,
    /** Of chunks, cases and judgments: the same digest, the same benchmark. */
    digest: text,
    /** What is judged. */
    unit: z.enum(["chunk", "doc"]),
    chunker_version: text,
    chunks: count,
    cases: count,
    /** How many cases have each type, in the order of the fixture. */
    query_types: z.array(z.object({ query_type: text, cases: count })),
  }),
  settings: z.looseObject({
    /** Measured times per case after the warm-up; the latency is their median. */
    repeats: count,
    /** Cases that each mode answers beforehand, unmeasured. */
    warm_up: count,
    /** Hits that were asked for. */
    depth: count,
    /** The `top_k` of all cases; null where they differ. */
    top_k: z.int().nullable(),
  }),
  modes: z.array(benchModeSchema),
  /**
   * Every other mode against `fts_only`: differences, intervals, tests, slices by query type. Null without
   * `fts_only`, or with one mode.
   */
  comparison: scoreComparisonSchema.nullable(),
  /** Null where `fts_only` or both embedding modes are missing. */
  decision: benchDecisionSchema.nullable(),
  sampling: samplePassSchema.nullable(),
  checklist: z.array(checklistItemSchema),
  /** Whether embeddings may be promoted: the decision keeps them, and nothing of the checklist is missing. */
  may_promote: z.boolean(),
  warnings: z.array(warningSchema),
});

/** Offline, or with a real provider. */
export type BenchTier = (typeof benchTiers)[number];
/** The scores of one mode over some cases. */
export type BenchScores = z.infer<typeof benchScoresSchema>;
/** What one mode returned for one case. */
export type BenchCaseResult = z.infer<typeof benchCaseSchema>;
/** One way to retrieve, measured. */
export type BenchMode = z.infer<typeof benchModeSchema>;
/** How one mode does against `fts_only`. */
export type BenchEvidence = z.infer<typeof benchEvidenceSchema>;
/** What to run, and why. */
export type BenchDecision = z.infer<typeof benchDecisionSchema>;
/** What a person says of a hit. */
export type SampleLabel = (typeof sampleLabels)[number];
/** One hit on a sheet for people. */
export type SampleRow = z.infer<typeof sampleRowSchema>;
/** What people said of the hits that they looked at. */
export type SamplePass = z.infer<typeof samplePassSchema>;
/** What has to be there before embeddings are promoted. */
export type ChecklistItem = z.infer<typeof checklistItemSchema>;
/** Retrieval modes side by side on one fixture, and the decision. */
export type BenchReport = z.infer<typeof benchReportSchema>;
