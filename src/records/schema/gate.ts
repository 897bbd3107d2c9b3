import * as z from "zod";

/** One rule held against one run. */
export const gatedRuleSchema = z.looseObject({
  /** As it is printed: `nDCG@10 >= 0.45`. */
  rule: z.string(),
  /** The run that it was held against; null where the result does not name it. */
  run: z.string().nullable(),
  /** What was found, such as the score; null where nothing was measured, which never passes. */
  value: z.union([z.number(), z.string()]).nullable(),
  passed: z.boolean(),
  /** What was found and what was asked for, in words. */
  why: z.string(),
  /** What may mislead in it: a rule that could not have failed, for example. */
  warning: z.string().optional(),
});

/** What rules say about a result. */
export const gateReportSchema = z.looseObject({
  schema_version: z.literal(1),
  /** Whether every rule passed for every run. */
  passed: z.boolean(),
  /** In the order of the rules; of one rule, in the order of the runs. */
  rules: z.array(gatedRuleSchema),
});

/** One rule held against one run: what was found, and whether it passes. */
export type GatedRule = z.infer<typeof gatedRuleSchema>;
/** What rules say about a result, rule by rule. */
export type GateReport = z.infer<typeof gateReportSchema>;
