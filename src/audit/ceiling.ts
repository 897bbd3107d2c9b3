import { groupBy } from "../foundation/columns/index.js";
import { LABEL_SCALE, pairKey, type LabelAudit } from "../records/index.js";
import { cohenKappa, krippendorffAlpha } from "../stats/index.js";

/** What one person says of a pair. */
export interface PersonLabel {
  /** Who it is, by any name. */
  readonly rater: string;
  readonly query: string;
  readonly item: string;
  /** From 0 to 3. */
  readonly grade: number;
}

/**
 * How well do people agree with each other? What a judge's agreement with them is held against. A judge can
 * agree better with what several say together than each of them alone.
 *
 * @returns null where no two persons graded the same pair.
 */
export function peopleCeiling(labels: readonly PersonLabel[]): LabelAudit["ceiling"] {
  const pairs = [...groupBy(labels, pairKey).values()]
    .map((ofPair) => new Map(ofPair.map(({ rater, grade }) => [rater, grade])))
    .filter(({ size }) => size > 1);
  if (pairs.length === 0) return null;
  const raters = [...new Set(pairs.flatMap((grades) => [...grades.keys()]))];
  const columns = raters.map((rater) => pairs.map((grades) => grades.get(rater) ?? null));
  // Two raters who share two pairs say little of how people agree.
  const kappas = columns.flatMap((a, at) =>
    columns.slice(at + 1).flatMap((b) => {
      const kappa = cohenKappa(a, b, { weights: "quadratic", scale: LABEL_SCALE });
      const shared = a.filter((grade, pair) => grade !== null && b[pair] !== null).length;
      return kappa === null ? [] : [{ kappa, shared }];
    }),
  );
  const all = kappas.reduce((sum, { shared }) => sum + shared, 0);
  return {
    raters: raters.length,
    pairs: pairs.length,
    quadratic_kappa:
      all === 0 ? null : kappas.reduce((sum, { kappa, shared }) => sum + kappa * shared, 0) / all,
    alpha_ordinal: krippendorffAlpha(columns, "ordinal"),
  };
}
