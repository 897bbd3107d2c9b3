/** Looked at where the primary metric has no cutoff. */
const USUAL_CUTOFF = 10;

/** The cutoff of a printed metric: 10 of `nDCG@10`. */
export function cutoffOf(metric: string | null): number {
  const cutoff = /@([1-9]\d*)$/.exec(metric ?? "")?.[1];
  return cutoff === undefined ? USUAL_CUTOFF : Number(cutoff);
}
