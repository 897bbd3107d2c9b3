import { labelScale, type Labels } from "./label-pairs.js";
import { itemsWithRatings } from "./rated-items.js";

/**
 * How far do several raters agree beyond what the frequency of the labels alone would make?
 *
 * Formula: (P - Pe) / (1 - Pe): P is the share of agreeing pairs of raters, averaged over items; Pe the sum
 * of the squared shares of the labels. Edges: null without items, with fewer than two labels per item, when
 * items have different numbers of labels (use `krippendorffAlpha`), or when only one label is used at all.
 * Order and distance of labels do not count. Agrees with `fleiss_kappa` of statsmodels. Paper: Fleiss,
 * https://doi.org/10.1037/h0031619.
 *
 * `fleissKappa([[1, 1, 0, 0], [1, 0, 0, 0]]) // => 7 / 15`
 *
 * @param raters one list of labels per rater, over the same items in the same order.
 * @throws InputError `ARGUMENT` when the lists differ in length, or a label is not finite.
 */
export function fleissKappa(raters: readonly Labels[]): number | null {
  const counted = agreeingPairs("fleissKappa", raters);
  if (counted === null) return null;
  const { agreeing, pairs, totals } = counted;
  const ratings = totals.reduce((sum, total) => sum + total, 0);
  const squares = totals.reduce((sum, total) => sum + total * total, 0);
  // 1 - (1 - P) / (1 - Pe), in whole numbers up to the division.
  const unlike = ratings * ratings - squares;
  return unlike === 0 ? null : 1 - ((pairs - agreeing) * ratings * ratings) / (pairs * unlike);
}

/**
 * How far do several raters agree beyond what guessing among all labels would make?
 *
 * Formula: (P - 1 / q) / (1 - 1 / q), with P as in Fleiss' kappa and q labels. Unlike Fleiss' it does not
 * fall when one label is frequent. Edges: null as there, and for a scale of one label. Agrees with
 * `fleiss_kappa(method="randolph")` of statsmodels. Paper: Randolph: Free-Marginal Multirater Kappa, 2005;
 * Brennan, Prediger, https://doi.org/10.1177/001316448104100307.
 *
 * `randolphKappa([[1, 1, 0, 0], [1, 0, 0, 0]]) // => 0.5`
 *
 * @param scale every label there is, unused ones included; those that occur when absent.
 * @throws InputError `ARGUMENT` when the lists differ in length, or a label is not finite or not in the
 * scale.
 */
export function randolphKappa(raters: readonly Labels[], scale?: readonly number[]): number | null {
  const counted = agreeingPairs("randolphKappa", raters, scale);
  if (counted === null || counted.totals.length < 2) return null;
  const { agreeing, pairs, totals } = counted;
  return 1 - ((pairs - agreeing) * totals.length) / (pairs * (totals.length - 1));
}

/**
 * Pairs of different raters over all items, how many of them agree, and how often each label of the scale was
 * given.
 */
function agreeingPairs(
  caller: string,
  raters: readonly Labels[],
  scale?: readonly number[],
): { agreeing: number; pairs: number; totals: number[] } | null {
  const items = itemsWithRatings(caller, raters);
  const labels = labelScale(caller, items.flat(), scale);
  const perItem = items[0]?.length ?? 0;
  if (perItem < 2 || items.some((given) => given.length !== perItem)) return null;
  const totals = new Map(labels.map((label) => [label, 0]));
  let agreeing = 0;
  for (const given of items) {
    const seen = new Map<number, number>();
    for (const label of given) {
      const before = seen.get(label) ?? 0;
      agreeing += before;
      seen.set(label, before + 1);
      totals.set(label, (totals.get(label) ?? 0) + 1);
    }
  }
  return { agreeing, pairs: (items.length * perItem * (perItem - 1)) / 2, totals: [...totals.values()] };
}
