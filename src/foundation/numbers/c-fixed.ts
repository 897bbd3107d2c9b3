/**
 * A number with so many decimals as C prints it: half-way cases go to the even digit, where `toFixed` goes
 * up.
 */
export function cFixed(value: number, decimals: number): string {
  // Odd multiples of this are the only doubles that lie half-way between two numbers of so many decimals.
  const scaled = value * 2 ** (decimals + 1);
  if (!Number.isInteger(scaled) || scaled % 2 === 0) return value.toFixed(decimals);
  const unit = 10 ** decimals;
  const below = Math.floor(value * unit);
  return ((below % 2 === 0 ? below : below + 1) / unit).toFixed(decimals);
}
