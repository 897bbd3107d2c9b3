import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { checkNumbers, checkShare } from "./check-settings.js";
import { meanOverScale } from "./deviation-scale.js";
import { normalBelow, normalQuantile } from "./normal.js";
import { inverseOf } from "./inverse-of.js";
import { studentQuantile } from "./student-t.js";

/** What a power is computed for. */
export interface PowerOptions {
  /** Significance level. Default 0.05. */
  readonly alpha?: number | undefined;
  /** How often it should find one that is there. Default 0.8. */
  readonly power?: number | undefined;
}

const ALPHA = 0.05;
const POWER = 0.8;
/** An effect that would need more queries is none. */
const MOST_QUERIES = 1e9;
/** As many as the normal distribution is usually off. */
const FEW_MORE = 4;

/**
 * How often does the two-sided paired t test find a difference of this size? By the noncentral t
 * distribution. The randomization test has nearly the same power.
 *
 * @param effect the mean difference in standard deviations of the differences (d_z).
 * @param pairs from 2.
 * @throws InputError `ARGUMENT` for other numbers of pairs, an effect that is no number, and a level that is
 * none.
 */
export function pairedPower(
  effect: number,
  pairs: number,
  options: Pick<PowerOptions, "alpha"> = {},
): number {
  const { alpha = ALPHA } = checkKnownOptions(options, ["alpha"]);
  checkNumbers("pairedPower", effect);
  wholeNumber("pairs", pairs, 2);
  checkShare("alpha", alpha);
  return powerBeyond(-studentQuantile(alpha / 2, pairs - 1), effect, pairs);
}

/** @param critical how many standard errors a mean must be away from 0. */
function powerBeyond(critical: number, effect: number, pairs: number): number {
  const shift = effect * Math.sqrt(pairs);
  return (
    1 -
    meanOverScale(
      (s) => normalBelow(critical * s - shift) - normalBelow(-critical * s - shift),
      pairs - 1,
      Math.abs(shift) / critical,
    )
  );
}

/**
 * The smallest d_z that so many pairs detect; NaN for what is no whole number from 2, 0 for a power that
 * chance alone reaches (up to alpha).
 */
export function detectableEffect(pairs: number, options: PowerOptions = {}): number {
  const { alpha = ALPHA, power = POWER } = checkKnownOptions(options, ["alpha", "power"]);
  checkShare("alpha", alpha);
  checkShare("power", power);
  if (pairs < 2 || pairs % 1 > 0) return NaN;
  if (power <= alpha) return 0;
  const critical = -studentQuantile(alpha / 2, pairs - 1);
  return inverseOf(
    (effect) => powerBeyond(critical, effect, pairs),
    power,
    0,
    (2 * critical) / Math.sqrt(pairs),
  );
}

/**
 * How many pairs an effect needs; null for an effect of 0, or of no size worth the name.
 *
 * @throws InputError `ARGUMENT` for what is no number, and for levels that are none.
 */
export function pairsNeeded(effect: number, options: PowerOptions = {}): number | null {
  const { alpha = ALPHA, power = POWER } = checkKnownOptions(options, ["alpha", "power"]);
  checkShare("alpha", alpha);
  checkShare("power", power);
  checkNumbers("pairsNeeded", effect);
  const isEnough = (pairs: number): boolean => pairedPower(Math.abs(effect), pairs, { alpha }) >= power;
  if (power <= alpha) return effect === 0 ? null : 2;
  // What a normal distribution would need; Student's needs a few more.
  let enough = Math.max(2, Math.ceil(((normalQuantile(power) - normalQuantile(alpha / 2)) / effect) ** 2));
  if (!(enough < MOST_QUERIES)) return null;
  let tooFew = 1;
  // Doubled, since a power that is next to 1 may take many more, or be out of reach.
  for (let step = FEW_MORE; !isEnough(enough); step *= 2) {
    [tooFew, enough] = [enough, enough + step];
    if (enough > MOST_QUERIES) return null;
  }
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
