/**
 * The order of ids: by code point, which is also the order of their UTF-8 bytes. Plain `<` compares UTF-16
 * code units and puts U+FFFF before U+10000 the wrong way round; locale order differs from machine to
 * machine.
 *
 * @returns negative when `a` comes first, positive when `b` does, 0 when they are the same.
 */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xHalf = x >= 0xd800 && x <= 0xdfff;
    const yHalf = y >= 0xd800 && y <= 0xdfff;
    return xHalf === yHalf ? x - y : xHalf ? 1 : -1;
  }
  return a.length - b.length;
}

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
