import * as z from "zod";

/** One rule held against one run. */
export const gatedRuleSchema = z.looseObject({
  rule: z.string().describe("As it is printed: `nDCG@10 >= 0.45`."),
  run: z
    .string()
    .nullable()
    .describe("The run that it was held against; null where the result does not name it."),
  value: z
    .union([z.number(), z.string()])
    .nullable()
    .describe("What was found, such as the score; null where nothing was measured, which never passes."),
  passed: z.boolean().describe("Whether the run passes the rule."),
  why: z.string().describe("What was found and what was asked for, in words."),
  warning: z
    .string()
    .optional()
    .describe("What may mislead in it: a rule that could not have failed, for example."),
});

/** What rules say about a result. */
export const gateReportSchema = z.looseObject({
  schema_version: z.literal(1).describe("Version of this shape."),
  passed: z.boolean().describe("Whether every rule passed for every run."),
  rules: z
    .array(gatedRuleSchema)
    .describe("In the order of the rules; of one rule, in the order of the runs."),
});
