import * as z from "zod";

const share = z.number().nullable();

/** How one wording of an intent fared. */
export const paraphraseVariantSchema = z.object({
  query_id: z.string(),
  query: z.string(),
  /** Recall of the expected documents in the top 10; null when none are expected. */
  recall_narrow: share,
  /** The same in the top 50. */
  recall_pool: share,
  class: z.enum(["ok", "mis_ranked", "missing", "no_expected"]),
});

/** Several wordings of one intent. */
export const paraphraseGroupSchema = z.object({
  group: z.string(),
  variants: z.array(paraphraseVariantSchema),
  /** Highest minus lowest `recall_narrow`; null when no variant has one. */
  spread: share,
  /** Lowest `recall_narrow`. */
  worst: share,
  ok: z.number(),
  mis_ranked: z.number(),
  missing: z.number(),
  /** Whether every checked answer passed its text checks; null when none was checked. */
  answers_pass: z.boolean().nullable(),
});

/** How steady a run is when one intent is worded differently. */
export const paraphraseReportSchema = z.object({
  schema_version: z.literal(1).default(1),
  run_id: z.string(),
  groups: z.array(paraphraseGroupSchema),
  /** Groups with more mis-ranked than missing variants: a better ranking would help them. */
  mostly_mis_ranked: z.number(),
  /** Groups with more missing than mis-ranked variants: a better first stage would help them. */
  mostly_missing: z.number(),
  mean_spread: share,
  /** True when no hit of the run reached rank 50, so `recall_pool` may be too low. */
  pool_possibly_truncated: z.boolean(),
});

/** What became of one wording: all in the top 10, ranked too low, not found, or nothing expected. */
export type ParaphraseClass = z.infer<typeof paraphraseVariantSchema>["class"];
/** The wordings of one intent and how they fared. */
export type ParaphraseGroup = z.infer<typeof paraphraseGroupSchema>;
/** How steady a run is across wordings. */
export type ParaphraseReport = z.infer<typeof paraphraseReportSchema>;
