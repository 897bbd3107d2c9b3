import { labelPairs, type Labels } from "./label-pairs.js";
import { ratio } from "./ratio.js";

/** How one label fares: the first rater is taken for the truth, the second for the prediction. */
export interface LabelAccuracy {
  readonly label: number;
  /** The share of the second rater's uses that the first confirms; null when the second never uses it. */
  readonly precision: number | null;
  /** The share of the first rater's uses that the second finds; null when the first never uses it. */
  readonly recall: number | null;
  /** 2 x both / (uses of either, added up); null when neither uses it. */
  readonly f1: number | null;
  /** How often the first rater uses it. */
  readonly support: number;
}

/** Two raters of the same items, label by label. */
export interface LabelConfusion {
  /** Items that both labelled. */
  readonly items: number;
  /** The labels, rising. */
  readonly scale: readonly number[];
  /** `counts[i][j]`: items with label `scale[i]` of the first rater and `scale[j]` of the second. */
  readonly counts: readonly (readonly number[])[];
  /** The share of items with the same label. Null without items, as are all values below. */
  readonly accuracy: number | null;
  readonly meanAbsoluteError: number | null;
  readonly rootMeanSquaredError: number | null;
  /** The mean of the second label minus the first: above 0 when the second rater is more generous. */
  readonly meanBias: number | null;
  /** In the order of the scale. */
  readonly perLabel: readonly LabelAccuracy[];
  /** The mean F1 of the labels that either rater uses. */
  readonly macroF1: number | null;
  /** The mean F1, labels weighted by their support. */
  readonly weightedF1: number | null;
  /** The mean recall of the labels that the first rater uses. */
  readonly balancedAccuracy: number | null;
}

/**
 * Which labels does one rater confuse, with another taken for the truth?
 *
 * Formula: precision = both / uses of the second, recall = both / uses of the first, F1 = their harmonic
 * mean; errors are differences of label values. Edges: items without a label of both are left out; 0 / 0 is
 * null, and does not enter a mean. scikit-learn has 0 there; its macro F1 is the same, unless its `labels`
 * names an unused label. Agrees with `confusion_matrix`, `precision_recall_fscore_support` and
 * `balanced_accuracy_score` of scikit-learn.
 *
 * `labelConfusion([0, 1, 1], [0, 1, 0]).accuracy // => 2 / 3`
 *
 * @param scale every label there is; those that occur when absent.
 * @throws InputError `ARGUMENT` when the lists differ in length, or a label is not finite or not in the
 * scale.
 */
export function labelConfusion(first: Labels, second: Labels, scale?: readonly number[]): LabelConfusion {
  const pairs = labelPairs("labelConfusion", first, second, scale);
  const { items, counts } = pairs;
  const perLabel = pairs.scale.map((label, i) => labelAccuracy(label, counts, i));
  const mean = (of: (difference: number) => number): number | null =>
    ratio(differenceSum(pairs.scale, counts, of), items);
  const squared = mean((difference) => difference * difference);
  const weighted = perLabel.reduce((sum, { f1, support }) => sum + (f1 ?? 0) * support, 0);
  return {
    ...pairs,
    accuracy: ratio(
      counts.reduce((sum, row, i) => sum + (row[i] as number), 0),
      items,
    ),
    meanAbsoluteError: mean(Math.abs),
    rootMeanSquaredError: squared === null ? null : Math.sqrt(squared),
    meanBias: mean((difference) => difference),
    perLabel,
    macroF1: meanDefined(perLabel.map(({ f1 }) => f1)),
    weightedF1: ratio(weighted, items),
    balancedAccuracy: meanDefined(perLabel.map(({ recall }) => recall)),
  };
}

function labelAccuracy(label: number, counts: readonly (readonly number[])[], i: number): LabelAccuracy {
  const both = counts[i]?.[i] as number;
  const support = (counts[i] as readonly number[]).reduce((sum, count) => sum + count, 0);
  const predicted = counts.reduce((sum, row) => sum + (row[i] as number), 0);
  return {
    label,
    precision: ratio(both, predicted),
    recall: ratio(both, support),
    f1: ratio(2 * both, support + predicted),
    support,
  };
}

/** Adds up something of the difference, second label minus first, over all items. */
function differenceSum(
  scale: readonly number[],
  counts: readonly (readonly number[])[],
  of: (difference: number) => number,
): number {
  return counts.reduce(
    (total, row, i) =>
      row.reduce((sum, count, j) => sum + count * of((scale[j] as number) - (scale[i] as number)), total),
    0,
  );
}

function meanDefined(values: readonly (number | null)[]): number | null {
  const defined = values.filter((value) => value !== null);
  return ratio(
    defined.reduce((sum, value) => sum + value, 0),
    defined.length,
  );
}
