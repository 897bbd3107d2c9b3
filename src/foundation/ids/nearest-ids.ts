import { compareIds } from "./compare-ids.js";

/** The ids nearest to `id` by edit distance, best first: for "did you mean" in messages. */
export function nearestIds(id: string, known: Iterable<string>, most = 3): string[] {
  const limit = Math.max(2, Math.floor(id.length / 3));
  const scored: { id: string; distance: number }[] = [];
  for (const candidate of known) {
    if (Math.abs(candidate.length - id.length) > limit) continue;
    const distance = editDistance(id.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit) scored.push({ id: candidate, distance });
  }
  return scored
    .sort((a, b) => a.distance - b.distance || compareIds(a.id, b.id))
    .slice(0, most)
    .map((entry) => entry.id);
}

/** Levenshtein distance: the fewest insertions, deletions and substitutions. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
