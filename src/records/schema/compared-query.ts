import * as z from "zod";
import { rank, score } from "./primitives.js";

/** What became of a relevant item in one run. */
export const fateSchema = z.object({
  rank: rank.describe("Its rank; null when it did not come back."),
  channels: z
    .record(z.string(), rank)
    .describe("Its rank in each channel that the run tells of, such as `lexical` and `embedding`."),
  fate: z
    .enum(["found", "cut_off", "lost_by_fusion", "never_retrieved", "not_in_index"])
    .describe(
      "`found` within the cutoff, `cut_off` below it, `lost_by_fusion` when a channel had it within " +
        "the cutoff, `never_retrieved`, `not_in_index`.",
    ),
});

/** A query in every run. */
export const comparedQuerySchema = z.object({
  query_id: z.string().describe("The query."),
  query: z.string().nullable().describe("Null where its text is unknown."),
  labels: z.record(z.string(), z.string()).describe("What slices are made by: `lang` to `ko`."),
  scores: z
    .array(z.array(score))
    .describe(
      "By run in the order of `runs`, then by metric in the order of `metrics`; null where a run has " +
        "no score.",
    ),
  rankings: z
    .array(
      z.array(
        z.object({
          id: z.string().describe("Id of the hit."),
          grade: z.number().nullable().describe("Its grade; null for an unjudged hit."),
        }),
      ),
    )
    .nullable()
    .describe(
      "The first hits of each run, in the order of `runs`; a grade of null is unjudged. Null where the " +
        "rankings were not kept.",
    ),
  overlap: z
    .array(z.number())
    .nullable()
    .describe(
      "By run how alike its ranking is to the baseline's, without regard to judgments: rank-biased " +
        "overlap of the first 100 hits, from 0 to 1. Null where the rankings were not kept.",
    ),
  first_relevant: z
    .array(rank)
    .nullish()
    .describe(
      "By run the rank of its first relevant hit, null where there is none; null or absent where the " +
        "rankings were not kept.",
    ),
  errors: z
    .array(z.string().nullable())
    .optional()
    .describe("By run what its result failed with, null where it did not; absent where no run failed."),
  expected: z
    .array(
      z.object({
        id: z.string().describe("Id of the item."),
        grade: z.number().describe("Its grade."),
        runs: z.array(fateSchema).describe("What became of it, by run."),
      }),
    )
    .nullable()
    .describe("The relevant items, best grade first, and what became of each in every run."),
});
