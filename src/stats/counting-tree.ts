/**
 * Counts numbers from 0 up to a bound, and how many lie below one: each in log steps (Fenwick,
 * https://doi.org/10.1002/spe.4380240306).
 */
export interface CountingTree {
  /** Counts one more of this number. */
  add(number: number): void;
  /** How many of the counted numbers are lower than this one. */
  below(number: number): number;
}

/** @param bound above every number that will be counted. */
export function countingTree(bound: number): CountingTree {
  const sums = new Uint32Array(bound + 1);
  return {
    add(number) {
      for (let i = number + 1; i <= bound; i += i & -i) (sums[i] as number) += 1;
    },
    below(number) {
      let sum = 0;
      for (let i = number; i > 0; i -= i & -i) sum += sums[i] as number;
      return sum;
    },
  };
}
