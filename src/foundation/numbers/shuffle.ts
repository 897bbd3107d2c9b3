/** A random order: Fisher and Yates. */
export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  const order = [...values];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}
