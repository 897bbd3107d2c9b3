import * as z from "zod";

const correlation = z.number().nullable();

/** How alike the rankings of two runs are, without judgments. Means have 4 decimals. */
export const rankingAgreementSchema = z.looseObject({
  schema_version: z.literal(1),
  kind: z.literal("ranking_agreement"),
  run_a: z.string(),
  run_b: z.string(),
  settings: z.object({
    /** Of Jaccard's index. */
    cutoff: z.number(),
    /** Hits looked at; null for all. */
    depth: z.number().nullable(),
    /** Of rank-biased overlap. */
    persistence: z.number(),
  }),
  /** Over the queries that have a value; null for none. */
  means: z.object({ rbo: correlation, jaccard: correlation, kendall_tau: correlation, tau_ap: correlation }),
  /** The queries that changed most first. */
  per_query: z.array(
    z.object({
      query_id: z.string(),
      /** Rank-biased overlap, extrapolated: 1 for the same ranking, 0 for nothing in common. */
      rbo: z.number(),
      /** The share of the hits of both down to the cutoff that both have. */
      jaccard: z.number(),
      /** Over the items that both rankings have; null for fewer than two. */
      kendall_tau: correlation,
      tau_ap: correlation,
      hits_a: z.number(),
      hits_b: z.number(),
      shared: z.number(),
    }),
  ),
});

/** How alike the rankings of two runs are. */
export type RankingAgreement = z.infer<typeof rankingAgreementSchema>;
