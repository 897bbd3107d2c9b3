import { exactMean } from "../foundation/numbers/index.js";
import { checkDifferences, checkPairs } from "./check-pairs.js";
import { mean, standardDeviation } from "./moments.js";
import { signedRanks } from "./signed-ranks.js";

type Scores = ArrayLike<number> & Iterable<number>;

/**
 * How large is the mean difference, in standard deviations of the differences? Cohen's d_z; NaN where they do
 * not vary, or are fewer than two. Cohen (1988), Statistical Power Analysis, 2.3.5.
 */
export function cohenDz(differences: Scores): number {
  checkDifferences("cohenDz", differences);
  const deviation = standardDeviation(differences);
  return deviation > 0 ? mean(differences) / deviation : NaN;
}

/**
 * d_z without its upward bias in small samples, by the usual approximation: times 1 - 3 / (4 (n - 1) - 1).
 * NaN below three pairs.
 */
export function hedgesGz(differences: Scores): number {
  checkDifferences("hedgesGz", differences);
  const degrees = differences.length - 1;
  return degrees < 2 ? NaN : cohenDz(differences) * (1 - 3 / (4 * degrees - 1));
}

/**
 * How large is the mean difference a - b, in the usual standard deviation of the scores themselves? Cohen's
 * d_av: below is the root of the mean of both variances. NaN where no score varies. Lakens (2013),
 * doi:10.3389/fpsyg.2013.00863.
 *
 * @throws InputError `ARGUMENT` for lists of different lengths, and for what is no number.
 */
export function cohenDav(a: Scores, b: Scores): number {
  checkPairs("cohenDav", a, b);
  const deviation = Math.sqrt((standardDeviation(a) ** 2 + standardDeviation(b) ** 2) / 2);
  const difference = exactMean(Float64Array.from(a, (score, index) => score - (b[index] as number)));
  return deviation > 0 ? difference / deviation : NaN;
}

/**
 * How much of the rank sum lies above 0, how much below? From -1 to 1, differences of 0 left out; NaN where
 * all are. Kerby (2014), doi:10.2466/11.IT.3.1.
 *
 * @throws InputError `ARGUMENT` for differences that are no numbers.
 */
export function matchedRankBiserial(differences: Scores): number {
  checkDifferences("matchedRankBiserial", differences);
  const { above, below } = signedRanks(differences, "dropped");
  return (above - below) / (above + below);
}
