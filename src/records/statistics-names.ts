/** The tests of paired differences, by name, as reports write them. */
export const pairedTestLabels = {
  randomization: "paired randomization (sign flips), two-sided",
  t: "paired t, two-sided",
  wilcoxon: "Wilcoxon signed-rank, two-sided",
  sign: "sign test, two-sided",
} as const;

/** The ways to adjust the p values of a family of tests, by name, as reports write them. */
export const correctionLabels = {
  holm: "Holm",
  bonferroni: "Bonferroni",
  hochberg: "Hochberg",
  hommel: "Hommel",
  "benjamini-hochberg": "Benjamini-Hochberg",
  "benjamini-yekutieli": "Benjamini-Yekutieli",
  none: "none",
} as const;
