import { positive, type JudgedRanking } from "./judged-ranking.js";
import type { Gains } from "./metric-parameters.js";

/** What an item of a grade is worth. */
export type Gain = (grade: number) => number;

/** The parameters of metrics that add up gain. */
export const gainParameters = {
  dcg: {
    default: "log2",
    oneOf: ["log2", "exp-log2"],
    meaning: "how a grade becomes a gain: as it is, or 2^grade - 1",
  },
  gains: { default: [] as Gains, minimum: 0, meaning: "gains of grades, which overrule `dcg`" },
} as const;

/** A grade is its own gain. */
export const linearGain: Gain = (grade) => grade;

/** The gain of a grade under the parameters. */
export function gainFunction(dcg: string, gains: Gains): Gain {
  const usual: Gain = dcg === "log2" ? linearGain : (grade) => 2 ** grade - 1;
  if (gains.length === 0) return usual;
  const given = new Map(gains);
  return (grade) => given.get(grade) ?? usual(grade);
}

/** log2(rank + 1) by rank, as far as it was asked for. */
let logarithms = /*#__PURE__*/ Float64Array.from({ length: 1024 }, (_, rank) => Math.log2(rank + 1));

/** What the gain at a rank is divided by: log2(rank + 1). */
export function logDiscount(rank: number): number {
  if (rank >= logarithms.length) {
    if (rank > 2 ** 24) return Math.log2(rank + 1);
    logarithms = Float64Array.from({ length: 2 * rank }, (_, at) => Math.log2(at + 1));
  }
  return logarithms[rank] as number;
}

/** Discounted cumulative gain, down to a cutoff. */
export function discountedGain({ earned }: JudgedRanking, cutoff: number, gain: Gain): number {
  const { ranks, grades } = gain(0) === 0 ? positive(earned) : earned;
  let sum = 0;
  for (let i = 0; i < ranks.length && (ranks[i] as number) <= cutoff; i++) {
    const earned = gain(grades[i] as number);
    if (earned !== 0) sum += earned / logDiscount(ranks[i] as number);
  }
  return sum;
}

/**
 * The discounted cumulative gain of the best possible ranking: everything judged of positive gain, highest
 * gain first.
 */
export function idealGain({ pool }: JudgedRanking, cutoff: number, gain: Gain, isRising: boolean): number {
  const gains = isRising ? pool : Float64Array.from(pool, gain).sort().reverse();
  let sum = 0;
  for (let i = 0; i < gains.length && i < cutoff; i++) {
    const best = isRising ? gain(gains[i] as number) : (gains[i] as number);
    if (best <= 0) break;
    sum += best / logDiscount(i + 1);
  }
  return sum;
}
