/** A share in percent: `95 %`, without what a computer's fractions add. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}
