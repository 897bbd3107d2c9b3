/** Every pair of the numbers below `count`, in order. */
export function pairsOf(count: number): (readonly [first: number, second: number])[] {
  return Array.from({ length: count }, (_, first) =>
    Array.from({ length: count - first - 1 }, (_, rest) => [first, first + 1 + rest] as const),
  ).flat();
}
