import * as z from "zod";
import { warningSchema } from "./aggregate.js";
import { scoreComparisonSchema } from "./score-comparison.js";
import { count } from "./primitives.js";

const score = z.number();
const milliseconds = z.number().min(0);
const text = z.string();

/** Whether vectors come from hashes, the same on every machine, or from a real provider that is tried out. */
export const benchTierSchema = z.enum(["offline", "live_shadow"]);

/**
 * The scores of one mode over some cases, at 4 decimals. Besides these `recall_at_5`, `mrr_at_5` and
 * `ndcg_at_5` (exponential gain), named by the `top_k` of the cases; `recall_at_k` and so on where cases
 * differ in it.
 */
export const benchScoresSchema = z
  .object({
    case_count: count.describe("Cases that the scores are over."),
    evidence_hit_rate: score.describe("Share of cases with anything of grade 1 or more within `top_k`."),
    avg_latency_ms: milliseconds.describe("Mean milliseconds of a case."),
    p95_latency_ms: milliseconds.describe("The nearest rank."),
  })
  .catchall(score);

/** What one mode returned for one case. */
export const benchCaseResultSchema = z.object({
  case_id: text.describe("The case of the fixture."),
  ranked: z
    .array(text)
    .describe(
      "What was found, best first: chunk refs, or documents. Deeper than `top_k`, which the scores look at.",
    ),
  passages: z
    .array(text)
    .optional()
    .describe(
      "By the first documents of `ranked` the chunk that was found; absent where documents are not " +
        "cut, or chunks are judged.",
    ),
  recall: score.describe("Recall at `top_k`; from 0 to 1."),
  mrr: score.describe("Reciprocal rank of the first relevant item within `top_k`; from 0 to 1."),
  ndcg: score.describe("nDCG at `top_k` with exponential gain; from 0 to 1."),
  is_hit: z.boolean().describe("Whether anything of grade 1 or more is within `top_k`."),
  latency_ms: milliseconds.describe("The median over the repeats."),
  error: text.nullable().describe("What the retriever failed with, if it did; then nothing was found."),
});

/** One way to retrieve, measured. */
export const benchModeSchema = z.object({
  mode: text.describe(
    "`fts_only`, `embedding_only`, `hybrid`; `hybrid@live` in the live tier; a name of your own.",
  ),
  tier: benchTierSchema.describe(
    "`offline`: vectors come from hashes; `live_shadow`: from a real provider that is tried out.",
  ),
  description: text.describe("What it consists of, in words."),
  embedding_model: text.nullable().describe("The embedding model, null where there is none."),
  fusion: text.optional().describe("How a hybrid fuses its channels: `rrf(k=60)`."),
  overall: benchScoresSchema.describe("Scores over all cases."),
  by_query_type: z.record(text, benchScoresSchema).describe("Scores over the cases of each query type."),
  per_case: z.array(benchCaseResultSchema).describe("Every case, in the order of the fixture."),
});

const difference = z.object({
  difference: score.describe("Mean of the mode minus that of `fts_only`."),
  low: score.describe("Lower end of its interval."),
  high: score.describe("Upper end of its interval."),
});

/** How one mode does against `fts_only`. */
export const benchEvidenceSchema = z.object({
  mode: text.describe("The mode that is held against `fts_only`."),
  ndcg: difference
    .nullable()
    .describe("Differences of the means, with their intervals; null for fewer than 5 cases."),
  evidence_hit_rate: difference.nullable().describe("The same of the share of cases with a hit."),
  p95_latency_ms: milliseconds.describe("95th percentile of its milliseconds."),
  improves: z
    .boolean()
    .describe("nDCG's interval lies above the margin, and that of the hit rate not below 0."),
  is_within_budget: z.boolean().describe("Whether that is within the budget."),
  cases_needed: z
    .int()
    .nullable()
    .describe("Cases that would tell its difference from the margin; null where no number would."),
});

/** What to run, and why. */
export const benchDecisionSchema = z.object({
  outcome: z
    .enum(["keep_hybrid", "keep_embedding_only", "fall_back_to_fts_only", "inconclusive"])
    .describe("What follows for embeddings."),
  rule: z
    .enum(["hybrid_improves", "embedding_improves", "latency", "no_gain", "undecided"])
    .describe("The first rule that held."),
  run: text.describe("The mode to run until there is better evidence."),
  tier: benchTierSchema.describe("The tier that was decided on."),
  headline: text.describe("One sentence."),
  reasons: z.array(text).describe("Further sentences, the weightiest first."),
  margin: score.describe("Differences of nDCG within it do not matter."),
  confidence: score.describe("Share of the intervals, such as 0.95."),
  latency_budget_ms: milliseconds.describe("Highest 95th percentile of milliseconds that is accepted."),
  seed: z.int().describe("Of everything that is drawn at random."),
  resamples: count.describe("Resamples of the bootstrap."),
  evidence: z.array(benchEvidenceSchema).describe("Every mode against `fts_only`."),
  cases_needed: z
    .int()
    .nullable()
    .describe("For an undecided benchmark: cases that would decide it; null where no number would."),
  rollback: text.describe("What to switch off if the numbers do not hold."),
});

/** The labels that a person gives to a hit. */
export const sampleLabelSchema = z.enum(["grounded", "broad", "miss"]);

/** One hit on a sheet for people. Which modes found it is not said. */
export const sampleRowSchema = z.object({
  case_id: text.describe("The case of the fixture."),
  query_type: text.describe("Its kind."),
  query: text.describe("Its text."),
  item: text.describe("Id of the hit."),
  text: text.describe("What the hit says."),
  label: sampleLabelSchema.nullable().describe("Null until the sheet is labelled."),
});

/** What people said of the hits that they looked at. */
export const samplePassSchema = z.object({
  queries: count.describe(
    "Labelled, and how many a sheet should have: 20, or all that anything was found for.",
  ),
  queries_due: count.describe("How many there should be."),
  hits: count.describe("Labelled hits, each counted once, and those that are not labelled yet."),
  unlabelled: count.describe("Hits that are not labelled yet."),
  modes: z
    .array(
      z.object({
        mode: text.describe("The mode."),
        grounded: count.describe("Places with a hit that answers the query."),
        broad: count.describe("Places with a hit that is too general."),
        miss: count.describe("Places with a hit that does not help."),
        empty: count.describe("Places where it found nothing."),
      }),
    )
    .describe("By mode: how many of its places have each label; `empty` are those where it found nothing."),
  against: text.describe("The mode that is held against `fts_only`."),
  answer: z
    .enum(["more_relevant", "more_vague", "less_relevant", "unchanged", "cannot_tell"])
    .describe(
      "`unchanged` where no place of any query differs; `cannot_tell` where some do and the test does " +
        "not tell them from chance.",
    ),
  grounded: z
    .object({
      difference: score.describe("Mean difference of the share of grounded places."),
      interval: z
        .object({ low: score.describe("Lower end."), high: score.describe("Upper end.") })
        .nullable()
        .describe("Its 95 % interval; null where all queries differ by the same."),
      p: z.number().min(0).max(1).describe("Of the paired randomization test, two-sided."),
    })
    .optional()
    .describe(
      "The mean difference of the share of grounded places over the queries, its 95 % interval (null " +
        "where all differ by the same), and the p value of the paired randomization test. Earlier " +
        "versions had none.",
    ),
  headline: text.describe("One sentence."),
});

/** What has to be there before embeddings are promoted. */
export const checklistItemSchema = z.object({
  item: z
    .enum(["judged_dataset", "side_by_side", "metrics", "manual_sampling", "rollback"])
    .describe("What has to be there."),
  is_done: z.boolean().describe("Whether it is."),
  note: text.describe("What there is, or what to do."),
});

/** Retrieval modes side by side on one fixture, and the decision. */
export const benchReportSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("bench_report").describe("Tells it from other results."),
  fixture: z
    .object({
      name: text.describe("Name of the fixture."),
      version: text.nullable().describe("Its version, if it says one."),
      description: text.describe("What it says of itself."),
      digest: text.describe("Of chunks, cases and judgments: the same digest, the same benchmark."),
      unit: z.enum(["chunk", "doc"]).describe("What is judged."),
      chunker_version: text.describe("What cut its documents."),
      chunks: count.describe("Chunks that were searched."),
      cases: count.describe("Queries."),
      query_types: z
        .array(z.object({ query_type: text.describe("Kind of query."), cases: count.describe("Its cases.") }))
        .describe("How many cases have each type, in the order of the fixture."),
    })
    .describe("What was searched."),
  settings: z
    .looseObject({
      repeats: count.describe("Measured times per case after the warm-up; the latency is their median."),
      warm_up: count.describe("Cases that each mode answers beforehand, unmeasured."),
      depth: count.describe("Hits that were asked for."),
      top_k: z.int().nullable().describe("The `top_k` of all cases; null where they differ."),
    })
    .describe("How it was measured."),
  modes: z.array(benchModeSchema).describe("The modes, `fts_only` first."),
  comparison: scoreComparisonSchema
    .nullable()
    .describe(
      "Every other mode against `fts_only`: differences, intervals, tests, slices by query type. Null " +
        "without `fts_only`, or with one mode.",
    ),
  decision: benchDecisionSchema
    .nullable()
    .describe("Null where `fts_only` or both embedding modes are missing."),
  sampling: samplePassSchema
    .nullable()
    .describe("What people said of sampled hits; null where no sheet was labelled."),
  checklist: z.array(checklistItemSchema).describe("What has to be there before embeddings are promoted."),
  may_promote: z
    .boolean()
    .describe(
      "Whether embeddings may be promoted: the decision keeps them, and nothing of the checklist is missing.",
    ),
  warnings: z.array(warningSchema).describe("What may mislead in this report."),
});
