import { inverseOf } from "../inverse-of.js";
import { normalBelow } from "../normal.js";
import { detectableEffect, pairedPower, pairsNeeded } from "../power.js";
import { fewestDifferences, type PairedTest } from "./paired-test.js";

/** Significance level, and how often a test should find what is there. */
interface Levels {
  readonly alpha: number;
  readonly power: number;
}

/** {@link pairedPower} of a test; 0 for too few pairs. */
export function powerOf(test: PairedTest, effect: number, pairs: number, alpha: number): number {
  const fewest = fewestDifferences(test, alpha);
  if (pairs < fewest) return 0;
  const byT = pairedPower(effect, pairs, { alpha });
  return isOfOneSign(test, pairs, fewest) ? Math.min(byT, powerOfOneSign(effect, pairs)) : byT;
}

/** {@link detectableEffect} of a test; NaN for too few pairs. */
export function detectableBy(test: PairedTest, pairs: number, { alpha, power }: Levels): number {
  const fewest = fewestDifferences(test, alpha);
  if (pairs < fewest) return NaN;
  const byT = detectableEffect(pairs, { alpha, power });
  return isOfOneSign(test, pairs, fewest) && powerOfOneSign(byT, pairs) < power
    ? inverseOf((effect) => powerOfOneSign(effect, pairs), power, 0, 2 * byT)
    : byT;
}

/** {@link pairsNeeded} of a test. */
export function pairsNeededBy(test: PairedTest, effect: number, { alpha, power }: Levels): number | null {
  const needed = pairsNeeded(effect, { alpha, power });
  if (needed === null) return null;
  const fewest = fewestDifferences(test, alpha);
  if (needed > fewest) return needed;
  return powerOf(test, effect, fewest, alpha) >= power ? fewest : fewest + 1;
}

/** Of the fewest pairs a test of signs finds something only where all differences have the same. */
function isOfOneSign({ isOfSigns }: PairedTest, pairs: number, fewest: number): boolean {
  return isOfSigns && pairs === fewest;
}

/** How often that is, for normal differences. */
function powerOfOneSign(effect: number, pairs: number): number {
  const [above, below] = [normalBelow(effect), normalBelow(-effect)];
  let allAbove = 1;
  let allBelow = 1;
  for (let pair = 0; pair < pairs; pair++) {
    allAbove *= above;
    allBelow *= below;
  }
  return allAbove + allBelow;
}
