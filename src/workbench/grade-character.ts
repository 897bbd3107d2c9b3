/** A grade as one character of a strip: a negative, fractional or longer one is the digit next to it. */
export function gradeCharacter(grade: number): string {
  return String(Math.max(0, Math.min(9, Math.round(grade))));
}
