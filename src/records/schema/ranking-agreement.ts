import * as z from "zod";

const correlation = z.number().nullable();

/** How alike the rankings of two runs are, without judgments. Means have 4 decimals. */
export const rankingAgreementSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("ranking_agreement").describe("Tells it from other results."),
  run_a: z.string().describe("Name of the first run."),
  run_b: z.string().describe("Name of the second run."),
  settings: z
    .object({
      cutoff: z.number().describe("Of Jaccard's index."),
      depth: z.number().nullable().describe("Hits looked at; null for all."),
      persistence: z.number().describe("Of rank-biased overlap."),
    })
    .describe("How agreement was measured."),
  means: z
    .object({
      rbo: correlation.describe("Rank-biased overlap; from 0 to 1."),
      jaccard: correlation.describe("Jaccard's index; from 0 to 1."),
      kendall_tau: correlation.describe("Kendall's tau-b; from -1 to 1."),
      tau_ap: correlation.describe("Tau AP, which weighs the top more; from -1 to 1."),
    })
    .describe("Over the queries that have a value; null for none."),
  per_query: z
    .array(
      z.object({
        query_id: z.string().describe("The query."),
        rbo: z
          .number()
          .describe("Rank-biased overlap, extrapolated: 1 for the same ranking, 0 for nothing in common."),
        jaccard: z.number().describe("The share of the hits of both down to the cutoff that both have."),
        kendall_tau: correlation.describe("Over the items that both rankings have; null for fewer than two."),
        tau_ap: correlation.describe("Over the same items; null for fewer than two."),
        hits_a: z.number().describe("Hits of the first run."),
        hits_b: z.number().describe("Hits of the second run."),
        shared: z.number().describe("Hits that both have."),
      }),
    )
    .describe("The queries that changed most first."),
});
