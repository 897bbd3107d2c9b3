/** A way to adjust the p values of a family of tests. */
export interface Correction {
  /** As reports write it. */
  readonly label: string;
  /**
   * From rising p values to adjusted ones, in the same order; they may exceed 1.
   *
   * @param alpha the level that methods of two stages are good for.
   */
  readonly adjust: (rising: readonly number[], alpha: number) => number[];
}

/** Each value, or the largest before it. */
export function neverFalling(values: readonly number[]): number[] {
  let most = 0;
  return values.map((value) => (most = Math.max(most, value)));
}

/** Each value, or the smallest after it; 1 at most. */
export function neverRising(values: readonly number[]): number[] {
  let least = 1;
  return values
    .map((_, place) => (least = Math.min(least, values[values.length - 1 - place] as number)))
    .reverse();
}

/** The chance that any of so many independent tests has such a p, or a smaller one. */
export function anyOf(p: number, tests: number): number {
  return -Math.expm1(tests * Math.log1p(-p));
}
