/** Absolute differences, ranked: equal ones share the mean of their ranks. */
export interface SignedRanks {
  /** The sums of the ranks of differences above and below 0, and of those that are 0. */
  readonly above: number;
  readonly below: number;
  readonly zero: number;
  /** Twice the rank of each difference other than 0: whole numbers, also with ties. */
  readonly doubled: readonly number[];
  /** How many differences share a rank, for ranks that are shared, zeros left out. */
  readonly ties: readonly number[];
  readonly zeros: number;
}

/** @param zeros whether differences of 0 get ranks, the lowest, too. */
export function signedRanks(differences: ArrayLike<number>, zeros: "dropped" | "ranked"): SignedRanks {
  const all = Float64Array.from(differences);
  const kept = zeros === "dropped" ? all.filter((value) => value !== 0) : all;
  const order = Array.from(kept.keys()).sort(
    (a, b) => Math.abs(kept[a] as number) - Math.abs(kept[b] as number),
  );
  const ranks = {
    above: 0,
    below: 0,
    zero: 0,
    doubled: [] as number[],
    ties: [] as number[],
    zeros: all.filter((value) => value === 0).length,
  };
  for (let start = 0, end = 0; start < order.length; start = end) {
    const size = Math.abs(kept[order[start] as number] as number);
    while (end < order.length && Math.abs(kept[order[end] as number] as number) === size) end++;
    const rank = (start + 1 + end) / 2;
    if (size > 0 && end - start > 1) ranks.ties.push(end - start);
    for (let i = start; i < end; i++) {
      const value = kept[order[i] as number] as number;
      if (value === 0) ranks.zero += rank;
      else {
        ranks.doubled.push(2 * rank);
        if (value > 0) ranks.above += rank;
        else ranks.below += rank;
      }
    }
  }
  return ranks;
}
