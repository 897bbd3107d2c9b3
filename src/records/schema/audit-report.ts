import * as z from "zod";
import { count, share, text } from "./primitives.js";

const nullableShare = share.nullable();
const number = z.number();
const bounds = {
  value: number.nullable().describe("Null where it is not defined."),
  low: number.nullable().describe("Lower end of its interval; null for fewer than two queries."),
  high: number.nullable().describe("Upper end."),
};
/** What came of asking, by outcome. */
const answers = z.object({
  graded: count.describe("With a grade."),
  cannot_tell: count.describe("The rater could not tell."),
  invalid: count.describe("An answer that cannot be used."),
  refused: count.describe("The rater refused."),
});

/** One of the two whose labels are held against each other. */
export const auditedRaterSchema = z.object({
  name: text.describe("What it is called."),
  kind: z.enum(["people", "model"]).describe("`people`: persons, or an adjudicator; else a model."),
  rater: text.nullable().describe("Its identity; null where several persons are one."),
});

/** A pair of query and item, and what both raters say of it. */
export const auditedPairSchema = z.object({
  query_id: text.describe("Id of the query."),
  query: text.nullable().describe("Its text; null where texts are left out."),
  item: text.describe("Id of the item."),
  title: text.nullable().describe("What the item is called; null where it is not known, or left out."),
  first: z.int().describe("The grade of the first rater."),
  second: z.int().describe("The grade of the second rater."),
  first_reason: text.nullable().describe("Why, in the first rater's words."),
  second_reason: text.nullable().describe("Why, in the second rater's words."),
});

/** A label that should be checked. */
export const labelOutlierSchema = z.object({
  kind: z
    .enum(["irrelevant_at_rank_1", "same_title"])
    .describe("An Irrelevant that a system puts first, or items of one title with different labels."),
  query_id: text.describe("Id of the query."),
  query: text.nullable().describe("Its text; null where texts are left out."),
  items: z
    .array(z.object({ item: text.describe("Id of an item."), grade: z.int().describe("Its label.") }))
    .describe("The items that it is about."),
  title: text.nullable().describe("What they are called."),
  systems: z.array(text).describe("Systems that put the item first; none for a title."),
});

/** What two sets of labels say of the same systems. */
export const auditConclusionsSchema = z.object({
  metric: text.describe("The metric that decides, by its printed name."),
  queries: count.describe("Queries with scores by both."),
  systems: z
    .array(
      z.object({
        name: text.describe("The system."),
        first: number.describe("Its mean score by the labels of the first rater."),
        second: number.describe("Its mean score by those of the second."),
      }),
    )
    .describe("The systems, the best by the first rater before the others."),
  kendall_tau: number.nullable().describe("Kendall's tau-b of both orders; null for fewer than two values."),
  tau_ap: number
    .nullable()
    .describe(
      "As Kendall's tau, with mistakes at the top weighing more; the first rater's order is taken for true.",
    ),
  best_first: text.describe("The best system by the first rater."),
  best_second: text.describe("The best system by the second."),
  best_changes: share.describe(
    "Share of resamples of queries in which the two name another system the best.",
  ),
  pairs: count.describe("Pairs of systems."),
  wrong_signs: count.describe("Pairs of which the second rater prefers the other system."),
  near: z
    .object({
      below: number.describe("A pair is near where its scores by the first rater differ by no more."),
      pairs: count.describe("Such pairs."),
      wrong_signs: count.describe("Those of which the second rater prefers the other system."),
    })
    .describe("Pairs of systems that are nearly the same."),
});

/** One way in which a judge was tried. */
export const probeResultSchema = z.object({
  probe: z
    .enum(["query_words", "instruction", "length", "position", "company", "wording"])
    .describe("What it tries."),
  variant: text.describe("What was changed, such as `start`."),
  pairs: count.describe("Pairs with a grade both times."),
  below_2: count.describe("Those with a grade below 2 as they are."),
  lifted: count.describe("Of these, those with a grade of 2 or 3 when changed."),
  changed: count.describe("Pairs with another grade when changed."),
  unsteady: count.describe("Pairs with another grade when asked the same again."),
  shift: number
    .nullable()
    .describe("Mean of the changed grade minus the grade as it is; null without pairs."),
  excess: number
    .nullable()
    .describe("Mean of the changed grade minus that of asking the same again; null without pairs."),
  direction: z
    .enum(["up", "down", "either", "none"])
    .describe("What would be a defect: higher grades, lower ones, or both; of `none` it is no test."),
  p: number
    .nullable()
    .describe("Of the one-sided sign test of the excess, the smaller of two for `either`; null for no test."),
  is_alarm: z
    .boolean()
    .describe("Whether the change moves grades: both p and excess are beyond their limits."),
});

/** How a judge was tried, and what it did. */
export const judgeProbesSchema = z.object({
  judge: text.describe("What the judge is called."),
  seed: z.int().describe("Of the choice of pairs and their company."),
  batch_size: count.describe("Items in a request."),
  requests: count.describe("Requests that it took."),
  answers: answers.describe("What came of them, for the items that were looked at."),
  limits: z
    .object({
      p: share.describe("Most p of an alarm."),
      excess: number.describe("Least excess of an alarm."),
    })
    .describe("What makes an alarm."),
  steadiness: z
    .object({
      pairs: count.describe("Pairs with a grade both times."),
      unchanged: count.describe("Those with the same grade."),
      mean_change: number.nullable().describe("Mean size of the change, in grades; null without pairs."),
    })
    .describe("The same request twice."),
  results: z.array(probeResultSchema).describe("The probes, variant by variant."),
  skipped: z
    .array(z.object({ probe: text.describe("What it tries."), reason: text.describe("Why it was not run.") }))
    .describe("Probes that could not be run."),
});

/** What is wrong with labels, or with the judge behind them. */
export const auditFindingSchema = z.object({
  kind: z
    .enum([
      "invalid_answers",
      "constant",
      "chance",
      "inverted",
      "query_words",
      "instruction",
      "length",
      "position",
      "company",
      "wording",
    ])
    .describe("What it is."),
  sentence: text.describe("It in words."),
});

/** Two sets of labels of the same pairs, held against each other, and how the judge was tried. */
export const labelAuditSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  kind: z.literal("label_audit").describe("Tells it from other results."),
  audit_id: text.describe("Its id."),
  dataset: text.describe("Id of the dataset."),
  tenant: text.describe("Whose labels they are."),
  created_at: text.describe("When it was made, in UTC."),
  settings: z
    .object({
      seed: z.int().describe("Of the resamples."),
      resamples: count.describe("Resamples of queries."),
      confidence: share.describe("Share of the intervals."),
    })
    .describe(
      "How intervals are made: at each end the wider of percentiles of resamples of whole queries and of " +
        "Student's t by the jackknife.",
    ),
  first: auditedRaterSchema.describe("Whose labels are taken for true, where that matters."),
  second: auditedRaterSchema.describe("Whose labels are held against them."),
  counts: z
    .object({
      first: count.describe("Pairs that the first rater was asked for."),
      second: count.describe("Pairs that the second rater was asked for."),
      both: count.describe("Pairs with a grade of both, on which all figures rest."),
      queries: count.describe("Queries of these."),
      stale: count.describe("Pairs left out since the item has changed since it was labelled."),
    })
    .describe("How much there is."),
  answers: z
    .object({
      first: answers.describe("Of the first rater, over all its pairs."),
      second: answers.describe("Of the second rater, over all its pairs."),
    })
    .describe("What came of asking."),
  agreement: z
    .object({
      kappa: z.object(bounds).describe("Cohen's kappa."),
      quadratic_kappa: z.object(bounds).describe("Cohen's kappa, disagreements weighing as their square."),
      alpha_nominal: number.nullable().describe("Krippendorff's alpha, grades as names."),
      alpha_ordinal: number.nullable().describe("Krippendorff's alpha, grades as places in an order."),
      alpha_interval: number.nullable().describe("Krippendorff's alpha, grades as amounts."),
      bias: z.object(bounds).describe("Mean of the second grade minus the first."),
      exact: nullableShare.describe("Share of pairs with the same grade: without kappa it says nothing."),
      mean_absolute_error: number.nullable().describe("Mean size of the difference, in grades."),
      scale: z.array(z.int()).describe("The grades, rising."),
      confusion: z
        .array(z.array(count))
        .describe("Pairs by the grade of the first rater, then by that of the second."),
    })
    .describe("How far both agree."),
  by_grade: z
    .array(
      z.object({
        grade: z.int().describe("A grade."),
        first: count.describe("Pairs with it by the first rater."),
        second: count.describe("Pairs with it by the second rater."),
        both: count.describe("Pairs with it by both."),
        first_share: nullableShare.describe("Prevalence by the first rater."),
        second_share: nullableShare.describe("Prevalence by the second rater."),
        recall: nullableShare.describe("Share of the first rater's that the second finds."),
        precision: nullableShare.describe("Share of the second rater's that the first confirms."),
        bias: number
          .nullable()
          .describe("Mean of the second grade minus this one, of the first rater's pairs."),
      }),
    )
    .describe("Grade by grade."),
  by_query: z
    .array(
      z.object({
        query_id: text.describe("Id of the query."),
        query: text.nullable().describe("Its text; null where texts are left out."),
        pairs: count.describe("Pairs with both grades."),
        same: count.describe("Those with the same grade."),
        quadratic_kappa: number.nullable().describe("Null where both use one and the same grade."),
        mean_absolute_error: number.describe("Mean size of the difference, in grades."),
        bias: number.describe("Mean of the second grade minus the first."),
      }),
    )
    .describe("Query by query, the worst first."),
  by_spread: z
    .array(
      z.object({
        spread: count.describe("Largest minus smallest vote of the second rater."),
        pairs: count.describe("Pairs with it."),
        same: count.describe("Those of which both raters say the same."),
        mean_absolute_error: number.describe("Mean size of the difference, in grades."),
      }),
    )
    .describe("By how far the second rater's own votes lie apart; none where it has one vote a pair."),
  false_relevant: z
    .object({
      pairs: count.describe("Pairs that the first rater finds Irrelevant."),
      lifted: count.describe("Those to which the second gives 2 or 3."),
      low: share.describe("Lower end of Wilson's interval of their share."),
      high: share.describe("Upper end."),
    })
    .describe("Irrelevant by the first rater, and 2 or 3 by the second."),
  disagreements: z.array(auditedPairSchema).describe("The pairs that both differ most about."),
  ceiling: z
    .object({
      raters: count.describe("Persons."),
      pairs: count.describe("Pairs that two or more of them graded."),
      quadratic_kappa: number.nullable().describe("Mean over pairs of persons with pairs in common."),
      alpha_ordinal: number.nullable().describe("Krippendorff's alpha of all of them."),
    })
    .nullable()
    .describe("How far people agree with each other; null where no two graded the same pair."),
  outliers: z.array(labelOutlierSchema).describe("Labels that are worth a look."),
  conclusions: auditConclusionsSchema
    .nullable()
    .describe("What the difference does to conclusions; null without systems."),
  probes: judgeProbesSchema.nullable().describe("How the second rater was tried; null where it was not."),
  findings: z.array(auditFindingSchema).describe("What is wrong, where anything is."),
});
