/** A difference with its sign, at 4 decimals; an em dash where there is none. */
export function printedChange(value: number | null): string {
  return value === null ? "—" : `${value > 0 ? "+" : ""}${value.toFixed(4)}`;
}
