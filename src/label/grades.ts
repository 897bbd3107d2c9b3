import { ascending } from "../foundation/numbers/index.js";

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

/** The median of grades, the lower of the two middle ones for an even number; null of none. */
export function medianGrade(grades: readonly number[]): number | null {
  return [...grades].sort(ascending)[(grades.length - 1) >> 1] ?? null;
}
