/** What one run says about one query, best first: the hit at index `i` has rank `i + 1`. */
export interface FusionColumn {
  /** Index of the run among the runs that are fused, from 0; weights are given in that order. */
  readonly run: number;
  /** For each hit, its item: an index into the pool. Each item at most once. */
  readonly items: Int32Array;
  /** For each hit, its normalized score; finite. */
  readonly scores: Float64Array;
  /**
   * How many of these hits the run has; all unless given. The others stand behind them: items that it lacks
   * and the normalizer scores.
   */
  readonly own?: number | undefined;
}

/** What all runs say about one query. Items are numbers from 0 to `size - 1`; a method never sees an id. */
export interface FusionPool {
  /** How many different items the runs have together; at least 1. */
  readonly size: number;
  /** In the order of the runs. Runs without hits for the query are left out, so none is empty. */
  readonly columns: readonly FusionColumn[];
}

/**
 * For each item, the sum of `value` over the columns that have it. What is lost by rounding is added up, too,
 * so that the same values have the same sum in whatever order runs bring them.
 */
export function sumOver(
  pool: FusionPool,
  value: (column: FusionColumn, index: number) => number,
): Float64Array {
  const sums = new Float64Array(pool.size);
  const lost = new Float64Array(pool.size);
  for (const column of pool.columns) {
    const { items } = column;
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as number;
      const term = value(column, i);
      const before = sums[item] as number;
      const sum = before + term;
      const added = sum - before;
      (lost[item] as number) += before - (sum - added) + (term - added);
      sums[item] = sum;
    }
  }
  return sums.map((sum, item) => (Number.isFinite(sum) ? sum + (lost[item] as number) : sum));
}

/** For each item, the sum over the columns of its score times the weight of the column's run. */
export function sumWeighted(pool: FusionPool, weights: ArrayLike<number>): Float64Array {
  return sumOver(pool, ({ run, scores }, index) => (weights[run] as number) * (scores[index] as number));
}

/**
 * For each item, the sum over the columns of what its rank is worth: `worth[rank - 1]`, made once for all
 * columns.
 */
export function sumOfRanks(pool: FusionPool, worth: (rank: number) => number): Float64Array {
  const longest = pool.columns.reduce((most, { items }) => Math.max(most, items.length), 0);
  const values = Float64Array.from({ length: longest }, (_, index) => worth(index + 1));
  return sumOver(pool, (_, index) => values[index] as number);
}

/** For each item, in how many columns it is; at least 1. */
export function holders(pool: FusionPool): Float64Array {
  return sumOver(pool, () => 1);
}

/** `sums[item] * factor(how many columns have the item)`. */
export function timesHolders(
  pool: FusionPool,
  sums: Float64Array,
  factor: (holders: number) => number,
): Float64Array {
  const factors = Float64Array.from({ length: pool.columns.length + 1 }, (_, count) =>
    count === 0 ? 0 : factor(count),
  );
  const counts = holders(pool);
  return sums.map((sum, item) => sum * (factors[counts[item] as number] as number));
}

/** For each item, the sum of its scores. */
export function sumOfScores(pool: FusionPool): Float64Array {
  return sumOver(pool, ({ scores }, index) => scores[index] as number);
}
