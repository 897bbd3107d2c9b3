import { formatP } from "./format-p.js";

/** A p value within a sentence: `p = 0.0312`, `p < 0.0001`. */
export function formatPInProse(p: number | null): string {
  if (p === null) return "p unknown";
  const printed = formatP(p);
  return printed.startsWith("<") ? `p ${printed}` : `p = ${printed}`;
}
