import { checkPairs, type NumberList } from "./check-pairs.js";
import { correlationPValue } from "./correlation-p-value.js";
import { denseRanks, type DenseRanks } from "./dense-ranks.js";

/** Spearman's rho of two lists of values. */
export interface SpearmanCorrelation {
  /** From -1 to 1; null when one list has no two different values. */
  readonly rho: number | null;
  /** Two-sided; null as above, and for fewer than three pairs. */
  readonly p: number | null;
}

/**
 * Do two lists put the same things in nearly the same places?
 *
 * Formula: Pearson's r of the ranks, equal values sharing the mean of theirs; p from Student's t with n - 2
 * degrees of freedom. Edges: a list without two different values: null. The same or the opposite order: p =
 * 0; the t distribution is a poor approximation for fewer than about ten pairs, and `kendallTau` has the
 * exact value there. Agrees with `scipy.stats.spearmanr`, and is 1 or -1 to the last bit where that order is
 * the same or the opposite. Paper: Spearman, https://doi.org/10.2307/1412159.
 *
 * `spearman([1, 2, 3, 4], [1, 2, 4, 3]).rho // => 0.8`
 *
 * @throws InputError `ARGUMENT` when the lists differ in length, or a value is not a number.
 */
export function spearman(x: NumberList, y: NumberList): SpearmanCorrelation {
  const lists = checkPairs("spearman", x, y);
  const [a, b] = [centreRanks(denseRanks(lists[0])), centreRanks(denseRanks(lists[1]))];
  const [squaresX, squaresY, products] = [dot(a, a), dot(b, b), dot(a, b)];
  if (squaresX === 0 || squaresY === 0) return { rho: null, p: null };
  const rho = Math.max(-1, Math.min(1, products / Math.sqrt(squaresX * squaresY)));
  // Whole numbers, subtracted before anything is rounded.
  const whole = BigInt(squaresX) * BigInt(squaresY);
  const unexplained = Number(whole - BigInt(products) ** 2n) / Number(whole);
  return { rho, p: correlationPValue(rho, Math.max(0, unexplained), x.length) };
}

/**
 * Twice the distance of each rank from the middle one: a whole number, where ranks shared by equal values
 * have halves.
 */
function centreRanks({ ranks, counts }: DenseRanks): Float64Array {
  const ofRank = new Float64Array(counts.length);
  let before = 0;
  counts.forEach((count, rank) => {
    ofRank[rank] = 2 * before + count - ranks.length;
    before += count;
  });
  return Float64Array.from(ranks, (rank) => ofRank[rank] as number);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}
