/** A number with its noun: `1 item`, `2 items`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`.replace(/([^aeiou])ys$/, "$1ies")}`;
}
