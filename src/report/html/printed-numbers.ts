import { DASH } from "../dash.js";
const MINUS = "\u2212";
const DECIMALS = 4;

/** A score with 4 decimals; a dash where there is none. */
export function formatValue(value: number | null | undefined, decimals = DECIMALS): string {
  if (value === null || value === undefined) return DASH;
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** A difference with its sign, which is a real minus and not a hyphen; 0 has none. */
export function formatDifference(value: number | null | undefined, decimals = DECIMALS): string {
  const text = formatValue(value, decimals);
  return value !== null && value !== undefined && value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** Both ends of an interval: `+0.0101 to +0.0312`. */
export function formatHtmlInterval(interval: { readonly low: number; readonly high: number } | null): string {
  return interval === null ? DASH : `${formatDifference(interval.low)} to ${formatDifference(interval.high)}`;
}
