import { checkKnownOptions } from "../foundation/checks/index.js";
import { checkChoice } from "./check-settings.js";
import { labelPairs, type Labels } from "./label-pairs.js";

/** How Cohen's kappa weighs a disagreement. */
export interface CohenKappaOptions {
  /** `none`: all alike; `linear`, `quadratic`: by the distance on the scale, or its square. */
  readonly weights?: "none" | "linear" | "quadratic" | undefined;
  /** Every label there is; those that occur when absent. Matters for weights only. */
  readonly scale?: readonly number[] | undefined;
}

const COSTS = {
  none: (distance: number): number => Math.sign(distance),
  linear: (distance: number): number => distance,
  quadratic: (distance: number): number => distance * distance,
} as const;

/**
 * How far do two raters agree beyond what their habits alone would make?
 *
 * Formula: 1 - (sum of w_ij O_ij) / (sum of w_ij E_ij): O_ij counts items, E_ij = row i * column j / items,
 * w_ij is 1, |i - j| or (i - j)^2 for places i and j on the scale. Edges: 1 is agreement, 0 what chance would
 * give, below 0 less. Items without a label of both are left out. Null without items, or when both raters use
 * one and the same label only. Distances are in steps of the scale, so a scale of 0, 2, 5 has equal steps.
 * Agrees with `cohen_kappa_score` of scikit-learn, which gives NaN for null. Paper: Cohen,
 * https://doi.org/10.1177/001316446002000104 and https://doi.org/10.1037/h0026256 (weighted).
 *
 * `cohenKappa([1, 1, 0, 0], [1, 0, 0, 0]) // => 0.5`
 *
 * @throws InputError `ARGUMENT` when the lists differ in length, or a label is not finite or not in the
 * scale.
 */
export function cohenKappa(first: Labels, second: Labels, options: CohenKappaOptions = {}): number | null {
  const { weights = "none", scale } = checkKnownOptions(options, ["weights", "scale"]);
  checkChoice("weights", weights, ["none", "linear", "quadratic"]);
  return kappaOfCounts(labelPairs("cohenKappa", first, second, scale).counts, weights);
}

/**
 * As {@link cohenKappa}, of counts: of every label of one rater, how often it meets each of the other. Much
 * faster where many samples of the same items are looked at.
 */
export function kappaOfCounts(
  counts: readonly (readonly number[])[],
  weights: NonNullable<CohenKappaOptions["weights"]>,
): number | null {
  const rows = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columns = counts.map((_, j) => counts.reduce((sum, row) => sum + (row[j] as number), 0));
  const items = rows.reduce((sum, count) => sum + count, 0);
  let observed = 0;
  let expected = 0;
  for (const [i, row] of counts.entries()) {
    for (const [j, count] of row.entries()) {
      const cost = COSTS[weights](Math.abs(i - j));
      observed += cost * count;
      expected += cost * (rows[i] as number) * (columns[j] as number);
    }
  }
  return expected === 0 ? null : 1 - (items * observed) / expected;
}
