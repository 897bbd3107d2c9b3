import { cohenKappa } from "./cohen-kappa.js";
import { labelScale, pairsOfLabels, type Labels } from "./label-pairs.js";
import { ratio } from "./ratio.js";

/**
 * Two raters of the same items, asked only whether a label is high enough; the first is taken for the truth.
 */
export interface BinaryAgreement {
  /** Positive for both. */
  readonly truePositives: number;
  /** Positive for the second rater only. */
  readonly falsePositives: number;
  /** Positive for the first rater only. */
  readonly falseNegatives: number;
  /** Positive for neither. */
  readonly trueNegatives: number;
  /** The share of the second rater's positives that the first confirms; null without any. */
  readonly precision: number | null;
  /** The share of the first rater's positives that the second finds; null without any. */
  readonly recall: number | null;
  /** 2 x true positives / (positives of both, added up); null when neither has any. */
  readonly f1: number | null;
  /** The share of items on which both say the same; null without items. */
  readonly accuracy: number | null;
  /** Cohen's kappa; null when both say the same thing always. */
  readonly cohenKappa: number | null;
  /** Matthews' correlation coefficient; null when one rater says the same thing always. */
  readonly matthews: number | null;
}

/**
 * Do two raters agree about what is relevant, when a label of `threshold` or more is?
 *
 * Formula: Matthews = (TP TN - FP FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN)); the others as in
 * `labelConfusion`. Edges: items without a label of both are left out; 0 / 0 is null, where scikit-learn has
 * 0 (and NaN for kappa). Agrees with scikit-learn otherwise. Paper: Matthews,
 * https://doi.org/10.1016/0005-2795(75)90109-9.
 *
 * `binaryAgreement([0, 1, 2], [1, 2, 3], 2).precision // => 0.5`
 *
 * @param threshold included: a label equal to it is positive.
 * @throws InputError `ARGUMENT` when the lists differ in length, or a label or the threshold is not finite.
 */
export function binaryAgreement(first: Labels, second: Labels, threshold: number): BinaryAgreement {
  const labels = pairsOfLabels("binaryAgreement", first, second);
  labelScale("binaryAgreement", [...labels.flat(), threshold]);
  const pairs = labels.map(([a, b]) => [Number(a >= threshold), Number(b >= threshold)] as const);
  const count = (a: number, b: number): number => pairs.filter(([x, y]) => x === a && y === b).length;
  const [tp, fp, fn, tn] = [count(1, 1), count(0, 1), count(1, 0), count(0, 0)];
  const margins = Math.sqrt((tp + fp) * (tp + fn)) * Math.sqrt((tn + fp) * (tn + fn));
  return {
    truePositives: tp,
    falsePositives: fp,
    falseNegatives: fn,
    trueNegatives: tn,
    precision: ratio(tp, tp + fp),
    recall: ratio(tp, tp + fn),
    f1: ratio(2 * tp, 2 * tp + fp + fn),
    accuracy: ratio(tp + tn, pairs.length),
    cohenKappa: cohenKappa(
      pairs.map(([a]) => a),
      pairs.map(([, b]) => b),
    ),
    matthews: ratio(tp * tn - fp * fn, margins),
  };
}
