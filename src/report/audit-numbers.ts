import { DASH } from "./dash.js";
import { formatShare } from "../foundation/numbers/index.js";

/** With 3 decimals; a dash for none. */
export function formatMeasure(value: number | null, isSigned = false): string {
  if (value === null) return DASH;
  const text = value.toFixed(3);
  return Number(text) === 0 ? "0.000" : isSigned && value > 0 ? `+${text}` : text;
}

/** To a tenth of a percent; a dash for none. */
export function formatTenths(value: number | null): string {
  return value === null ? DASH : formatShare(Math.round(value * 1000) / 1000);
}
