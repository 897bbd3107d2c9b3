/** What a test looks for: any difference, a mean above 0, or a mean below 0. */
export type Alternative = "two-sided" | "greater" | "less";
