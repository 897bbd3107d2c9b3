/** What is smaller is printed as such. */
const LEAST_P = 0.0001;

/** A p value at 4 decimals, never as 0; an em dash where there is none. */
export function formatP(p: number | null): string {
  return p === null ? "—" : p < LEAST_P ? `< ${LEAST_P}` : p.toFixed(4);
}
