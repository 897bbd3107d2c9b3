import * as z from "zod";
import { metricCardSchema, warningSchema } from "./aggregate.js";

/** Everything about which evaluation tools disagree, and what was decided. */
export const conventionsSchema = z.object({
  profile: z.string(),
  /**
   * Hits of equal score: by id descending as trec_eval, the mean over all orders, or in the order of the
   * input.
   */
  ties: z.enum(["trec", "expected", "input"]),
  /** The precision in which scores are held. */
  precision: z.enum(["double", "single"]),
  /** Averaged over all judged queries, or over those that the run answers. */
  queries: z.enum(["judged", "intersection"]),
  /** A query without anything relevant scores 0 and counts, is left out, or scores 1. */
  noRelevant: z.enum(["zero", "skip", "one"]),
  /** Unjudged hits are not relevant, or are left out of the ranking first. */
  unjudged: z.enum(["irrelevant", "remove"]),
  /** Of the same item twice in one ranking the first counts, it is an error, or each counts. */
  duplicates: z.enum(["first", "error", "count"]),
  /** Grades as they are, or cut to whole numbers as C does. */
  grades: z.enum(["as given", "cut"]),
  /** Means are rounded once, or are sums in the order of the query ids divided by their number. */
  means: z.enum(["exact", "in order"]),
  /** Whether a hit with the id of its query counts. */
  identicalIds: z.enum(["keep", "drop"]),
  /** Hits looked at; null for all. */
  depth: z.number().nullable(),
});

/** Lowest and highest value that something could have had. */
const span = z.object({ low: z.number(), high: z.number() });

/**
 * The scores of one run against judgments. Aggregates have 4 decimals, the scores of queries all of theirs.
 */
export const evaluationRecordSchema = z.looseObject({
  schema_version: z.literal(1),
  run: z.string().nullable(),
  conventions: conventionsSchema,
  /** Aggregates by printed name of the metric. */
  metrics: z.record(z.string(), z.number()),
  metric_cards: z.record(z.string(), metricCardSchema),
  /**
   * What the aggregates would be with tied hits in the worst and in the best order; null unless asked for.
   */
  tie_spread: z.record(z.string(), span).nullable(),
  /**
   * What the aggregates could be, were every unjudged hit judged; null unless asked for. A metric without an
   * exact form is absent.
   */
  bounds: z.record(z.string(), span).nullable(),
  /** Scores by query id, in the order of `metrics`; null unless asked for. */
  per_query: z.array(z.object({ query_id: z.string(), scores: z.array(z.number()) })).nullable(),
  counts: z.object({
    /** Queries that the aggregates are over. */
    queries: z.number(),
    /** Judged queries that the run does not answer. */
    missing_queries: z.number(),
    /** Queries of the run without judgments. */
    unjudged_queries: z.number(),
    /** Queries without anything relevant. */
    no_relevant: z.number(),
    hits: z.number(),
    unjudged_hits: z.number(),
    /**
     * Queries with hits of equal score, and those of them where such hits stand on both sides of a cutoff.
     */
    tied_queries: z.number(),
    ties_at_cutoff: z.number(),
    /** Hits that repeat an item of the same query. */
    duplicates: z.number(),
  }),
  warnings: z.array(warningSchema),
});

/** Everything about which evaluation tools disagree, and what was decided. */
export type Conventions = z.infer<typeof conventionsSchema>;
/** The scores of one run against judgments, as they are stored. */
export type EvaluationRecord = z.infer<typeof evaluationRecordSchema>;
/** How much was scored, and what could not be. */
export type EvaluationCounts = EvaluationRecord["counts"];
