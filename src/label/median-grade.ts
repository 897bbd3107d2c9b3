import { ascending } from "../foundation/numbers/index.js";

/** The median of grades, the lower of the two middle ones for an even number; null of none. */
export function medianGrade(grades: readonly number[]): number | null {
  return [...grades].sort(ascending)[(grades.length - 1) >> 1] ?? null;
}
