import { checkPairs, type NumberList } from "./check-pairs.js";
import { countingTree } from "./counting-tree.js";
import { denseRanks, type DenseRanks } from "./dense-ranks.js";
import { normalAbove } from "./normal.js";

/** Kendall's tau of two lists of values. */
export interface KendallTau {
  /** From -1 to 1; null when one list has no two different values. */
  readonly tauB: number | null;
  /** From -1 to 1; null when one list has no two different values. */
  readonly tauC: number | null;
  /** How probable so strong a correlation, of either sign, is without any; null as above. */
  readonly p: number | null;
  /** How the p value was found: by counting permutations, or from the normal distribution. */
  readonly method: "exact" | "asymptotic";
}

/** Up to so many pairs without ties the p value counts permutations, as in SciPy. */
const MOST_COUNTED = 33;

/**
 * Do two lists put the same things in the same order?
 *
 * Formula: with C concordant and D discordant pairs, P pairs in all, X and Y of them tied in one list: tau-b
 * = (C - D) / sqrt((P - X)(P - Y)); tau-c = 2 (C - D) m / (n^2 (m - 1)), m the smaller number of different
 * values. Edges: tau-b reaches 1 with ties only if both lists tie the same pairs; tau-c when the lists have
 * scales of different length. Where one list has no two different values, nothing is defined. The p value is
 * exact without ties for up to 33 values, or when one swap at most separates the order from the same or the
 * opposite one. Agrees with `scipy.stats.kendalltau`; the p value belongs to both variants. Paper: Kendall,
 * https://doi.org/10.1093/biomet/30.1-2.81 and https://doi.org/10.1093/biomet/33.3.239 (ties); Stuart, 1953
 * (tau-c); counted in n log n steps as in Knight, https://doi.org/10.1080/01621459.1966.10480879.
 *
 * `kendallTau([1, 2, 3], [1, 3, 2]).tauB // => 1 / 3`
 *
 * @throws InputError `ARGUMENT` when the lists differ in length, or a value is not a number.
 */
export function kendallTau(x: NumberList, y: NumberList): KendallTau {
  const lists = checkPairs("kendallTau", x, y);
  const n = x.length;
  const [first, second] = [denseRanks(lists[0]), denseRanks(lists[1])];
  const pairs = pairsOf(n);
  const tiedX = countTiedPairs(first.counts);
  const tiedY = countTiedPairs(second.counts);
  const { discordant, tiedInBoth } = countDiscordant(first, second);
  const isExact =
    tiedX === 0 && tiedY === 0 && (n <= MOST_COUNTED || Math.min(discordant, pairs - discordant) <= 1);
  const method = isExact ? "exact" : "asymptotic";
  if (tiedX === pairs || tiedY === pairs) return { tauB: null, tauC: null, p: null, method };
  const balance = pairs - tiedX - tiedY + tiedInBoth - 2 * discordant;
  const classes = Math.min(first.counts.length, second.counts.length);
  return {
    tauB: balance / Math.sqrt((pairs - tiedX) * (pairs - tiedY)),
    tauC: (2 * balance * classes) / (n * n * (classes - 1)),
    p: isExact
      ? exactP(n, Math.min(discordant, pairs - discordant))
      : 2 * normalAbove(Math.abs(balance) / Math.sqrt(balanceVariance(n, first.counts, second.counts))),
    method,
  };
}

function pairsOf(n: number): number {
  return (n * (n - 1)) / 2;
}

function countTiedPairs(counts: Uint32Array): number {
  return counts.reduce((sum, count) => sum + pairsOf(count), 0);
}

/** Pairs that stand in opposite order in both lists, and pairs that are tied in both. */
function countDiscordant(x: DenseRanks, y: DenseRanks): { discordant: number; tiedInBoth: number } {
  const byY = stableOrder(y, Uint32Array.from(y.ranks.keys()));
  const order = stableOrder(x, byY);
  const seen = countingTree(y.counts.length);
  let discordant = 0;
  let tiedInBoth = 0;
  let alike = 0;
  for (let i = 0; i < order.length; i++) {
    const item = order[i] as number;
    const before = order[i - 1];
    const rank = y.ranks[item] as number;
    // Within one x the order is by y, so that no pair tied in x counts as discordant.
    discordant += i - seen.below(rank + 1);
    alike =
      before !== undefined && x.ranks[before] === x.ranks[item] && y.ranks[before] === rank ? alike + 1 : 0;
    tiedInBoth += alike;
    seen.add(rank);
  }
  return { discordant, tiedInBoth };
}

/** Items by rising rank, those of one rank in the order given (counting sort). */
function stableOrder({ ranks, counts }: DenseRanks, items: Uint32Array): Uint32Array {
  const next = new Uint32Array(counts.length);
  for (let rank = 1; rank < counts.length; rank++)
    next[rank] = (next[rank - 1] as number) + (counts[rank - 1] as number);
  const ordered = new Uint32Array(items.length);
  for (const item of items) ordered[(next[ranks[item] as number] as number)++] = item;
  return ordered;
}

/** The variance of C - D without correlation (Kendall, Rank Correlation Methods, 4.4). */
function balanceVariance(n: number, countsX: Uint32Array, countsY: Uint32Array): number {
  const sum = (counts: Uint32Array, term: (count: number) => number): number =>
    counts.reduce((total, count) => total + term(count), 0);
  const twice = (t: number): number => t * (t - 1);
  const thrice = (t: number): number => t * (t - 1) * (t - 2);
  const spread = (t: number): number => t * (t - 1) * (2 * t + 5);
  const both = (sum(countsX, twice) * sum(countsY, twice)) / (2 * twice(n));
  const triples = n > 2 ? (sum(countsX, thrice) * sum(countsY, thrice)) / (9 * thrice(n)) : 0;
  return (spread(n) - sum(countsX, spread) - sum(countsY, spread)) / 18 + both + triples;
}

/**
 * Twice the share of the permutations of n that have at most so many inversions.
 *
 * The inversions that the j-th item makes are 0 to j - 1, each as likely: shares are carried instead of
 * counts, which would overflow.
 */
function exactP(n: number, inversions: number): number {
  let shares = new Float64Array(inversions + 1);
  shares[0] = 1;
  for (let j = 2; j <= n; j++) {
    const next = new Float64Array(inversions + 1);
    let window = 0;
    for (let k = 0; k <= inversions; k++) {
      window += shares[k] as number;
      if (k >= j) window -= shares[k - j] as number;
      next[k] = window / j;
    }
    shares = next;
  }
  return Math.min(1, 2 * shares.reduce((sum, share) => sum + share, 0));
}
