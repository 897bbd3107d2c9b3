import { groupBy } from "../foundation/columns/index.js";
import { exactMean, roundTo4, scoreDifference } from "../foundation/numbers/index.js";
import type { HeldOutGain } from "../records/index.js";
import { groupShares, intervalsByGroup } from "../stats/internal.js";
import type { Validation } from "./folds.js";

/** A setting that some queries chose. */
export interface Scoring {
  /** What any query scores with it. */
  score(query: number): number;
}

/** What queries score with settings that they had no say in. */
export interface HeldOut<Chosen> {
  /** By query: the mean over the repeats. */
  readonly scores: readonly number[];
  /** By query: what the others chose; of the last repeat. */
  readonly choices: readonly Chosen[];
  /** What each part was scored by, in all repeats. */
  readonly byPart: readonly Chosen[];
  readonly record: HeldOutGain;
}

/** What {@link scoreHeldOut} is given. */
export interface HeldOutSource<Chosen> {
  /** For every repeat the parts: queries that are held out together. */
  readonly parts: readonly (readonly (readonly number[])[])[];
  readonly validation: Validation;
  /** By query the number of its group, from 0. */
  readonly groups: readonly number[];
  /** Each query's score with the setting that is there. */
  readonly current: readonly number[];
  readonly choose: (training: readonly number[]) => Chosen;
  readonly confidence: number;
  readonly margin: number;
  readonly seed: number;
  readonly onPart?: ((done: number, total: number) => void) | undefined;
}

/**
 * Nested cross-validation: for each part the other queries choose, by the rule that all of them together use,
 * and the part is scored by their choice. Null where there are no two parts.
 */
export function scoreHeldOut<Chosen extends Scoring>(source: HeldOutSource<Chosen>): HeldOut<Chosen> | null {
  const { parts, groups, current, choose, confidence, margin, seed, onPart, validation } = source;
  const [first = []] = parts;
  if (first.length < 2) return null;
  const total = parts.reduce((sum, repeat) => sum + repeat.length, 0);
  const sums = new Float64Array(current.length);
  const choices: Chosen[] = [];
  const byPart: Chosen[] = [];
  let done = 0;
  for (const repeat of parts) {
    for (const part of repeat) {
      onPart?.(done++, total);
      const isHeld = new Set(part);
      const training = current.map((_, query) => query).filter((query) => !isHeld.has(query));
      const chosen = choose(training);
      byPart.push(chosen);
      for (const query of part) {
        choices[query] = chosen;
        (sums[query] as number) += chosen.score(query);
      }
    }
  }
  const scores = Array.from(sums, (sum) => sum / parts.length);
  const gains = scores.map((score, query) => scoreDifference(score, current[query] as number));
  const [interval] = intervalsByGroup([groupShares(Float64Array.from(gains), placesOf(groups))], {
    confidence,
    seed,
  });
  return {
    scores,
    choices,
    byPart,
    record: {
      validation: validation.kind,
      parts: first.length,
      repeats: parts.length,
      seed: validation.kind === "folds" ? (validation.seed ?? 1) : null,
      mean: roundTo4(exactMean(scores)),
      gain: roundTo4(exactMean(gains)),
      interval: interval ?? null,
      confidence,
      margin,
      improved: gains.filter((gain) => gain > 0).length,
      equal: gains.filter((gain) => gain === 0).length,
      worse: gains.filter((gain) => gain < 0).length,
    },
  };
}

/** By query the number of its group, from 0. */
export function groupNumbers(groups: readonly string[]): number[] {
  const numbers = new Map([...new Set(groups)].map((group, number) => [group, number]));
  return groups.map((group) => numbers.get(group) as number);
}

/** By group the places of its queries. */
function placesOf(groups: readonly number[]): number[][] {
  return [...groupBy([...groups.keys()], (query) => groups[query]).values()];
}

/** One gain for each group, with the same mean: what is drawn together must not be resampled apart. */
export function byGroup(gains: readonly number[], groups: readonly number[]): Float64Array {
  const count = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const sums = new Float64Array(count);
  gains.forEach((gain, query) => {
    (sums[groups[query] as number] as number) += (gain * count) / gains.length;
  });
  return sums;
}
