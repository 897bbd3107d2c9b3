import { exactSum, roundTo4, scoreDifference } from "../foundation/numbers/index.js";
import type { FusionTuning } from "../records/index.js";
import { differenceIntervals } from "../stats/index.js";
import type { Choice, Family } from "./family.js";
import type { Validation } from "./folds.js";

/** What queries score with settings that they had no say in. */
export interface HeldOut {
  /** By query: the mean over the repeats. */
  readonly scores: readonly number[];
  /** By query: what the others chose; of the last repeat. */
  readonly choices: readonly HeldOutChoice[];
  readonly record: NonNullable<FusionTuning["held_out"]>;
}

/** A setting that a query had no say in. */
export interface HeldOutChoice {
  readonly family: Family;
  readonly choice: Choice;
}

/** What {@link heldOut} is given. */
export interface HeldOutSource {
  /** For every repeat the parts: queries that are held out together. */
  readonly parts: readonly (readonly (readonly number[])[])[];
  readonly validation: Validation;
  /** By query the number of its group, from 0. */
  readonly groups: readonly number[];
  /** Each query's score with the setting that is there. */
  readonly current: readonly number[];
  readonly choose: (training: readonly number[]) => HeldOutChoice;
  readonly confidence: number;
  readonly margin: number;
  readonly seed: number;
  readonly onPart: (done: number, total: number) => void;
}

/**
 * Nested cross-validation: for each part the other queries choose, by the rule that all of them together use,
 * and the part is scored by their choice. Null where there are no two parts.
 */
export function heldOut(source: HeldOutSource): HeldOut | null {
  const { parts, groups, current, choose, confidence, margin, seed, onPart, validation } = source;
  const [first = []] = parts;
  if (first.length < 2) return null;
  const total = parts.reduce((sum, repeat) => sum + repeat.length, 0);
  const sums = new Float64Array(current.length);
  const choices: HeldOutChoice[] = [];
  const spread = new Spread();
  let done = 0;
  for (const repeat of parts) {
    for (const part of repeat) {
      onPart(done++, total);
      const isHeld = new Set(part);
      const training = current.map((_, query) => query).filter((query) => !isHeld.has(query));
      const chosen = choose(training);
      spread.add(chosen.family, chosen.choice);
      for (const query of part) {
        choices[query] = chosen;
        (sums[query] as number) += chosen.choice.score(query);
      }
    }
  }
  const scores = Array.from(sums, (sum) => sum / parts.length);
  const gains = scores.map((score, query) => scoreDifference(score, current[query] as number));
  const [interval] = differenceIntervals([byGroup(gains, groups)], { confidence, seed });
  return {
    scores,
    choices,
    record: {
      validation: validation.kind,
      parts: first.length,
      repeats: parts.length,
      seed: validation.kind === "folds" ? (validation.seed ?? 1) : null,
      mean: roundTo4(exactSum(scores) / scores.length),
      gain: roundTo4(exactSum(gains) / gains.length),
      interval: interval?.interval ?? null,
      confidence,
      margin,
      improved: gains.filter((gain) => gain > 0).length,
      equal: gains.filter((gain) => gain === 0).length,
      worse: gains.filter((gain) => gain < 0).length,
      chosen: spread.record(),
    },
  };
}

/** One gain for each group, with the same mean: what is drawn together must not be resampled apart. */
function byGroup(gains: readonly number[], groups: readonly number[]): Float64Array {
  const count = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const sums = new Float64Array(count);
  gains.forEach((gain, query) => {
    (sums[groups[query] as number] as number) += (gain * count) / gains.length;
  });
  return sums;
}

/** How the choice varies from part to part. */
class Spread {
  readonly #points = new Map<string, { family: Family; times: number; points: number[] }>();

  add(family: Family, { point }: Choice): void {
    const key = JSON.stringify([family.method, family.normalizer.name]);
    const known = this.#points.get(key) ?? { family, times: 0, points: [] };
    known.times++;
    if (point !== null && family.axis !== null) known.points.push(family.axis.at(point));
    this.#points.set(key, known);
  }

  record(): NonNullable<FusionTuning["held_out"]>["chosen"] {
    return [...this.#points.values()]
      .sort((a, b) => b.times - a.times)
      .map(({ family, times, points }) => {
        const rising = [...points].sort((a, b) => a - b);
        const [low, median, high] = [rising[0], rising[rising.length >> 1], rising.at(-1)];
        return {
          method: family.method,
          normalize: family.normalizer.name,
          times,
          point:
            low === undefined || median === undefined || high === undefined ? null : { low, median, high },
        };
      });
  }
}
