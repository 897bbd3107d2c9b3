/** Shorter names are near to too many others; letters that are exchanged say more. */
const [SHORTEST, SHORTEST_EXCHANGED] = [6, 5];

/**
 * Whether one name is another one with a slip of the finger: a letter too many, too few or wrong, two of them
 * exchanged, or written with other capitals or underscores.
 */
export function isSlip(given: string, right: string): boolean {
  const [a, b] = [plain(given), plain(right)];
  if (a === b) return given !== right;
  if (a.length < SHORTEST_EXCHANGED || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)) return true;
  return (
    a.length >= SHORTEST &&
    (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1))
  );
}

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");
