import { formatCount } from "../numbers/index.js";
/** The first of a list, and how many there are besides: `a, b and 3 more`. */
export function firstOf(texts: readonly string[], most: number): string {
  const hidden = texts.length - most;
  return `${texts.slice(0, most).join(", ")}${hidden > 0 ? ` and ${formatCount(hidden)} more` : ""}`;
}
