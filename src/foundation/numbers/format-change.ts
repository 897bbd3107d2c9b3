import { roundTo4 } from "./round.js";

/** A difference with its sign, at 4 decimals; an em dash where there is none. */
export function formatChange(value: number | null): string {
  if (value === null) return "—";
  const rounded = roundTo4(value);
  return `${rounded > 0 ? "+" : ""}${rounded.toFixed(4)}`;
}
