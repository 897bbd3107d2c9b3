import { checkChoice } from "./check-settings.js";
import { exactMean } from "../foundation/numbers/index.js";
import { checkLists } from "./check-pairs.js";
import { labelScale } from "./label-pairs.js";

/** How the labels of several raters become one. */
export type LabelMerge = "majority" | "median" | "mean" | "max" | "min";

const MERGES: Readonly<Record<LabelMerge, (rising: readonly number[]) => number>> = {
  majority: mostFrequent,
  median: (rising) => rising[(rising.length - 1) >> 1] as number,
  mean: (rising) => exactMean(rising),
  max: (rising) => rising[rising.length - 1] as number,
  min: (rising) => rising[0] as number,
};

/**
 * What do several raters say about one item together?
 *
 * Formula: the most frequent label, the middle one, their mean, the highest, the lowest. Edges: missing
 * labels are left out; null when there are none. Of labels that are equally frequent the lowest counts, and
 * of two in the middle the lower: doubt never makes an item more relevant, and the answer stays on the scale.
 * The mean may lie between labels.
 *
 * `mergeLabels([2, 1, 2, 1], "majority") // => 1`
 *
 * @param labels of one item, one per rater; null where a rater gave none.
 * @throws InputError `ARGUMENT` when a label is not finite.
 */
export function mergeLabels(labels: readonly (number | null)[], merge: LabelMerge): number | null {
  checkLists("mergeLabels", labels);
  const rising = Array.from(labels)
    .filter((label) => label !== null)
    .sort((a, b) => a - b);
  labelScale("mergeLabels", rising);
  checkChoice("merge", merge, Object.keys(MERGES) as LabelMerge[]);
  return rising.length === 0 ? null : MERGES[merge](rising);
}

function mostFrequent(rising: readonly number[]): number {
  let best = 0;
  let longest = 0;
  let start = 0;
  rising.forEach((label, i) => {
    if (label !== rising[start]) start = i;
    if (i - start + 1 > longest) [best, longest] = [label, i - start + 1];
  });
  return best;
}
