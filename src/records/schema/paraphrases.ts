import * as z from "zod";

const share = z.number().nullable();

/** What became of one wording. */
export const paraphraseClassSchema = z.enum(["ok", "mis_ranked", "missing", "no_expected"]);

/** How one wording of an intent fared. */
export const paraphraseVariantSchema = z.object({
  query_id: z.string().describe("The golden query."),
  query: z.string().describe("Its text."),
  recall_narrow: share.describe(
    "Recall of the expected documents in the top 10; null when none are expected.",
  ),
  recall_pool: share.describe("The same in the top 50."),
  class: paraphraseClassSchema.describe(
    "`ok`: all expected documents in the top 10; `mis_ranked`: more of them in the top 50 than in the " +
      "top 10; `missing`: no more of them; `no_expected`: none are expected.",
  ),
});

/** Several wordings of one intent. */
export const paraphraseGroupSchema = z.object({
  group: z.string().describe("The `group` that the golden queries share."),
  variants: z.array(paraphraseVariantSchema).describe("Every wording."),
  spread: share.describe("Highest minus lowest `recall_narrow`; null when no variant has one."),
  worst: share.describe("Lowest `recall_narrow`."),
  ok: z.number().describe("Variants that are `ok`."),
  mis_ranked: z.number().describe("Variants that are `mis_ranked`."),
  missing: z.number().describe("Variants that are `missing`."),
  answers_pass: z
    .boolean()
    .nullable()
    .describe("Whether every checked answer passed its text checks; null when none was checked."),
});

/** How steady a run is when one intent is worded differently. */
export const paraphraseReportSchema = z.object({
  schema_version: z.literal(1).default(1).describe("Version of this shape."),
  run_id: z.string().describe("The run."),
  groups: z.array(paraphraseGroupSchema).describe("Every group of the golden set."),
  mostly_mis_ranked: z
    .number()
    .describe("Groups with more mis-ranked than missing variants: a better ranking would help them."),
  mostly_missing: z
    .number()
    .describe("Groups with more missing than mis-ranked variants: a better first stage would help them."),
  mean_spread: share.describe("Mean of the groups' spreads; null where none has one."),
  pool_possibly_truncated: z
    .boolean()
    .describe("True when no hit of the run reached rank 50, so `recall_pool` may be too low."),
});
