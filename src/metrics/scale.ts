import { InputError, quote } from "../foundation/errors/index.js";
import type { JudgedRanking } from "./judged-ranking.js";

/** The parameter for the top of the scale of grades. */
export const topGrade = {
  default: 4,
  minimum: Number.MIN_VALUE,
  maximum: 1000,
  meaning: "the top grade of the scale",
} as const;

/**
 * The parameters of metrics that map a scale of grades to gains from 0 to 1; grades beyond it are cut to it.
 */
export const scaleParameters = {
  min_rel: { default: 0, minimum: 0, maximum: 1000, meaning: "the grade that is worth 0" },
  max_rel: { ...topGrade, meaning: "the grade that is worth 1; higher ones are too" },
} as const;

/** A grade as a gain from 0 to 1. */
export function scaleGain(min_rel: number, max_rel: number): (grade: number) => number {
  if (min_rel >= max_rel)
    throw new InputError(
      "METRIC_PARAMETER",
      `min_rel must be below max_rel, got ${quote(min_rel)} and ${quote(max_rel)}`,
    );
  return (grade) => (Math.min(Math.max(grade, min_rel), max_rel) - min_rel) / (max_rel - min_rel);
}

/** Refuses judgments above the top of the scale: their gain is not defined. */
export function checkTopGrade(metric: string, { pool }: JudgedRanking, max: number): void {
  const highest = pool[0] ?? 0;
  if (highest > max)
    throw new InputError(
      "METRIC_SCORE",
      `${metric} takes grades up to ${max}, and a judgment has ${highest}; write ` +
        `\`${metric}(max=${highest})\`, or correct the judgments`,
    );
}
