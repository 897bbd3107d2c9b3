import { InputError, quote } from "../foundation/errors/index.js";
import { checkLists } from "./check-pairs.js";

/**
 * One rater's labels (grades), one per item; null where the rater gave none. Raters of the same items have
 * lists of one length.
 */
export type Labels = readonly (number | null)[];

/** How often each label of one rater meets each of another. */
export interface LabelPairs {
  /** Items that both raters labelled. */
  readonly items: number;
  /** The labels, rising. */
  readonly scale: readonly number[];
  /** `counts[i][j]`: items with label `scale[i]` of the first rater and `scale[j]` of the second. */
  readonly counts: readonly (readonly number[])[];
}

/**
 * Counts pairs of labels; items that one of the raters did not label are left out.
 *
 * @param scale every label there is; those that occur when absent.
 * @throws InputError `ARGUMENT` when the lists differ in length, a label is not finite, or one is not in the
 * scale.
 */
export function labelPairs(
  caller: string,
  first: Labels,
  second: Labels,
  scale?: readonly number[],
): LabelPairs {
  const pairs = pairsOfLabels(caller, first, second);
  const labels = labelScale(caller, pairs.flat(), scale);
  const positions = new Map(labels.map((label, position) => [label, position]));
  const counts = labels.map(() => labels.map(() => 0));
  for (const [a, b] of pairs) {
    const row = counts[positions.get(a) as number] as number[];
    (row[positions.get(b) as number] as number) += 1;
  }
  return { items: pairs.length, scale: labels, counts };
}

/** The labels of items that both raters labelled. */
export function pairsOfLabels(caller: string, first: Labels, second: Labels): (readonly [number, number])[] {
  checkLists(caller, first, second);
  if (first.length !== second.length)
    throw new InputError(
      "ARGUMENT",
      `${caller}: both raters must have one label per item, got ${quote(first.length)} and ` +
        `${quote(second.length)} labels; use null for an item that a rater left out`,
    );
  return Array.from(first).flatMap((a, item) => {
    const b = second[item] ?? null;
    return a === null || b === null ? [] : [[a, b] as const];
  });
}

/**
 * The labels there are, rising, each once.
 *
 * @throws InputError `ARGUMENT` when a label is not finite or not in the scale that was given.
 */
export function labelScale(
  caller: string,
  labels: Iterable<number>,
  scale?: readonly number[],
): readonly number[] {
  const used = new Set(labels);
  const known = new Set(scale ?? used);
  for (const label of [...known, ...used])
    if (!Number.isFinite(label))
      throw new InputError(
        "ARGUMENT",
        `${caller}: a label must be a finite number, got ${quote(label)}; use null for no label`,
      );
  for (const label of used)
    if (!known.has(label))
      throw new InputError(
        "ARGUMENT",
        `${caller}: a label must be in the scale, got ${quote(label)}; the scale has ` +
          `${[...known].map(quote).join(", ")}`,
      );
  return [...known].sort((a, b) => a - b);
}
