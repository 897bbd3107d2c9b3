import { incompleteBeta } from "./incomplete-beta.js";

/**
 * The two-sided p value of a correlation coefficient: Student's t with n - 2 degrees of freedom.
 *
 * @param unexplained 1 - r^2, given apart: computed from an r that is 1 but for its last bit it would have no
 * digit left.
 * @returns null for fewer than three pairs, where every r is -1 or 1.
 */
export function correlationPValue(r: number, unexplained: number, n: number): number | null {
  return n < 3 ? null : incompleteBeta((n - 2) / 2, 0.5, unexplained, r * r);
}
