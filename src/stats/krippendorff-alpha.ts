import { InputError, quote } from "../foundation/errors/index.js";
import { labelScale, type Labels } from "./label-pairs.js";
import { itemsWithRatings } from "./rated-items.js";

/** What the labels are: names, places in an order, amounts, or amounts with a true zero. */
export type LabelLevel = "nominal" | "ordinal" | "interval" | "ratio";

/** A label, how many there are of it, and where its middle lies when all are put in a row. */
interface LabelClass {
  readonly label: number;
  readonly count: number;
  readonly middle: number;
}

/** Squared distances of two different labels. */
const DISTANCES: Readonly<Record<LabelLevel, (a: LabelClass, b: LabelClass) => number>> = {
  nominal: () => 1,
  // As many labels as lie between the two, half of each included.
  ordinal: (a, b) => (a.middle - b.middle) ** 2,
  interval: (a, b) => (a.label - b.label) ** 2,
  ratio: (a, b) => ((a.label - b.label) / (a.label + b.label)) ** 2,
};

/**
 * How far do any number of raters agree beyond chance, each having labelled any of the items?
 *
 * Formula: 1 - Do / De: with o_ck pairs of labels c and k within items (each item weighted by 1 / (its labels
 * - 1)), n_c labels c and n in all, Do = sum of o_ck d^2(c, k) and De = sum of n_c n_k d^2(c, k) / (n - 1).
 * d^2 is 1 for different names, the square of the number of labels between c and k, of c - k, or of (c - k) /
 * (c + k). Edges: an item with fewer than two labels does not count. Null when no item has two, or all labels
 * that count are the same. Agrees with the Python package krippendorff, which refuses those cases, and with
 * the worked example of the paper. Paper: Hayes, Krippendorff, https://doi.org/10.1080/19312450709336664.
 *
 * `krippendorffAlpha([[1, 1, 0, 0], [1, 0, 0, null]], "nominal") // => 4 / 9`
 *
 * @param raters one list of labels per rater, over the same items in the same order; null where a rater gave
 * none.
 * @throws InputError `ARGUMENT` when the lists differ in length, a label is not finite, or one is negative at
 * the level of ratios, and for a level that there is not.
 */
export function krippendorffAlpha(raters: readonly Labels[], level: LabelLevel): number | null {
  if (!Object.hasOwn(DISTANCES, level))
    throw new InputError(
      "ARGUMENT",
      `krippendorffAlpha: level must be one of ${Object.keys(DISTANCES).join(", ")}, got ${quote(level)}`,
    );
  const items = itemsWithRatings("krippendorffAlpha", raters).filter((labels) => labels.length > 1);
  const given = items.flat();
  const negative = level === "ratio" ? given.find((label) => label < 0) : undefined;
  if (negative !== undefined)
    throw new InputError(
      "ARGUMENT",
      `krippendorffAlpha: ratios need labels from 0, got ${quote(negative)}; use \`interval\``,
    );
  const classes = classesOf(labelScale("krippendorffAlpha", given), given);
  const distance = DISTANCES[level];
  const observed = items.reduce(
    (sum, labels) =>
      sum +
      pairSum(
        [...countsOf(labels)].map(([label, count]) => [classes.get(label) as LabelClass, count] as const),
        distance,
      ) /
        (labels.length - 1),
    0,
  );
  const expected = pairSum(
    [...classes.values()].map((each) => [each, each.count] as const),
    distance,
  );
  return expected === 0 ? null : 1 - ((given.length - 1) * observed) / expected;
}

/** The squared distances of all pairs, each taken once; pairs of the same label have none. */
function pairSum(
  counts: readonly (readonly [LabelClass, number])[],
  distance: (a: LabelClass, b: LabelClass) => number,
): number {
  let sum = 0;
  counts.forEach(([a, countA], i) => {
    for (let j = 0; j < i; j++) {
      const [b, countB] = counts[j] as readonly [LabelClass, number];
      sum += countA * countB * distance(a, b);
    }
  });
  return sum;
}

function countsOf(labels: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

function classesOf(scale: readonly number[], given: readonly number[]): Map<number, LabelClass> {
  const counts = countsOf(given);
  const classes = new Map<number, LabelClass>();
  let below = 0;
  for (const label of scale) {
    const count = counts.get(label) as number;
    classes.set(label, { label, count, middle: below + count / 2 });
    below += count;
  }
  return classes;
}
