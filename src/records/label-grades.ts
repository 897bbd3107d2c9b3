/** The scale of labels: grade, name, meaning. */
export const labelGrades = [
  { grade: 0, name: "Irrelevant", meaning: "wrong type, or an important conflict" },
  {
    grade: 1,
    name: "Weakly Relevant",
    meaning: "a weak substitute: same scenario, style or broad category",
  },
  {
    grade: 2,
    name: "Mostly Relevant",
    meaning: "main intent; a strong substitute; some attributes missing, weaker or slightly off",
  },
  {
    grade: 3,
    name: "Fully Relevant",
    meaning: "the intended type and all explicit required attributes",
  },
] as const;

/** The grades of the scale, rising. */
export const LABEL_SCALE = [0, 1, 2, 3] as const;
export const TOP_LABEL_GRADE = 3;

/** Whether a value is a grade of the scale. */
export function isLabelGrade(value: unknown): value is number {
  return (LABEL_SCALE as readonly unknown[]).includes(value);
}
