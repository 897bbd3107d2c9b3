/**
 * The labels of the first hits, to be read at a glance: `1:L3 | 2:L? | 3:L0`; empty for no hits.
 *
 * @param labels by rank from the first; null for a hit without a label.
 */
export function labelSequence(labels: readonly (number | null)[], depth: number): string {
  return labels
    .slice(0, depth)
    .map((label, at) => `${at + 1}:L${label ?? "?"}`)
    .join(" | ");
}
