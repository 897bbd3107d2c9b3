import { formatCount } from "./format-count.js";

/**
 * A count with its noun: `1 query`, `12,500 queries`.
 *
 * @param many the plural, where the noun has one of its own.
 */
export function countOf(
  count: number,
  noun: string,
  many = `${noun}s`.replace(/([^aeiou])ys$/, "$1ies"),
): string {
  return `${formatCount(count)} ${count === 1 ? noun : many}`;
}
