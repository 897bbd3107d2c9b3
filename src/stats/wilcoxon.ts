import { checkKnownOptions } from "../foundation/checks/index.js";
import type { Alternative } from "./alternative.js";
import { checkDifferences } from "./check-pairs.js";
import { checkAlternative, checkChoice } from "./check-settings.js";
import { normalAbove } from "./normal.js";
import { signedRanks } from "./signed-ranks.js";

/** How the signed-rank test is done. */
export interface WilcoxonOptions {
  readonly alternative?: Alternative | undefined;
  /**
   * `wilcox` drops differences of 0, `pratt` ranks them and drops their ranks, `zsplit` halves their ranks
   * between both sides. Default `wilcox`.
   */
  readonly zeros?: "wilcox" | "pratt" | "zsplit" | undefined;
  /**
   * Over all signs, ties included, or by the normal distribution; `auto` is exact up to 50 pairs other than
   * 0.
   */
  readonly method?: "auto" | "exact" | "approximate" | undefined;
  /** Moves the statistic half a rank towards its mean, as a count deserves; for `approximate` only. */
  readonly isCorrected?: boolean | undefined;
}

/** What the signed-rank test found. */
export interface WilcoxonTest {
  /** The smaller of both rank sums for two sides, else that of the differences above 0. */
  readonly statistic: number;
  readonly p: number;
  readonly isExact: boolean;
}

/** Up to here all signs are counted: the table has so many squared, times two, entries. */
const MOST_EXACT = 50;

/**
 * Do differences above 0 outrank those below? Wilcoxon's signed-rank test: ranks of the absolute differences,
 * summed by sign.
 *
 * Exact p values count the signs under which the rank sum is as extreme, with the ranks as they are, shared
 * ones included (SciPy counts as if there were none). `zsplit` has no exact form and is approximated. Edges:
 * p is 1 where every difference is 0. p is never 0. Wilcoxon (1945), doi:10.2307/3001968; Pratt (1959),
 * doi:10.1080/01621459.1959.10501526.
 *
 * @throws InputError `ARGUMENT` for differences that are no numbers.
 */
export function wilcoxonSignedRank(
  differences: ArrayLike<number>,
  options: WilcoxonOptions = {},
): WilcoxonTest {
  const {
    alternative = "two-sided",
    zeros = "wilcox",
    method = "auto",
    isCorrected = false,
  } = checkKnownOptions(options, ["alternative", "zeros", "method", "isCorrected"]);
  checkDifferences("wilcoxonSignedRank", differences);
  checkAlternative(alternative);
  checkChoice("zeros", zeros, ["wilcox", "pratt", "zsplit"]);
  checkChoice("method", method, ["auto", "exact", "approximate"]);
  const ranks = signedRanks(differences, zeros === "wilcox" ? "dropped" : "ranked");
  const shared = zeros === "zsplit" ? ranks.zero / 2 : 0;
  const [above, below] = [ranks.above + shared, ranks.below + shared];
  const statistic = alternative === "two-sided" ? Math.min(above, below) : above;
  const isExact =
    zeros !== "zsplit" && (method === "exact" || (method === "auto" && ranks.doubled.length <= MOST_EXACT));
  if (ranks.doubled.length === 0) return { statistic, p: 1, isExact };
  if (isExact)
    return {
      statistic,
      p: Math.max(exactP(ranks.doubled, above, below, alternative), Number.MIN_VALUE),
      isExact,
    };
  const counted = zeros === "wilcox" ? differences.length - ranks.zeros : differences.length;
  const unranked = zeros === "pratt" ? ranks.zeros : 0;
  // Zeros are a tie of their own where their halves count.
  const ties = zeros === "zsplit" ? [...ranks.ties, ranks.zeros] : ranks.ties;
  const middle = (counted * (counted + 1) - unranked * (unranked + 1)) / 4;
  const squares =
    counted * (counted + 1) * (2 * counted + 1) - unranked * (unranked + 1) * (2 * unranked + 1);
  const variance = (squares - ties.reduce((sum, size) => sum + (size ** 3 - size) / 2, 0)) / 24;
  const towardsMiddle =
    alternative === "two-sided" ? Math.sign(statistic - middle) : alternative === "greater" ? 1 : -1;
  const offset = isCorrected ? towardsMiddle / 2 : 0;
  const z = (statistic - middle - offset) / Math.sqrt(variance);
  const p =
    alternative === "two-sided"
      ? 2 * normalAbove(Math.abs(z))
      : normalAbove(alternative === "greater" ? z : -z);
  return { statistic, p: Math.min(1, Math.max(p, Number.MIN_VALUE)), isExact };
}

/**
 * The share of all signs whose rank sum is as extreme. Each step adds one rank, taken or not; shares stay
 * within doubles where counts would not.
 */
function exactP(doubled: readonly number[], above: number, below: number, alternative: Alternative): number {
  const total = doubled.reduce((sum, rank) => sum + rank, 0);
  const shares = new Float64Array(total + 1);
  shares[0] = 1;
  let reached = 0;
  for (const rank of doubled) {
    reached += rank;
    for (let sum = reached; sum >= 0; sum--)
      shares[sum] = ((shares[sum] as number) + (sum >= rank ? (shares[sum - rank] as number) : 0)) / 2;
  }
  // The distribution is symmetric: as much lies at or above the sum as at or below its mirror image.
  const upTo = (sum: number): number =>
    shares.subarray(0, 2 * sum + 1).reduce((all, share) => all + share, 0);
  if (alternative === "two-sided") return Math.min(1, 2 * upTo(Math.min(above, below)));
  return Math.min(1, upTo(alternative === "greater" ? below : above));
}
