/** What is smaller is printed as such. */
const LEAST_P = 0.0001;
const MOST_DECIMALS = 8;

/**
 * A p value at 4 decimals, never as 0, and with more where it would read as the level that it is held
 * against; an em dash where there is none.
 */
export function formatP(p: number | null): string {
  if (p === null) return "—";
  if (p < LEAST_P) return `< ${LEAST_P}`;
  let decimals = 4;
  while (decimals < MOST_DECIMALS && readsAsLevel(p, decimals)) decimals++;
  return p.toFixed(readsAsLevel(p, decimals) ? 4 : decimals);
}

/** Whether a p value that is no whole hundredth, or other usual level, is printed as one. */
function readsAsLevel(p: number, decimals: number): boolean {
  const printed = p.toFixed(decimals);
  return Number(printed) !== p && /^\d\.(?:\d\d|001|005|025)0*$/.test(printed);
}
