/** A grade as one character of a strip: what is negative, fractional or of two digits is the digit next to it. */
export function gradeCharacter(grade: number): string {
  return String(Math.max(0, Math.min(9, Math.round(grade))));
}
