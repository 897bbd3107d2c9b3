/** The quantile between the two nearest values, in proportion. */
export function quantile(rising: Float64Array, share: number): number {
  const place = share * (rising.length - 1);
  const below = rising[Math.floor(place)] as number;
  return below + (place - Math.floor(place)) * ((rising[Math.ceil(place)] as number) - below);
}
