import type { Alternative } from "./alternative.js";
import { checkDifferences } from "./check-pairs.js";
import { checkAlternative } from "./check-settings.js";
import { incompleteBeta } from "./incomplete-beta.js";

/** What the sign test found. */
export interface SignTest {
  /** Differences above and below 0. */
  readonly above: number;
  readonly below: number;
  readonly p: number;
}

/**
 * Are there more differences above 0 than below, or fewer? The sign test: exact, by the binomial
 * distribution, without differences of 0.
 *
 * Edges: p is 1 where every difference is 0. p is never 0.
 *
 * @throws InputError `ARGUMENT` for differences that are no numbers.
 */
export function signTest(differences: ArrayLike<number>, alternative: Alternative = "two-sided"): SignTest {
  checkDifferences("signTest", differences);
  checkAlternative(alternative);
  let above = 0;
  let below = 0;
  for (let i = 0; i < differences.length; i++) {
    if ((differences[i] as number) > 0) above++;
    else if ((differences[i] as number) < 0) below++;
  }
  const count = above + below;
  const p =
    alternative === "two-sided"
      ? // With one more or none on a side it is certain to be as uneven.
        Math.abs(above - below) < 2
        ? 1
        : 2 * atLeast(Math.max(above, below), count)
      : atLeast(alternative === "greater" ? above : below, count);
  return { above, below, p: Math.max(Math.min(1, p), Number.MIN_VALUE) };
}

/** The probability of at least k heads in n tosses of a coin. */
function atLeast(k: number, n: number): number {
  return k === 0 ? 1 : incompleteBeta(k, n - k + 1, 0.5);
}
