import { checkShare } from "./check-settings.js";
import { wholeNumber } from "../foundation/checks/index.js";
import { normalQuantile } from "./normal.js";
import type { Interval } from "./intervals/interval.js";

/** Counts of items that a model said yes or no to, and of those that people looked at, too. */
export interface JudgedShare {
  /** Items that the model judged. */
  readonly items: number;
  /** Those of them that it said yes to. */
  readonly modelPositive: number;
  /** Items that people say yes to. */
  readonly humanPositive: number;
  /** Those of them that the model said yes to, too. */
  readonly foundPositive: number;
  /** Items that people say no to. */
  readonly humanNegative: number;
  /** Those of them that the model said no to, too. */
  readonly foundNegative: number;
}

/** Why there is no corrected share. */
export type NoShareReason = "no_items" | "no_human_labels_of_one_class" | "judge_no_better_than_chance";

/** A share, corrected for a judge that errs. */
export type CorrectedShare =
  | {
      /** As it comes out: errors of few labels can bring it below 0 or above 1. */
      readonly share: number;
      readonly standardError: number;
      readonly interval: Interval;
      /** Share and interval cut to 0 and 1. */
      readonly clipped: Interval & { readonly share: number };
      /** The share that the model says. */
      readonly raw: number;
      readonly sensitivity: number;
      readonly specificity: number;
    }
  | { readonly undefined: NoShareReason };

/**
 * The share of yes among all items, by a model's labels and its errors on some that people labelled:
 * (p + q0 - 1) / (q0 + q1 - 1), p the share that the model says, q1 its sensitivity, q0 its specificity;
 * variance by the delta method, interval by the normal distribution.
 *
 * Source: Rogan, Gladen: Estimating prevalence from the results of a screening test (1978),
 * {@link https://doi.org/10.1093/oxfordjournals.aje.a112510}.
 *
 * @param level share of the interval. Default 0.95.
 * @throws InputError `ARGUMENT` for what is no count.
 */
export function correctedShare(counts: JudgedShare, level = 0.95): CorrectedShare {
  checkShare("level", level);
  const { items, modelPositive, humanPositive, foundPositive, humanNegative, foundNegative } = counts;
  wholeNumber("items", items, 0);
  wholeNumber("modelPositive", modelPositive, 0, items);
  wholeNumber("humanPositive", humanPositive, 0);
  wholeNumber("foundPositive", foundPositive, 0, humanPositive);
  wholeNumber("humanNegative", humanNegative, 0);
  wholeNumber("foundNegative", foundNegative, 0, humanNegative);
  if (items === 0) return { undefined: "no_items" };
  if (humanPositive === 0 || humanNegative === 0) return { undefined: "no_human_labels_of_one_class" };
  // By whole numbers, so that a judge by chance is told exactly.
  if (foundPositive * humanNegative + foundNegative * humanPositive <= humanPositive * humanNegative)
    return { undefined: "judge_no_better_than_chance" };
  const [raw, sensitivity, specificity] = [
    modelPositive / items,
    foundPositive / humanPositive,
    foundNegative / humanNegative,
  ];
  const power = sensitivity + specificity - 1;
  const share = (raw + specificity - 1) / power;
  const variance =
    ((raw * (1 - raw)) / items +
      ((1 - share) ** 2 * specificity * (1 - specificity)) / humanNegative +
      (share ** 2 * sensitivity * (1 - sensitivity)) / humanPositive) /
    power ** 2;
  const standardError = Math.sqrt(variance);
  const reach = normalQuantile(0.5 + level / 2) * standardError;
  const cut = (value: number): number => Math.max(0, Math.min(1, value));
  return {
    share,
    standardError,
    interval: { low: share - reach, high: share + reach },
    clipped: { share: cut(share), low: cut(share - reach), high: cut(share + reach) },
    raw,
    sensitivity,
    specificity,
  };
}
