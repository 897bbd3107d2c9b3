import type { FusionTuning } from "../records/index.js";
import type { Choice, Family } from "./family.js";

/** A setting that queries had no say in, and the family it is of. */
export interface FamilyChoice {
  readonly family: Family;
  readonly choice: Choice;
}

/** How the choice varies from part to part, the most frequent first. */
export function choiceSpread(
  choices: readonly FamilyChoice[],
): NonNullable<FusionTuning["held_out"]>["chosen"] {
  const points = new Map<string, { family: Family; times: number; points: number[] }>();
  for (const { family, choice } of choices) {
    const key = JSON.stringify([family.method, family.normalizer.name]);
    const known = points.get(key) ?? { family, times: 0, points: [] };
    known.times++;
    if (choice.point !== null && family.axis !== null) known.points.push(family.axis.at(choice.point));
    points.set(key, known);
  }
  return [...points.values()]
    .sort((a, b) => b.times - a.times)
    .map(({ family, times, points: found }) => {
      const rising = [...found].sort((a, b) => a - b);
      const [low, median, high] = [rising[0], rising[(rising.length - 1) >> 1], rising.at(-1)];
      return {
        method: family.method,
        normalize: family.normalizer.name,
        times,
        point: low === undefined || median === undefined || high === undefined ? null : { low, median, high },
      };
    });
}
